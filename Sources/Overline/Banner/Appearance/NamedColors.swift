/// Colours by the names of UIKit. A window changes text that would be unreadable on its background.
extension TerminalColor {
  private init(_ hexadecimal: UInt32) {
    self = .rgb(
      RGB(
        UInt8(truncatingIfNeeded: hexadecimal >> 16), UInt8(truncatingIfNeeded: hexadecimal >> 8),
        UInt8(truncatingIfNeeded: hexadecimal)))
  }

  // The values of UIKit's colours of these names.
  /// `#000000`
  public static let black = TerminalColor(0x00_0000)
  /// `#555555`
  public static let darkGray = TerminalColor(0x55_5555)
  /// `#808080`
  public static let gray = TerminalColor(0x80_8080)
  /// `#aaaaaa`
  public static let lightGray = TerminalColor(0xaa_aaaa)
  /// `#ffffff`
  public static let white = TerminalColor(0xff_ffff)
  /// `#ff0000`. The terminal's own red is `.ansi(.red)`.
  public static let red = TerminalColor(0xff_0000)
  /// `#00ff00`
  public static let green = TerminalColor(0x00_ff00)
  /// `#0000ff`
  public static let blue = TerminalColor(0x00_00ff)
  /// `#00ffff`
  public static let cyan = TerminalColor(0x00_ffff)
  /// `#ffff00`
  public static let yellow = TerminalColor(0xff_ff00)
  /// `#ff00ff`
  public static let magenta = TerminalColor(0xff_00ff)
  /// `#ff8000`
  public static let orange = TerminalColor(0xff_8000)
  /// `#800080`
  public static let purple = TerminalColor(0x80_0080)
  /// `#996633`
  public static let brown = TerminalColor(0x99_6633)

  // Backgrounds for white text, each with a contrast of at least 4.5:1. So they are darker than UIKit's.
  /// `#b3261e`
  public static let systemRed = TerminalColor(0xb3_261e)
  /// `#bf360c`
  public static let systemOrange = TerminalColor(0xbf_360c)
  /// `#2e7d32`
  public static let systemGreen = TerminalColor(0x2e_7d32)
  /// `#00695c`
  public static let systemTeal = TerminalColor(0x00_695c)
  /// `#1565c0`
  public static let systemBlue = TerminalColor(0x15_65c0)
  /// `#3949ab`
  public static let systemIndigo = TerminalColor(0x39_49ab)
  /// `#7b1fa2`
  public static let systemPurple = TerminalColor(0x7b_1fa2)
  /// `#ad1457`
  public static let systemPink = TerminalColor(0xad_1457)
  /// `#5d4037`
  public static let systemBrown = TerminalColor(0x5d_4037)
  /// `#454f54`
  public static let systemGray = TerminalColor(0x45_4f54)

  // For black text.
  /// `#f9c72c`
  public static let systemYellow = TerminalColor(0xf9_c72c)
}
