internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The shell of a `run` without a program.
///
/// If a `run` makes no window and a startup file runs `overline run` again, the second shell starts without its startup files: with them, it
/// would start the same shell again, for ever.
struct LoginShell {
  /// The absolute path of a shell that was named.
  private let named: String?
  /// Whether it reads the files of a login, such as `~/.profile`. A shell without an option for this does not.
  let isLogin: Bool

  /// - Parameter name: nil for the user's own shell. It also takes the place of one that cannot be executed, so that no user is locked out.
  init(_ name: String?, isLogin: Bool) {
    named = name.flatMap { $0.hasPrefix("/") && Files.isExecutable($0) ? $0 : nil }
    self.isLogin = isLogin
    if let name, named == nil { Output.warn("--shell \(name): not the whole path of a program; starting \(path)") }
  }

  /// Whether it was named: by a startup file that the shell itself has read.
  var isNamed: Bool { named != nil }

  /// Its absolute path. Asks the user database, which a `run` with a program must not wait for.
  var path: String { named ?? ProcessEnvironment.loginShell }

  /// A `run` without a window sets this variable in its shell, so that a second `run` detects the first.
  static let variable = "OVERLINE_SHELL"

  /// The value of ``variable`` if the first `run` could make no window. If the user asked for none, the value is
  /// ``PassthroughReason/declined``.
  static let noWindow = "1"

  /// The end of the value of ``variable`` in a shell without its startup files. If such a shell runs `overline run` all the same, or is
  /// itself a script that does, only sh(1) is left.
  static let plainMark = "-plain"

  /// Whether a `run` has started a shell without its startup files before.
  private static var hasBeenPlain: Bool { ProcessEnvironment[variable]?.hasSuffix(plainMark) ?? false }

  /// Whether this variable only shows that an earlier `run` made no window. The terminal may have room for one now. A user's own `none` stays.
  static func isDeclined(_ name: String) -> Bool {
    name == PassthroughReason.windowVariable && ProcessEnvironment[name] == PassthroughReason.declined
      && ProcessEnvironment[variable]?.hasPrefix(noWindow) == true
  }

  /// The command that starts it.
  var command: [PlatformString] {
    let path = path
    return ([path] + (isLogin && Self.takesLogin.contains(Self.name(path)) ? ["-l"] : [])).map { PlatformString($0) }
  }

  private static let takesLogin: [Substring] = [
    "bash", "zsh", "fish", "sh", "dash", "ksh", "mksh", "csh", "tcsh", "nu", "xonsh",
  ]

  /// The command that starts it without its startup files.
  var plain: [PlatformString] {
    let path = Self.hasBeenPlain ? "/bin/sh" : path
    return ([path] + Self.options(of: Self.name(path))).map { PlatformString($0) }
  }

  private static func name(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }

  /// `ENV` names the startup file of sh(1), ksh(1) and mksh(1), which have no option to skip it. Without the variable the last two read a file
  /// in the home directory.
  static let noStartupFile = (name: "ENV", value: "/dev/null")

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
