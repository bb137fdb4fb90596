/// A status bar with a snippet among the installed files.
package enum SetupBar: String, CaseIterable, Sendable {
  case waybar
  case i3statusRust = "i3status-rs"
  case i3blocks
  case polybar
  case i3bar

  /// The program that a machine with this bar has.
  package var program: String { rawValue }

  /// The file below `share/overline`.
  package var snippet: String {
    switch self {
    case .waybar: "bar/waybar.jsonc"
    case .i3statusRust: "bar/i3status-rs.toml"
    case .i3blocks: "bar/i3blocks.conf"
    case .polybar: "bar/polybar.ini"
    case .i3bar: "bar/i3bar.conf"
    }
  }

  /// The file that the snippet belongs to, below the home directory.
  package var file: String {
    switch self {
    case .waybar: ".config/waybar/config.jsonc"
    case .i3statusRust: ".config/i3status-rust/config.toml"
    case .i3blocks: ".config/i3blocks/config"
    case .polybar: ".config/polybar/config.ini"
    case .i3bar: ".config/i3/config"
    }
  }

  /// What else the file needs.
  var addition: String {
    switch self {
    case .waybar: ", and \"custom/overline\" into one of its lists of modules"
    case .polybar: ", and \"overline\" into one of its lists of modules"
    case .i3statusRust, .i3blocks, .i3bar: ""
    }
  }
}
