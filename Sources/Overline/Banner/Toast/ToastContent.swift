/// The content of a toast, and how it wants to be shown.
public struct ToastContent: Hashable, Sendable {
  /// The title, in few words.
  public var title: String
  /// Further text; wraps to at most three rows. Nil for none.
  public var message: String?
  /// The kind of message.
  public var style: ToastStyle
  /// The time for which the toast rests. With nil or zero it rests until dismissed. Other values below ``minimumDuration`` are raised to
  /// it.
  public var duration: Duration?
  /// The edge at which the toast enters and leaves.
  public var edge: ToastEdge
  /// Toasts with the same key are one toast that changes. Toasts without a key are compared by content.
  public var key: String?
  /// Determines whether the toast is in front of an alert or behind it.
  public var level: OverlayLevel
  /// Rows to show in place of title and message. Announcements still contain those. Empty for none. Rows that do not fit are cut.
  public var rows: [[StyledText]]

  /// Time to read a few words.
  public static let minimumDuration: Duration = .seconds(3)

  /// Creates content; only the title is required.
  public init(
    title: String, message: String? = nil, style: ToastStyle = .info, duration: Duration? = minimumDuration,
    edge: ToastEdge = .top, key: String? = nil, level: OverlayLevel = .toast, rows: [[StyledText]] = []
  ) {
    self.title = title
    self.message = message
    self.style = style
    self.duration = duration
    self.edge = edge
    self.key = key
    self.level = level
    self.rows = rows
  }

  /// For screen readers and observers, in one line: `Error: Connection failed. Check your internet and try again.`
  package var announcement: String {
    let text = message ?? ""
    return text.isEmpty ? "\(style.name): \(title)" : "\(style.name): \(title.asSentence) \(text)"
  }

  /// Whether `other` is the same toast posted again.
  func isSame(as other: ToastContent) -> Bool {
    if let key { return key == other.key }
    return self == other
  }

  /// The time for which the toast rests; nil until dismissed.
  var rest: Duration? { duration.flatMap { $0 == .zero ? nil : max($0, Self.minimumDuration) } }
}

/// The kind of a toast's message. It decides the colours, the icon and the first word of the announcement.
public enum ToastStyle: String, Hashable, Sendable, CaseIterable {
  /// A piece of information: blue.
  case info
  /// A success: green.
  case success
  /// A possible failure: amber.
  case warning
  /// A failure: red.
  case error

  /// Its colours and icon.
  package var token: DesignToken {
    switch self {
    case .info: .info
    case .success: .success
    case .warning: .warning
    case .error: .error
    }
  }

  /// The first word of an announcement.
  package var name: String {
    switch self {
    case .info: "Info"
    case .success: "Success"
    case .warning: "Warning"
    case .error: "Error"
    }
  }
}

/// Text of one look, for custom rows of a toast. Nil values inherit the toast's.
public struct StyledText: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The text colour; nil for the toast's.
  public var textColor: TerminalColor?
  /// The background colour; nil for the toast's.
  public var backgroundColor: TerminalColor?
  /// Bold, italic, underlined.
  public var attributes: TextAttributes

  /// Creates text that differs from the toast's look only in the given values.
  public init(
    _ text: String, textColor: TerminalColor? = nil, backgroundColor: TerminalColor? = nil,
    attributes: TextAttributes = []
  ) {
    self.text = text
    self.textColor = textColor
    self.backgroundColor = backgroundColor
    self.attributes = attributes
  }
}

/// The stacking order of overlays, like UIKit's window levels. Levels between and above the named ones are allowed.
///
/// A window shows at most one toast, one alert and one banner at a time, and the banner has its own rows. So only a toast and an alert can
/// overlap. A toast of a level below the alert's is behind the alert, any other toast is in front of it. In a window of the library an
/// alert has rows of its own: a toast of a lower level waits for the alert's end, any other shows above the alert. The level has no effect
/// where tmux shows both.
public struct OverlayLevel: RawRepresentable, Hashable, Comparable, Sendable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Above the program, below everything else.
  public static let normal = OverlayLevel(rawValue: 0)
  /// The banner's level.
  public static let statusBar = OverlayLevel(rawValue: 1000)
  /// An alert's level.
  public static let alert = OverlayLevel(rawValue: 2000)
  /// The default level of a toast: in front of an alert, without blocking the alert.
  public static let toast = alert + 1

  public static func < (left: OverlayLevel, right: OverlayLevel) -> Bool { left.rawValue < right.rawValue }
  /// A level `steps` above another.
  public static func + (level: OverlayLevel, steps: Int) -> OverlayLevel {
    OverlayLevel(rawValue: level.rawValue.addingReportingOverflow(steps).partialValue)
  }
}

extension String {
  /// This text with a full stop, unless it ends in punctuation.
  fileprivate var asSentence: String { last.map { ".!?…:".contains($0) } ?? true ? self : self + "." }
}
