internal import OverlineCore
internal import OverlineSystem

/// The user's shell, for a `run` without a program.
///
/// If a `run` makes no window and a startup file runs `overline run` again, the second shell starts without its startup files: with them, it
/// would start the same shell again, for ever.
enum LoginShell {
  /// A `run` without a window sets this variable in its shell, so that a second `run` detects the first.
  static let variable = "OVERLINE_SHELL"

  /// The value of ``variable`` if the first `run` could make no window. If the user asked for none, the value is
  /// ``PassthroughReason/declined``.
  static let noWindow = "1"

  /// Whether this variable only shows that an earlier `run` made no window. The terminal may have room for one now. A user's own `none` stays.
  static func isDeclined(_ name: String) -> Bool {
    name == PassthroughReason.windowVariable && ProcessEnvironment[name] == PassthroughReason.declined
      && ProcessEnvironment[variable] == noWindow
  }

  /// The command that starts `shell`.
  ///
  /// - Parameter isLogin: whether `shell` reads the files of a login, such as `~/.profile`. A shell without an option for this does not.
  static func command(_ shell: String, isLogin: Bool) -> [PlatformString] {
    guard isLogin, let name = shell.split(separator: "/").last, takesLogin.contains(name) else {
      return [PlatformString(shell)]
    }
    return [PlatformString(shell), "-l"]
  }

  private static let takesLogin: [Substring] = [
    "bash", "zsh", "fish", "sh", "dash", "ksh", "mksh", "csh", "tcsh", "nu", "xonsh",
  ]

  /// The command that starts `shell` without its startup files.
  static func plain(_ shell: String) -> [PlatformString] {
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
