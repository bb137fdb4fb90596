/// A terminal whose profile can start `overline run`: a window in this terminal only.
package enum SetupTerminal: CaseIterable, Sendable {
  case alacritty
  case kitty
  case foot
  case gnomeTerminal
  case konsole
  case xterm

  /// `overline -V` starts the program first: if it does not run, the terminal starts the shell.
  private static func command(_ program: String) -> String { "sh -c '\(script(program))'" }

  private static func script(_ program: String) -> String {
    "\(program) -V >/dev/null && exec \(program) run; exec $SHELL"
  }

  package var name: String {
    switch self {
    case .alacritty: "Alacritty"
    case .kitty: "kitty"
    case .foot: "foot"
    case .gnomeTerminal: "GNOME Terminal"
    case .konsole: "Konsole"
    case .xterm: "xterm"
    }
  }

  /// The file or the dialog of the setting.
  package var place: String {
    switch self {
    case .alacritty: "~/.config/alacritty/alacritty.toml, section [terminal]"
    case .kitty: "~/.config/kitty/kitty.conf"
    case .foot: "~/.config/foot/foot.ini, section [main]"
    case .gnomeTerminal: "Preferences, the profile, Command, a custom command"
    case .konsole: "Settings, Edit Current Profile, General, Command"
    case .xterm: "the command line"
    }
  }

  /// The setting.
  ///
  /// - Parameter program: as a shell reads it, without quotes. Terminals do not know the `PATH` of a shell's startup file.
  package func setting(_ program: String) -> String {
    switch self {
    case .alacritty:
      #"shell = { program = "sh", args = ["-c", "\#(Self.script(program))"] }"#
    case .kitty: "shell \(Self.command(program))"
    case .foot: "shell=\(Self.command(program))"
    case .gnomeTerminal, .konsole: Self.command(program)
    case .xterm: "xterm -e \(Self.command(program))"
    }
  }

  /// The terminal that this environment names; nil for any other.
  package init?(environment: (String) -> String?) {
    if environment("KITTY_WINDOW_ID") != nil {
      self = .kitty
    } else if environment("ALACRITTY_WINDOW_ID") != nil {
      self = .alacritty
    } else if environment("GNOME_TERMINAL_SCREEN") != nil {
      self = .gnomeTerminal
    } else if environment("KONSOLE_VERSION") != nil {
      self = .konsole
    } else if environment("TERM")?.hasPrefix("foot") == true {
      self = .foot
    } else if environment("XTERM_VERSION") != nil {
      self = .xterm
    } else {
      return nil
    }
  }
}
