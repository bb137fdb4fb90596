internal import OverlineSystem

/// The login shell without its startup files, for a `run` that makes no window: a startup file that contains `exec overline run` would
/// start the shell that reads it, forever.
enum PlainShell {
  /// Set in a shell that a `run` without a window has started, so that a second `run` finds it.
  static let variable = "OVERLINE_SHELL"

  /// The command that starts `shell`.
  static func command(_ shell: String) -> [PlatformString] {
    ([shell] + options(of: shell.split(separator: "/").last ?? "")).map { PlatformString($0) }
  }

  /// `ENV` names the startup file of sh(1), which has no option to skip it.
  static let startupVariables = ["ENV"]

  private static func options(of name: Substring) -> [String] {
    switch name {
    case "bash": ["--norc"]
    case "zsh", "csh", "tcsh": ["-f"]
    case "fish": ["--no-config"]
    case "nu": ["--no-config-file"]
    case "elvish": ["-norc"]
    case "xonsh": ["--no-rc"]
    default: []
    }
  }
}
