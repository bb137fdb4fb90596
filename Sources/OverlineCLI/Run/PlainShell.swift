internal import OverlineSystem

/// The login shell without its startup files, for a `run` that makes no window: a startup file with `exec overline run` in it would start
/// the shell that reads it, for ever.
enum PlainShell {
  /// Set for a shell that a `run` without a window has started: a second one finds it.
  static let variable = "OVERLINE_SHELL"

  /// The command that starts `shell`.
  static func command(_ shell: String) -> [PlatformString] {
    ([shell] + options(of: shell.split(separator: "/").last ?? "")).map { PlatformString($0) }
  }

  /// `ENV` names the startup file of sh(1), which has no option against it.
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
