package import Overline

/// A client's request to a monitor or a window: one JSON object on one line, `{"do":"dismiss"}`.
package enum ObserverRequest: Hashable, Sendable {
  /// The longest line in bytes, without its line feed.
  package static let maximumLineLength = 65536

  /// Send the current state, then every change. A new connection starts with this in JSON, without a request. A repeated request sends the
  /// current state again. After the answer to a request with another format, states arrive in that format, and only when their text is new.
  /// So a client that only shows a line has nothing to parse.
  case watch(format: ObserverFormat = .json)
  /// Answer once with the current state as data, or if there is a format, with finished text (``StatusText``).
  case status(format: ObserverFormat? = nil)
  /// Present a custom banner. It stays until dismissed.
  case present(BannerRequest)
  /// Dismiss the banner in front; the answer's data contains the number of banners, `dismissed`: 0 if none shows, which is not an error.
  case dismiss
  /// Dismiss what Overline claims, the network's banner or the notice about a window's program, until the claim changes. A custom banner
  /// stays. The answer is that of ``dismiss``.
  case dismissClaim
  /// Show a toast; the answer's data contains its `id`.
  case toast(ToastRequest)
  /// Dismiss toasts; the answer's data contains their number, `dismissed`. It is not an error if a toast has already ended.
  case dismissToast(ToastName)
  /// Ask the user. The alert belongs to the connection. The response follows the user's answer, with `button` as data; null when dismissed.
  case alert(Alert)
  /// Read the configuration again.
  case reload
  /// Make the window's program lay itself out again.
  case refresh
  /// The monitor's metrics as OpenMetrics text.
  case metrics
  /// Control the tmux server that listens at this socket.
  case tmuxAttach(socket: String)
  case tmuxDetach(socket: String)
  /// The registered servers, or the status of one.
  case tmuxStatus(socket: String?)

  /// The toast to dismiss.
  package enum ToastName: Hashable, Sendable {
    case id(ToastID)
    case key(String)
    /// The visible toast. For a monitor: in the tmux server of this socket; nil means in all servers.
    case front(tmux: String?)
  }

  /// The arguments of ``ObserverRequest/present(_:)``.
  package struct BannerRequest: Hashable, Sendable {
    package var title: String
    /// Colours as the user wrote them; nil for the default. The server that shows the banner checks them.
    package var background: String?
    package var text: String?
    /// Rows, 1 to 8; nil for the default.
    package var height: Int?
    package var owner: OverlayOwner

    package init(
      title: String, background: String? = nil, text: String? = nil, height: Int? = nil,
      owner: OverlayOwner = OverlayOwner()
    ) {
      self.title = title
      self.background = background
      self.text = text
      self.height = height
      self.owner = owner
    }
  }

  /// The names of all requests, as in the `do` field.
  package static let names = [
    "watch", "status", "present", "dismiss", "dismiss-claim", "toast", "dismiss-toast", "alert", "reload", "refresh",
    "metrics", "tmux-attach", "tmux-detach", "tmux-status",
  ]

  /// Reads a line without its line feed. A carriage return at its end and unknown fields are ignored.
  package init(line: some Collection<UInt8>) throws(ProtocolError) {
    guard line.count <= Self.maximumLineLength else { throw .lineTooLong }
    try self.init(json: JSONValue(parsing: line))
  }

  /// This request as the server will read it, with sanitized and cut texts. Throws the error that the server would return.
  package func checked() throws(ProtocolError) -> ObserverRequest {
    try ObserverRequest(json: JSONValue(parsing: jsonLine))
  }

  private init(json: JSONValue) throws(ProtocolError) {
    guard json.object != nil else {
      throw ProtocolError(.badJSON, "a request is a JSON object such as {\"do\":\"status\"}, not \(json.kind)")
    }
    let fields = FieldReader(json)
    let name = try fields.string("do")
    switch name {
    case "watch": self = .watch(format: try fields.optionalChoice("format") ?? .json)
    case "status": self = .status(format: try fields.optionalChoice("format"))
    case "present": self = .present(try BannerRequest(fields))
    case "dismiss": self = .dismiss
    case "dismiss-claim": self = .dismissClaim
    case "toast": self = .toast(try ToastRequest(fields))
    case "dismiss-toast": self = .dismissToast(try ToastName(fields))
    case "alert": self = .alert(try Alert(fields))
    case "reload": self = .reload
    case "refresh": self = .refresh
    case "metrics": self = .metrics
    case "tmux-attach": self = .tmuxAttach(socket: try fields.path("socket"))
    case "tmux-detach": self = .tmuxDetach(socket: try fields.path("socket"))
    case "tmux-status": self = .tmuxStatus(socket: try fields.optionalPath("socket"))
    default:
      let hint = TerminalText.suggestion(for: name, among: Self.names)
      throw ProtocolError(
        .unknownRequest,
        "\"\(TerminalText.sanitized(String(name.prefix(64))))\" is not a request\(hint) (known: \(Self.names.joined(separator: ", ")))"
      )
    }
  }

  /// The request as a line with its line feed.
  package var jsonLine: [UInt8] {
    var writer = JSONWriter()
    writer.open("{")
    switch self {
    case .watch(let format):
      writer.field("do", "watch")
      if format != .json { writer.field("format", format.rawValue) }
    case .status(let format):
      writer.field("do", "status")
      if let format { writer.field("format", format.rawValue) }
    case .present(let banner):
      writer.field("do", "present")
      writer.field("title", banner.title)
      if let background = banner.background { writer.field("background", background) }
      if let text = banner.text { writer.field("text", text) }
      if let height = banner.height { writer.field("height", height) }
      banner.owner.write(to: &writer)
    case .dismiss: writer.field("do", "dismiss")
    case .dismissClaim: writer.field("do", "dismiss-claim")
    case .toast(let toast):
      writer.field("do", "toast")
      toast.write(to: &writer)
    case .dismissToast(let name):
      writer.field("do", "dismiss-toast")
      switch name {
      case .id(let id): writer.field("id", id.rawValue)
      case .key(let key): writer.field("key", key)
      case .front(let tmux): if let tmux { writer.field("tmux", tmux) }
      }
    case .alert(let alert):
      writer.field("do", "alert")
      alert.write(to: &writer)
    case .reload: writer.field("do", "reload")
    case .refresh: writer.field("do", "refresh")
    case .metrics: writer.field("do", "metrics")
    case .tmuxAttach(let socket):
      writer.field("do", "tmux-attach")
      writer.field("socket", socket)
    case .tmuxDetach(let socket):
      writer.field("do", "tmux-detach")
      writer.field("socket", socket)
    case .tmuxStatus(let socket):
      writer.field("do", "tmux-status")
      if let socket { writer.field("socket", socket) }
    }
    writer.close("}")
    writer.endLine()
    return writer.bytes
  }
}

extension ProtocolError {
  /// The answer to a line longer than ``ObserverRequest/maximumLineLength``.
  package static let lineTooLong = ProtocolError(
    .lineTooLong, "the line is longer than \(ObserverRequest.maximumLineLength) bytes; it was ignored")
}

extension ObserverRequest.BannerRequest {
  init(_ fields: FieldReader) throws(ProtocolError) {
    self.init(
      title: try fields.line("title", limit: TextLimit.title), background: try fields.optionalString("background"),
      text: try fields.optionalString("text"), height: try fields.optionalInteger("height", in: 1...8),
      owner: try OverlayOwner(fields))
  }
}
