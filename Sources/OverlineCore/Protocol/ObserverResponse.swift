/// The answer to a request: `{"ok":true}`, with `"data"` if there is any, or `{"ok":false,"error":"a sentence","code":"stable-code"}`. The
/// field `ok` distinguishes it from a state.
package enum ObserverResponse: Equatable, Sendable {
  case ok(JSONValue? = nil)
  /// A sentence for users, and a code for programs to compare (``ProtocolError/Code`` or the server's own).
  case failure(message: String, code: String)

  package init(_ error: ProtocolError) {
    self = .failure(message: error.message, code: error.code.rawValue)
  }

  /// The field of an answer's data that counts the screens: windows, attached tmux clients and, for a banner, status bars.
  package static let screens = "screens"

  /// True if no screen shows the result of the request. If an older monitor sends no count, the result counts as shown.
  package var isUnseen: Bool {
    switch self {
    case .ok(let data): data?[Self.screens]?.integer == 0
    case .failure(_, let code): code == ProtocolError.Code.noScreen.rawValue
    }
  }

  /// The field of an answer's data with the end of the user's pause in words: until then nothing of the request shows.
  package static let pausedUntil = "paused-until"

  /// Nil without a pause.
  package var pausedUntil: String? {
    if case .ok(let data) = self { data?[Self.pausedUntil]?.string } else { nil }
  }

  /// The field of an answer's data that counts the dismissed toasts or banners.
  package static let dismissed = "dismissed"

  /// False if there was nothing to dismiss. If an older monitor or window sends no count, it counts as dismissed.
  package var hasDismissed: Bool {
    switch self {
    case .ok(let data): data?[Self.dismissed]?.integer != 0
    case .failure: true
    }
  }

  /// Reads a line; nil when it is a state.
  package init?(line: some Collection<UInt8>) throws(ProtocolError) {
    let json = try JSONValue(parsing: line)
    guard let ok = json["ok"] else { return nil }
    if ok.boolean == true {
      self = .ok(json["data"])
    } else {
      self = .failure(message: json["error"]?.string ?? "no reason given", code: json["code"]?.string ?? "failed")
    }
  }

  /// The answer as a line with its line feed.
  package var jsonLine: [UInt8] {
    var writer = JSONWriter()
    writer.open("{")
    switch self {
    case .ok(let data):
      writer.field("ok", true)
      if let data { writer.field("data", data) }
    case .failure(let message, let code):
      writer.field("ok", false)
      writer.field("error", message)
      writer.field("code", code)
    }
    writer.close("}")
    writer.endLine()
    return writer.bytes
  }

  /// The answer to ``ObserverRequest/status``.
  package static func statusLine(_ state: ObserverState) -> [UInt8] {
    var writer = JSONWriter()
    writer.open("{")
    writer.field("ok", true)
    writer.key("data")
    state.write(to: &writer)
    writer.close("}")
    writer.endLine()
    return writer.bytes
  }
}
