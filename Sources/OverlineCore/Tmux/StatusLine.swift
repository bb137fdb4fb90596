internal import Overline

/// One of our status lines: a format that never changes, and the variables in it. Setting an option redraws every client completely (21
/// KB); setting a variable does not.
///
/// The cases are in the order in which the lines follow the user's own: the banner is last, with or without a toast.
package enum StatusLine: Equatable, Sendable, CaseIterable {
  case toast
  case banner

  /// The prefix of the names of the line's variables.
  private var prefix: String {
    switch self {
    case .toast: "OVERLINE_TOAST_"
    case .banner: "OVERLINE_"
    }
  }

  /// The variable with the whole text, which users can show in their own status lines.
  private var textName: String {
    switch self {
    case .toast: "OVERLINE_TOAST"
    case .banner: "OVERLINE_TEXT"
    }
  }

  /// The value of `status-format[N]`. Each client evaluates the format with its own width and characters. If there is not enough room
  /// beside the title, a toast's message is cut off with an ellipsis and a banner's cause is omitted. A title that is too wide is cut off
  /// too. The variables' values are not expanded again.
  ///
  /// More spaces than fit follow the text. Otherwise tmux would fill the line with other attributes than the text's, which costs 20 bytes
  /// for each client and frame.
  var format: String {
    "#[fill=#{\(prefix)BG}#,bg=#{\(prefix)BG}#,fg=#{\(prefix)FG}]"
      + "#{?client_utf8,\(text(.unicode)),\(text(.ascii))}#{p/#{client_width}/:OVERLINE_}"
  }

  /// The characters that a client can show. tmux replaces all others by underscores, one for each column.
  enum Characters: CaseIterable {
    case unicode
    case ascii

    /// The suffix of the variables' names.
    fileprivate var suffix: String {
      switch self {
      case .unicode: ""
      case .ascii: "_ASCII"
      }
    }

    fileprivate var ellipsis: String {
      switch self {
      case .unicode: "…"
      case .ascii: "..."
      }
    }

    fileprivate var separator: String {
      switch self {
      case .unicode: " · "
      case .ascii: " - "
      }
    }

    fileprivate func sign(_ icon: BannerAppearance.Icon) -> String {
      switch self {
      case .unicode: icon.glyph
      case .ascii: icon.ascii
      }
    }
  }

  /// Title and detail, centred with spaces. `align=centre` would make tmux fill the line itself.
  private func text(_ characters: Characters) -> String {
    let (line, detail) = ("\(prefix)LINE\(characters.suffix)", "\(prefix)DETAIL\(characters.suffix)")
    let width = "#{client_width}"
    let both = "#{e|+:#{w:\(line)},#{w:\(detail)}}"
    // The columns in front of the ellipsis.
    let room = "#{e|-:\(width),\(characters.ellipsis.count)}"
    func cut(_ name: String, _ columns: String) -> String { "#{=/\(columns)/:\(name)}\(characters.ellipsis)" }
    // `OVERLINE_` is never set, so tmux prints only the padding.
    func half(_ text: String) -> String { "#{p/#{e|/:#{e|-:\(width),\(text)},2}/:OVERLINE_}" }
    let second =
      switch self {
      case .toast:
        "#{?#{e|<:#{w:\(line)},\(room)},#{\(line)}\(cut(detail, "#{e|-:\(room),#{w:\(line)}}")),"
      case .banner: "#{?#{e|<=:#{w:\(line)},\(width)},\(half("#{w:\(line)}"))#{\(line)},"
      }
    return "#{?#{e|<=:\(both),\(width)},\(half(both))#{\(line)}#{\(detail)}," + second + "\(cut(line, room))}}"
  }

  /// The names of all variables of the line, for removing them.
  package var variableNames: [String] {
    Characters.allCases.flatMap { ["LINE" + $0.suffix, "DETAIL" + $0.suffix] }.map { prefix + $0 }
      + [prefix + "BG", prefix + "FG", textName]
  }

  /// The variables of one frame; for nil, those of an empty line.
  func variables(_ content: Content?) -> [String: String] {
    var result: [String: String] = [:]
    for characters in Characters.allCases {
      result[prefix + "LINE" + characters.suffix] = content?.line(characters) ?? ""
      result[prefix + "DETAIL" + characters.suffix] = content?.detail(characters) ?? ""
    }
    // `terminal`, because `default` means the status line's colour here.
    return result.merging([
      textName: content?.text ?? "", prefix + "BG": content?.background ?? "terminal",
      prefix + "FG": content?.foreground ?? "terminal",
    ]) { $1 }
  }

  /// A line's text and style, ready for tmux.
  struct Content {
    /// For the user's own status lines.
    private(set) var text: String
    /// Colours in tmux's notation.
    let background: String
    let foreground: String
    private let icon: BannerAppearance.Icon?
    private let title: String
    private let titleStyle: String
    private var detail = ""
    private var detailStyle = ""

    /// For our own line: the title with its attributes.
    func line(_ characters: Characters) -> String {
      titleStyle + TmuxText.forOwnLine((icon.map { characters.sign($0) + " " } ?? "") + title)
    }

    /// For our own line: the text after the title, as far as it fits.
    func detail(_ characters: Characters) -> String {
      detail.isEmpty ? "" : detailStyle + characters.separator + TmuxText.forOwnLine(detail)
    }
  }

  /// Whether a value of `status-format[N]` is one of our lines, of any version. Our own lines are never saved as the user's.
  ///
  /// Our lines are recognized by a variable that only they show. The user's lines may show the other variables.
  static func isOurs(_ format: String) -> Bool {
    // By bytes: a first frame asks this some dozens of times, and `String.contains(_: String)` took a millisecond for them.
    var rest = format.utf8[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "O")) {
      rest = rest[start...]
      if allCases.contains(where: { rest.starts(with: $0.ownVariable.utf8) }) { return true }
      rest.removeFirst()
    }
    return false
  }

  /// The same test as a tmux format: 1 or 0 for an entry of `status-format`.
  static func isOurs(index: Int) -> String {
    allCases.map { "#{m:*\($0.ownVariable)*,#{status-format[\(index)]}}" }.reduce("0") { "#{||:\($0),\($1)}" }
  }

  private var ownVariable: String { prefix + "LINE" }
}

