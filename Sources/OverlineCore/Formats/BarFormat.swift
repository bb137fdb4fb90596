internal import NetworkPath
internal import Overline

/// Formats for status bars: the banner's title and colours while it is on screen, and nothing otherwise. So a loss that ends within the
/// grace delay does not make a bar blink.
///
/// Titles may contain any text. Characters that a bar would treat as markup are escaped, so that they show as text.
extension ObserverState {
  /// waybar-custom(5), `"return-type": "json"`: one object per line. Text and tooltip are Pango markup unless the module escapes them.
  var waybar: String {
    var writer = JSONWriter()
    writer.open("{")
    writer.field("text", title.markupEscaped)
    writer.field("alt", state.rawValue)
    writer.field("tooltip", tooltip.markupEscaped)
    writer.key("class")
    writer.open("[")
    writer.string(state.rawValue)
    if paused != nil { writer.string("paused") }
    if let poorQuality { writer.string(poorQuality.level) }
    writer.close("]")
    writer.field("percentage", percentage)
    writer.close("}")
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The state, and the VPNs that it does not name.
  private var tooltip: String {
    let others = path.vpns.filter { $0.use != NWPath.Tunnel.Use.carries.rawValue }.map(\.explanation)
    return TerminalText.sanitized(([sentence] + others).joined(separator: "; "))
  }

  /// The value for `format-icons`, from worst to best.
  private var percentage: Int {
    switch state {
    case .offline: 0
    case .limited, .unknown: 50
    case .online, .restored: 100
    }
  }

  /// i3status-rs, block `custom` with `json = true`: one object per line. The block's default format shows the text as Pango markup.
  var i3statusRust: String {
    var writer = JSONWriter()
    writer.open("{")
    // Icon names differ between i3status-rs's icon sets, and an unknown name is an error. So use no icon.
    writer.field("icon", "")
    writer.field("state", i3statusRustState)
    writer.field("text", title.markupEscaped)
    writer.field("short_text", showsBanner ? state.rawValue : title)
    writer.close("}")
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The colour of the block. A block that is shown without a text must not blink during the grace delay.
  private var i3statusRustState: String {
    if !showsBanner { return poorQuality == nil ? "Idle" : "Warning" }
    return switch state {
    case .offline: "Critical"
    case .limited: "Warning"
    case .restored: "Good"
    case .online, .unknown: "Idle"
    }
  }

  /// The protocol of i3bar and swaybar (swaybar-protocol(7)): one array of blocks per line, with a comma after each array. Text needs no
  /// escapes, since `markup` is not set.
  var i3bar: String {
    if title.isEmpty { return "[]," }
    var writer = JSONWriter()
    writer.open("{")
    writer.field("full_text", title)
    writer.field("short_text", showsBanner ? state.rawValue : title)
    if let color = banner.text, let background = banner.background {
      writer.field("color", color)
      writer.field("background", background)
    }
    writer.field("urgent", state == .offline && showsBanner)
    writer.close("}")
    return "[" + String(decoding: writer.bytes, as: UTF8.self) + "],"
  }

  /// i3blocks with `format=json`: a block of i3bar's protocol per line. Its parser ends a string at any quote, even an escaped one. Up to
  /// 1.4 it ignores backgrounds, so white text could show on a white bar. Both colours work in markup.
  var i3blocks: String {
    let text = markupForI3blocks
    var writer = JSONWriter()
    writer.open("{")
    if !text.isEmpty, let background = banner.background, let color = banner.text {
      writer.field("full_text", "<span background='\(background)' foreground='\(color)'> \(text) </span>")
      writer.field("short_text", state.rawValue)
      writer.field("markup", "pango")
    } else {
      writer.field("full_text", text)
    }
    writer.close("}")
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The title, cut to i3blocks' limit: up to 1.4 it keeps 1023 bytes of a text, and markup without its end is invalid.
  private var markupForI3blocks: String {
    var markup = ""
    for character in title {
      let escaped = character == "\\" ? "\u{ff3c}" : String(character).markupEscaped
      if markup.utf8.count + escaped.utf8.count > 900 { return markup + "\u{2026}" }
      markup += escaped
    }
    return markup
  }

  /// polybar, module `custom/script`. A tag starts with `%{`, and polybar has no escape for it.
  var polybar: String {
    if title.isEmpty { return "" }
    let text = title.replacing("%{", with: "\u{ff05}{")
    guard let background = banner.background, let color = banner.text else { return text }
    return "%{B\(background)}%{F\(color)} \(text) %{F-}%{B-}"
  }

  /// For `#(overline status --format tmux)` in a tmux format. tmux expands the output once more.
  var tmux: String {
    if title.isEmpty { return "" }
    let text = TmuxText.forUserFormats(title)
    guard let background = banner.background, let color = banner.text else { return text }
    return "#[bg=\(background),fg=\(color)] \(text) #[default]"
  }

  /// False while an icon stands in for the banner.
  private var showsBanner: Bool { banner.background != nil }

  /// The banner's title; empty when nothing is on screen.
  var title: String { TerminalText.sanitized(banner.title ?? "") }
}

extension String {
  /// Text escaped for HTML and for Pango's markup: both read the five entities of XML.
  package var markupEscaped: String {
    var result = ""
    for character in unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
