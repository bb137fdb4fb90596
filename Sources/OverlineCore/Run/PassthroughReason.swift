package import Overline

/// The reason why a program runs better without a window around it.
package enum PassthroughReason: Equatable, Sendable, CustomStringConvertible {
  /// tmux shows the banner in a status line.
  case insideTmux
  case insideWindow
  /// `OVERLINE_WINDOW=none`
  case notWanted
  case noTerminal
  case dumbTerminal
  case tooLow(rows: Int)

  /// Environment variables of a program in a window. The first holds the path of the window's socket, the second the window's pid. A window
  /// without a socket sets only the second.
  package static let socketVariable = "OVERLINE_SOCKET"
  package static let windowVariable = "OVERLINE_WINDOW"
  /// The value of ``windowVariable`` by which a user, or an earlier `overline run`, asks for no window.
  package static let declined = "none"

  /// The first reason that applies, or nil.
  ///
  /// - Parameters:
  ///   - environment: returns the value of a variable, nil when it is unset or empty.
  ///   - isOneTerminal: whether standard input and output are the same terminal.
  ///   - size: the terminal's size.
  ///   - banner: the banner that must have room.
  ///   - isWindowsTerminal: whether the terminal is that of a window. Programs such as su(1) drop its variables.
  package init?(
    environment: (String) -> String?, isOneTerminal: Bool, size: TerminalSize?, banner: BannerAppearance,
    isWindowsTerminal: @autoclosure () -> Bool
  ) {
    let rows = size?.rows ?? 0
    if environment("TMUX") != nil {
      self = .insideTmux
    } else if environment(Self.socketVariable) == nil, environment(Self.windowVariable) == Self.declined {
      self = .notWanted
    } else if environment(Self.socketVariable) != nil || environment(Self.windowVariable) != nil {
      self = .insideWindow
    } else if !isOneTerminal {
      self = .noTerminal
    } else if environment("TERM") ?? "dumb" == "dumb" {
      self = .dumbTerminal
    } else if isWindowsTerminal() {
      self = .insideWindow
    } else if rows < 1 || banner.effective(rows: rows, columns: size?.columns) == nil {
      self = .tooLow(rows: rows)
    } else {
      return nil
    }
  }

  /// The text that follows "no window: ".
  package var description: String {
    switch self {
    case .insideTmux: "inside tmux, whose status lines show the banner (overline tmux attach)"
    case .insideWindow: "inside another overline run, which shows the banner"
    case .notWanted: "\(Self.windowVariable) is \(Self.declined) (for a window, unset it)"
    case .noTerminal: "standard input and output are not the same terminal"
    case .dumbTerminal: "TERM is dumb or empty: this terminal has no way to move the cursor"
    case .tooLow(let rows):
      "the terminal has \(rows) rows, too few for a banner and something below it (for a window, make it higher first)"
    }
  }
}
