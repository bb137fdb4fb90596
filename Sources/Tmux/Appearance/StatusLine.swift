internal import Banner
internal import Terminal

/// A status line of ours: its format, which never changes, and the variables it shows, which do. Setting an option redraws every
/// client whole (21 KB); setting a variable does not.
///
/// In the order in which they follow the user's own lines: the banner is the last one, whether a toast is there or not.
enum StatusLine: Hashable, Sendable, CaseIterable {
  case toast
  case banner

  /// What its variables' names begin with.
  private var prefix: String {
    switch self {
    case .toast: "OVERLINE_TOAST_"
    case .banner: "OVERLINE_"
    }
  }

  /// The variable that is for everyone's status lines.
  private var textName: String {
    switch self {
    case .toast: "OVERLINE_TOAST"
    case .banner: "OVERLINE_TEXT"
    }
  }

  /// The value of `status-format[N]`. Each client evaluates it with its own width: a detail that does not fit beside the title is
  /// left out, a title that is too wide ends in an ellipsis. No variable's value is expanded again.
  ///
  /// The text is centred with spaces instead of `align=centre`, and followed by more of them than there is room for, because
  /// tmux would give its own filling other attributes than the text: 20 bytes for each client and frame.
  var format: String {
    let title = "#{w:\(prefix)LINE}"
    let both = "#{e|+:\(title),#{w:\(prefix)DETAIL}}"
    let width = "#{client_width}"
    // There is no such variable: what is shown is the padding.
    func half(_ text: String) -> String { "#{p/#{e|/:#{e|-:\(width),\(text)},2}/:OVERLINE_}" }
    return "#[fill=#{\(prefix)BG}#,bg=#{\(prefix)BG}#,fg=#{\(prefix)FG}]"
      + "#{?#{e|<=:\(both),\(width)},\(half(both))#{\(prefix)LINE}#{\(prefix)DETAIL},"
      + "#{?#{e|<=:\(title),\(width)},\(half(title))#{\(prefix)LINE},"
      + "#{=/#{e|-:\(width),1}/…:\(prefix)LINE}}}#{p/\(width)/:OVERLINE_}"
  }

  /// Every variable of its own, for removing them.
  var variableNames: [String] { ["LINE", "DETAIL", "BG", "FG"].map { prefix + $0 } + [textName] }

  /// The variables of one frame; of nil, those of nothing.
  func variables(_ content: Content?) -> [String: String] {
    // `terminal` and not `default`, which in a status line means the colour of the status line.
    [
      prefix + "LINE": content?.line ?? "", prefix + "DETAIL": content?.detail ?? "", textName: content?.text ?? "",
      prefix + "BG": content?.background.tmuxName ?? "terminal",
      prefix + "FG": content?.foreground.tmuxName ?? "terminal",
    ]
  }

  /// What a line says and how, ready for tmux.
  struct Content {
    /// For our own line: the title with its attributes, then what may be left out.
    var line: String
    var detail: String
    /// For everyone's.
    var text: String
    var background: Color
    var foreground: Color
  }

  /// Whether a value of `status-format[N]` is a line of ours, of this version or another one. Never anyone's to save.
  ///
  /// Told by the variable that nobody else shows: those for everyone's status lines may stand in any of the user's own.
  static func isOurs(_ format: String) -> Bool { allCases.contains { format.contains("\($0.prefix)LINE}") } }
}

extension StatusLine.Content {
  init(_ frame: BannerFrame) {
    self.init(frame.appearance)
    detail = frame.detail.isEmpty ? "" : "#[dim] · " + TmuxText.forOwnLine(frame.detail)
  }

  /// A toast's own rows have no place in a line: it says what is announced of it.
  init(_ frame: ToastFrame) {
    self.init(frame.appearance)
    guard !frame.content.message.isEmpty else { return }
    detail = " · " + TmuxText.forOwnLine(frame.content.message)
    text += " · " + TmuxText.forEveryone(frame.content.message)
  }

  private init(_ appearance: Appearance) {
    let title = (appearance.icon.map { "\($0.glyph) " } ?? "") + appearance.title
    line = Self.style(appearance.attributes) + TmuxText.forOwnLine(title)
    detail = ""
    text = TmuxText.forEveryone(title)
    background = appearance.backgroundColor
    foreground = appearance.textColor
  }

  private static func style(_ attributes: TextAttributes) -> String {
    var names: [String] = []
    if attributes.contains(.bold) { names.append("bold") }
    if attributes.contains(.italic) { names.append("italics") }
    if attributes.contains(.underline) { names.append("underscore") }
    return names.isEmpty ? "" : "#[\(names.joined(separator: ","))]"
  }
}
