internal import Banner

/// The banner's status line: its format, which never changes, and the variables it shows, which do. Setting an option redraws every
/// client whole (21 KB); setting a variable does not.
enum BannerLine {
  /// The value of `status-format[N]`. Each client evaluates it with its own width: a cause that does not fit beside the title is
  /// left out, a title that is too wide ends in an ellipsis. No variable's value is expanded again.
  ///
  /// The text is centred with spaces instead of `align=centre`, and followed by more of them than there is room for, because
  /// tmux would give its own filling other attributes than the text: 20 bytes for each client and frame.
  static let format: String = {
    let title = "#{w:OVERLINE_LINE}"
    let both = "#{e|+:\(title),#{w:OVERLINE_DETAIL}}"
    let width = "#{client_width}"
    // There is no such variable: what is shown is the padding.
    func half(_ text: String) -> String { "#{p/#{e|/:#{e|-:\(width),\(text)},2}/:OVERLINE_}" }
    return "#[fill=#{OVERLINE_BG}#,bg=#{OVERLINE_BG}#,fg=#{OVERLINE_FG}]"
      + "#{?#{e|<=:\(both),\(width)},\(half(both))#{OVERLINE_LINE}#{OVERLINE_DETAIL},"
      + "#{?#{e|<=:\(title),\(width)},\(half(title))#{OVERLINE_LINE},"
      + "#{=/#{e|-:\(width),1}/…:OVERLINE_LINE}}}#{p/\(width)/:OVERLINE_}"
  }()

  /// Every variable there is, for removing them.
  static let variableNames = [
    "OVERLINE_LINE", "OVERLINE_DETAIL", "OVERLINE_TEXT", "OVERLINE_BG", "OVERLINE_FG", savedName,
  ]

  /// Where ``SavedState`` is kept.
  static let savedName = "OVERLINE_SAVED"

  /// The variables of one frame; of nil, those of a line that is kept but empty.
  static func variables(_ frame: BannerFrame?) -> [String: String] {
    guard let appearance = frame?.appearance else {
      // `terminal` and not `default`, which in a status line means the colour of the status line.
      return [
        "OVERLINE_LINE": "", "OVERLINE_DETAIL": "", "OVERLINE_TEXT": "", "OVERLINE_BG": "terminal",
        "OVERLINE_FG": "terminal",
      ]
    }
    let title = (appearance.icon.map { "\($0.glyph) " } ?? "") + appearance.title
    let detail = frame?.detail ?? ""
    return [
      "OVERLINE_LINE": style(appearance.attributes) + TmuxText.forOwnLine(title),
      "OVERLINE_DETAIL": detail.isEmpty ? "" : "#[dim] · " + TmuxText.forOwnLine(detail),
      "OVERLINE_TEXT": TmuxText.forEveryone(title),
      "OVERLINE_BG": appearance.backgroundColor.tmuxName,
      "OVERLINE_FG": appearance.textColor.tmuxName,
    ]
  }

  private static func style(_ attributes: TextAttributes) -> String {
    var names: [String] = []
    if attributes.contains(.bold) { names.append("bold") }
    if attributes.contains(.italic) { names.append("italics") }
    if attributes.contains(.underline) { names.append("underscore") }
    return names.isEmpty ? "" : "#[\(names.joined(separator: ","))]"
  }
}
