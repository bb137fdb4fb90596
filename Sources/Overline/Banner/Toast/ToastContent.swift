/// What a toast says, and how it wants to be shown.
public struct ToastContent: Hashable, Sendable {
  /// What it says first, in few words.
  public var title: String
  /// More about it; wraps to at most three rows. Empty for none.
  public var message: String
  /// What it is about.
  public var style: ToastStyle
  /// How long it stays once it is there; nil or zero until it is dismissed. Anything else below ``minimumDuration`` is that.
  public var duration: Duration?
  /// The edge that it comes from, and goes to.
  public var edge: VerticalEdge
  /// Toasts of one key are one toast that changes. Those without one are told apart by what they say.
  public var key: String?
  /// Whether it is in front of a question, or behind it.
  public var level: OverlayLevel
  /// Rows to show in place of title and message, which are still announced. Empty for none; what does not fit is cut.
  public var rows: [[StyledText]]

  /// Time to read a few words.
  public static let minimumDuration: Duration = .seconds(3)

  /// Only the title is needed.
  public init(
    title: String, message: String = "", style: ToastStyle = .info, duration: Duration? = minimumDuration,
    edge: VerticalEdge = .top, key: String? = nil, level: OverlayLevel = .toast, rows: [[StyledText]] = []
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
  public var announcement: String {
    message.isEmpty ? "\(style.name): \(title)" : "\(style.name): \(title.asSentence) \(message)"
  }

  /// Whether `other` is the same toast posted again.
  func isSame(as other: ToastContent) -> Bool {
    if let key { return key == other.key }
    return self == other
  }

  /// How long it rests, or nil for as long as nobody dismisses it.
  var rest: Duration? { duration.flatMap { $0 == .zero ? nil : max($0, Self.minimumDuration) } }
}

/// What a toast is about. It decides its colours, its icon, and the word it is announced with.
public enum ToastStyle: String, Hashable, Sendable, CaseIterable {
  /// Something to know.
  case info
  /// Something has worked.
  case success
  /// Something may go wrong.
  case warning
  /// Something has gone wrong.
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
  public var name: String {
    switch self {
    case .info: "Info"
    case .success: "Success"
    case .warning: "Warning"
    case .error: "Error"
    }
  }
}

/// Text of one look, for a toast's own content. What is nil is as the toast has it.
public struct StyledText: Hashable, Sendable {
  /// What it says.
  public var text: String
  /// Nil for the toast's.
  public var textColor: Color?
  /// Nil for the toast's.
  public var backgroundColor: Color?
  /// Bold, italic, underlined.
  public var attributes: TextAttributes

  /// Text that differs from the toast's only where it says so.
  public init(
    _ text: String, textColor: Color? = nil, backgroundColor: Color? = nil, attributes: TextAttributes = []
  ) {
    self.text = text
    self.textColor = textColor
    self.backgroundColor = backgroundColor
    self.attributes = attributes
  }
}

/// Which of two overlays is in front, as UIKit's window levels. Any number may stand between or above the named ones.
///
/// A window has one toast, one question and one banner at a time, and the banner has rows of its own. So it is a toast and a question that
/// may meet: a toast of a level below ``alert`` is behind the question, any other one in front of it. Where no question is asked, as in a
/// window of the library, and where tmux shows both, the level changes nothing.
public struct OverlayLevel: RawRepresentable, Hashable, Comparable, Sendable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Above the program, below everything else.
  public static let normal = OverlayLevel(rawValue: 0)
  /// The banner's.
  public static let statusBar = OverlayLevel(rawValue: 1000)
  /// A question's.
  public static let alert = OverlayLevel(rawValue: 2000)
  /// A toast's that asks for none: in front of a question, which it does not block.
  public static let toast = alert + 1

  public static func < (left: OverlayLevel, right: OverlayLevel) -> Bool { left.rawValue < right.rawValue }
  /// A level so many steps above another one.
  public static func + (level: OverlayLevel, steps: Int) -> OverlayLevel {
    OverlayLevel(rawValue: level.rawValue.addingReportingOverflow(steps).partialValue)
  }
}

extension String {
  /// With a full stop, unless something like one is there.
  fileprivate var asSentence: String { last.map { ".!?…:".contains($0) } ?? true ? self : self + "." }
}
