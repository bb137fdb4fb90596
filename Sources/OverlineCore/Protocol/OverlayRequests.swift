package import Overline

/// The process or connection whose end dismisses an overlay. Without either, the overlay belongs to the window or monitor that shows it.
package struct OverlayOwner: Hashable, Sendable {
  /// The overlay ends with this process: `while`.
  package var process: Int32?
  /// The overlay ends with the connection that requested it: `owned`.
  package var isConnection: Bool

  package init(process: Int32? = nil, isConnection: Bool = false) {
    self.process = process
    self.isConnection = isConnection
  }
}

/// A client's request for a toast. The window or monitor that gets the request fills in missing values.
package struct ToastRequest: Hashable, Sendable {
  package var title: String
  package var message: String
  package var style: ToastStyle
  /// Zero to stay until dismissed; nil for the window's default.
  package var duration: Duration?
  /// Nil for the window's default.
  package var edge: ToastEdge?
  package var key: String?
  package var level: OverlayLevel
  package var owner: OverlayOwner
  /// For a monitor: the socket of the tmux server for the toast; nil for the server that the user used last.
  package var tmux: String?

  package init(
    title: String, message: String = "", style: ToastStyle = .info, duration: Duration? = nil,
    edge: ToastEdge? = nil, key: String? = nil, level: OverlayLevel = .toast,
    owner: OverlayOwner = OverlayOwner(), tmux: String? = nil
  ) {
    self.title = title
    self.message = message
    self.style = style
    self.duration = duration
    self.edge = edge
    self.key = key
    self.level = level
    self.owner = owner
    self.tmux = tmux
  }

  /// The longest duration in a request. For a longer one, clients should send 0, which means no end.
  package static let maximumDuration: Duration = .seconds(365 * 86_400)

  /// - Parameters:
  ///   - duration: the default duration; `edge` likewise.
  package func content(duration: Duration?, edge: ToastEdge) -> ToastContent {
    ToastContent(
      title: title, message: message.isEmpty ? nil : message, style: style, duration: self.duration ?? duration,
      edge: self.edge ?? edge,
      key: key, level: level)
  }
}

/// Limits on texts from clients, in Unicode scalars. Longer text, which is wider than any window, is cut.
enum TextLimit {
  static let title = 200
  /// Three rows of a wide window.
  static let message = 1000
  static let button = 50
  /// Keys are not shown. They are not cut either: two long keys could become equal.
  static let key = 200
}

extension OverlayOwner {
  init(_ fields: FieldReader) throws(ProtocolError) {
    self.init(
      process: try fields.optionalInteger("while", in: 1...Int(Int32.max)).map { Int32($0) },
      isConnection: try fields.optionalBoolean("owned") ?? false)
  }

  func write(to writer: inout JSONWriter) {
    if let process { writer.field("while", Int(process)) }
    if isConnection { writer.field("owned", true) }
  }
}

extension ToastRequest {
  init(_ fields: FieldReader) throws(ProtocolError) {
    self.init(
      title: try fields.line("title", limit: TextLimit.title),
      message: try fields.optionalLine("message", limit: TextLimit.message),
      style: try fields.optionalChoice("style") ?? .info,
      duration: try fields.optionalSeconds("duration", upTo: Self.maximumDuration),
      edge: try fields.optionalChoice("edge"), key: try fields.optionalKey("key"),
      level: try fields.optionalInteger("level", in: 0...1_000_000).map { OverlayLevel(rawValue: $0) } ?? .toast,
      owner: try OverlayOwner(fields), tmux: try fields.optionalPath("tmux"))
  }

  func write(to writer: inout JSONWriter) {
    writer.field("title", title)
    if !message.isEmpty { writer.field("message", message) }
    writer.field("style", style.rawValue)
    if let duration { writer.field("duration", .number(duration / .seconds(1))) }
    if let edge { writer.field("edge", edge.rawValue) }
    if let key { writer.field("key", key) }
    if level != .toast { writer.field("level", level.rawValue) }
    owner.write(to: &writer)
    if let tmux { writer.field("tmux", tmux) }
  }
}

extension ObserverRequest.ToastName {
  init(_ fields: FieldReader) throws(ProtocolError) {
    if let id = try fields.optionalInteger("id", in: 0...Int.max) {
      self = .id(ToastID(rawValue: id))
    } else if let key = try fields.optionalKey("key") {
      self = .key(key)
    } else {
      self = .front(tmux: try fields.optionalPath("tmux"))
    }
  }
}

extension Alert {
  init(_ fields: FieldReader) throws(ProtocolError) {
    self.init(
      title: try fields.line("title", limit: TextLimit.title),
      message: try fields.optionalLine("message", limit: TextLimit.message), buttons: try fields.buttons("buttons"))
  }

  func write(to writer: inout JSONWriter) {
    writer.field("title", title)
    if !message.isEmpty { writer.field("message", message) }
    writer.field("buttons", .array(buttons.map(JSONValue.string)))
  }
}

extension FieldReader {
  /// A line of displayed text that is not blank: sanitized, and cut at its limit.
  func line(_ name: String, limit: Int) throws(ProtocolError) -> String {
    let text = try string(name).line(limit: limit)
    guard text.isReadable else {
      throw ProtocolError(.badField, "\"\(name)\" is empty; it must contain visible text")
    }
    return text
  }

  /// Empty when the field is absent.
  func optionalLine(_ name: String, limit: Int) throws(ProtocolError) -> String {
    try optionalString(name)?.line(limit: limit) ?? ""
  }

  func optionalKey(_ name: String) throws(ProtocolError) -> String? {
    guard let key = try optionalString(name) else { return nil }
    guard (1...TextLimit.key).contains(key.unicodeScalars.count) else {
      throw ProtocolError(
        .badField,
        "\"\(name)\" has \(key.unicodeScalars.count) characters; it must have 1 to \(TextLimit.key)")
    }
    return key
  }

  /// A number of seconds; null is 0.
  func optionalSeconds(_ name: String, upTo maximum: Duration) throws(ProtocolError) -> Duration? {
    let wanted = "a number of seconds from 0 to \(maximum.components.seconds), and 0 or null means without end"
    guard let value = value(name) else { return nil }
    if value == .null { return .zero }
    guard let seconds = value.number else { throw wrong(name, value, wanted) }
    guard (0...Double(maximum.components.seconds)).contains(seconds) else {
      throw ProtocolError(.badField, "\"\(name)\" is \(value.json); it must be \(wanted)")
    }
    // Less than a millisecond must not become 0, since 0 means no end.
    return .milliseconds(seconds > 0 ? max(1, Int((seconds * 1000).rounded())) : 0)
  }

  func buttons(_ name: String) throws(ProtocolError) -> [String] {
    let values = try array(name)
    guard (1...Alert.buttonLimit).contains(values.count) else {
      throw ProtocolError(
        .badField, "\"\(name)\" has \(values.count) entries; it must have 1 to \(Alert.buttonLimit)")
    }
    var buttons: [String] = []
    for (index, value) in values.enumerated() {
      let place = "\(name)[\(index)]"
      guard let string = value.string else { throw wrong(place, value, "a string") }
      let button = string.line(limit: TextLimit.button)
      guard button.isReadable else {
        throw ProtocolError(.badField, "\"\(place)\" is empty; it must contain visible text")
      }
      guard !buttons.contains(button) else {
        throw ProtocolError(.badField, "\"\(place)\" is \"\(button)\" again; each button needs its own text")
      }
      buttons.append(button)
    }
    return buttons
  }
}