extension StatusLine.Content {
  /// - Parameter depth: the colours that every client can show.
  init(_ frame: BannerFrame, on depth: ColorDepth) {
    let appearance = frame.appearance.adapted(to: depth)
    self.init(appearance, on: depth)
    detail = frame.detail
    // Not `dim`: terminals fade dim text until it cannot be read (2.8:1 for white on red). In a palette the nearest legible colour looks
    // like the title's, and would cost eleven bytes per client and frame.
    if depth == .truecolor { detailStyle = "#[fg=\(appearance.dimmedTextColor(on: depth).tmuxName(on: depth))]" }
  }

  /// A status line has no room for the toast's own rows. It shows the toast's title and message.
  init(_ frame: ToastFrame, on depth: ColorDepth) {
    self.init(frame.appearance.adapted(to: depth), on: depth)
    detail = frame.content.message ?? ""
    if !detail.isEmpty { text += " · " + TmuxText.forUserFormats(detail) }
  }

  private init(_ appearance: BannerAppearance, on depth: ColorDepth) {
    icon = appearance.icon
    title = appearance.title
    titleStyle = Self.style(appearance.attributes)
    text = TmuxText.forUserFormats((icon.map { "\($0.glyph) " } ?? "") + title)
    background = appearance.backgroundColor.tmuxName(on: depth)
    foreground = appearance.textColor.tmuxName(on: depth)
  }

  private static func style(_ attributes: TextAttributes) -> String {
    var names: [String] = []
    if attributes.contains(.bold) { names.append("bold") }
    if attributes.contains(.italic) { names.append("italics") }
    if attributes.contains(.underline) { names.append("underscore") }
    return names.isEmpty ? "" : "#[\(names.joined(separator: ","))]"
  }
}
