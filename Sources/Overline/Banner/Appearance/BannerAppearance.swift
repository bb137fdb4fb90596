/// All visible properties of a banner.
public struct BannerAppearance: Hashable, Sendable {
  /// The text, in few words. Control characters are removed when it is shown.
  public var title: String
  /// The colour of all rows of the banner.
  public var backgroundColor: TerminalColor
  /// The colour of the title; the cause beside it is dimmer.
  public var textColor: TerminalColor
  /// Rows that the banner occupies, at least 1.
  public var height: Int
  /// Rows of background above the title, less than `height`.
  public var titleTopInset: Int
  /// Attributes of the title.
  public var attributes: TextAttributes
  /// The sign before the title; nil for none.
  public var icon: BannerAppearance.Icon?

  /// Creates an appearance from its values. A window too low for the banner does not show it.
  public init(
    title: String, backgroundColor: TerminalColor, textColor: TerminalColor = .white, height: Int = 1,
    titleTopInset: Int = 0,
    attributes: TextAttributes = [], icon: BannerAppearance.Icon? = nil
  ) {
    self.title = title
    self.backgroundColor = backgroundColor
    self.textColor = textColor
    self.height = height
    self.titleTopInset = titleTopInset
    self.attributes = attributes
    self.icon = icon
  }

  /// *No connection*: red with white bold text.
  public static let offline = BannerAppearance(
    title: "No connection", backgroundColor: DesignToken.offline.backgroundColor,
    textColor: DesignToken.offline.textColor, attributes: .bold, icon: DesignToken.offline.icon)

  /// *Back online*: teal with white bold text.
  public static let restored = BannerAppearance(
    title: "Back online", backgroundColor: DesignToken.restored.backgroundColor,
    textColor: DesignToken.restored.textColor, attributes: .bold, icon: DesignToken.restored.icon)

  /// *Limited connection*: amber with black bold text.
  public static let limited = BannerAppearance(
    title: "Limited connection", backgroundColor: DesignToken.limited.backgroundColor,
    textColor: DesignToken.limited.textColor, attributes: .bold, icon: DesignToken.limited.icon)

  /// The defaults of a custom banner: grey with white bold text, no title.
  public static let standard = BannerAppearance(
    title: "", backgroundColor: .systemGray, textColor: .white, attributes: .bold)
}

/// Text attributes of ECMA-48 SGR.
public struct TextAttributes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// SGR 1.
  public static let bold = TextAttributes(rawValue: 1)
  /// SGR 3.
  public static let italic = TextAttributes(rawValue: 2)
  /// SGR 4.
  public static let underline = TextAttributes(rawValue: 4)
}

extension BannerAppearance {
  /// The sign before a title. The words carry the meaning; sign and colour only repeat it.
  public enum Icon: Hashable, Sendable {
    /// `⚠`
    case warning
    /// `✓`
    case checkmark
    /// `i`
    case information
    /// `✗`
    case cross
    /// For a banner without an icon, on a terminal with too few colours to set it off.
    case notice

    /// The Unicode sign, one column wide in every terminal.
    package var glyph: String {
      switch self {
      case .warning: "⚠"
      case .checkmark: "✓"
      case .information: "i"
      case .cross: "✗"
      case .notice: "•"
      }
    }

    /// The sign for terminals and locales without Unicode.
    package var ascii: String {
      switch self {
      case .warning: "!"
      case .checkmark: "+"
      case .information: "i"
      case .cross: "x"
      case .notice: "*"
      }
    }
  }
}
