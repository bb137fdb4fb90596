internal import Terminal

/// What a client asks of a monitor: one JSON object on one line, `{"do":"dismiss"}`.
public enum ObserverRequest: Hashable, Sendable {
  /// The longest line in bytes, without its line feed.
  public static let maximumLineLength = 65536

  /// Send the current state, then every change. Connecting alone means the same in JSON; asking again sends the current state again.
  /// After the answer to another format states come as that format has them, and only when their text is new: whoever only shows
  /// a line has nothing to parse.
  case watch(format: ObserverFormat = .json)
  /// One answer with the current state as its data.
  case status
  /// A persistent banner for anything.
  case present(BannerRequest)
  case dismiss
  /// Drive the tmux server that listens at this socket.
  case tmuxAttach(socket: String)
  case tmuxDetach(socket: String)
  /// The registered servers, or what is known of one.
  case tmuxStatus(socket: String?)

  /// The arguments of ``ObserverRequest/present(_:)``.
  public struct BannerRequest: Hashable, Sendable {
    public var title: String
    /// Colours as a person writes them; nil takes the default. Whoever shows the banner judges them.
    public var background: String?
    public var text: String?
    /// Rows, 1 to 8; nil takes the default.
    public var height: Int?

    public init(title: String, background: String? = nil, text: String? = nil, height: Int? = nil) {
      self.title = title
      self.background = background
      self.text = text
      self.height = height
    }
  }

  /// The names of all requests, as the `do` field has them.
  public static let names = [
    "watch", "status", "present", "dismiss", "tmux-attach", "tmux-detach", "tmux-status",
  ]

  /// Reads a line without its line feed; a carriage return at its end is passed over, as are unknown fields.
  public init(line: some Collection<UInt8>) throws(ProtocolError) {
    guard line.count <= Self.maximumLineLength else { throw .lineTooLong }
    let json = try JSONValue(parsing: line)
    guard json.object != nil else {
      throw ProtocolError(.badJSON, "a request is a JSON object such as {\"do\":\"status\"}, not \(json.kind)")
    }
    let fields = FieldReader(json)
    let name = try fields.string("do")
    switch name {
    case "watch": self = .watch(format: try fields.optionalFormat("format") ?? .json)
    case "status": self = .status
    case "present": self = .present(try BannerRequest(fields))
    case "dismiss": self = .dismiss
    case "tmux-attach": self = .tmuxAttach(socket: try fields.path("socket"))
    case "tmux-detach": self = .tmuxDetach(socket: try fields.path("socket"))
    case "tmux-status": self = .tmuxStatus(socket: try fields.optionalString("socket"))
    default:
      let hint = TerminalText.nearest(name, among: Self.names).map { "; did you mean \"\($0)\"?" } ?? ""
      throw ProtocolError(
        .unknownRequest,
        "\"\(TerminalText.sanitized(String(name.prefix(64))))\" is not a request\(hint) (known: \(Self.names.joined(separator: ", ")))"
      )
    }
  }

  /// The request as a line with its line feed.
  public var jsonLine: [UInt8] {
    var writer = JSONWriter()
    writer.open("{")
    switch self {
    case .watch(let format):
      writer.field("do", "watch")
      if format != .json { writer.field("format", format.rawValue) }
    case .status: writer.field("do", "status")
    case .present(let banner):
      writer.field("do", "present")
      writer.field("title", banner.title)
      if let background = banner.background { writer.field("background", background) }
      if let text = banner.text { writer.field("text", text) }
      if let height = banner.height { writer.field("height", height) }
    case .dismiss: writer.field("do", "dismiss")
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
  public static let lineTooLong = ProtocolError(
    .lineTooLong, "the line is longer than \(ObserverRequest.maximumLineLength) bytes; it was passed over")
}

extension ObserverRequest.BannerRequest {
  init(_ fields: FieldReader) throws(ProtocolError) {
    let title = TerminalText.sanitized(try fields.string("title"))
    guard title.contains(where: { !$0.isWhitespace }) else {
      throw ProtocolError(.badField, "\"title\" is empty; it must have something to read")
    }
    self.init(
      title: title, background: try fields.optionalString("background"), text: try fields.optionalString("text"),
      height: try fields.optionalInteger("height", in: 1...8))
  }
}

extension FieldReader {
  func optionalFormat(_ name: String) throws(ProtocolError) -> ObserverFormat? {
    guard let text = try optionalString(name) else { return nil }
    guard let format = ObserverFormat(rawValue: text) else {
      let known = ObserverFormat.allCases.map(\.rawValue)
      let hint = TerminalText.nearest(text, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
      throw ProtocolError(
        .badField,
        "\"\(TerminalText.sanitized(String(text.prefix(64))))\" is not a format\(hint) (known: \(known.joined(separator: ", ")))"
      )
    }
    return format
  }

  /// An absolute path. The monitor has another working directory than its client.
  func path(_ name: String) throws(ProtocolError) -> String {
    let path = try string(name)
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw ProtocolError(.badField, "\"\(name)\" must be an absolute path")
    }
    return path
  }
}
