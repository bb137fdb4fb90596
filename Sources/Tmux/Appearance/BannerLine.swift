internal import Banner

/// The banner's status line: its format, which never changes, and the variables it shows, which do. Setting an option redraws every
/// client whole (21 KB); setting a variable does not.
enum BannerLine {
  /// The value of `status-format[N]`. Each client evaluates it with its own width: a title that is too wide ends in an ellipsis, a
  /// cause that does not fit beside the title is left out. No variable's value is expanded again.
  static let format =
    "#[fill=#{OVERLINE_BG}#,bg=#{OVERLINE_BG}#,fg=#{OVERLINE_FG}]#[align=centre]"
    + "#{?#{e|>:#{w:OVERLINE_LINE},#{client_width}},"
    + "#{=/#{e|-:#{client_width},1}/…:OVERLINE_LINE},#{OVERLINE_LINE}}"
    + "#{?#{e|<=:#{e|+:#{w:OVERLINE_LINE},#{w:OVERLINE_DETAIL}},#{client_width}},#{OVERLINE_DETAIL},}"

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
      "OVERLINE_DETAIL": detail.isEmpty ? "" : "#[nobold]#[dim] · " + TmuxText.forOwnLine(detail),
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
