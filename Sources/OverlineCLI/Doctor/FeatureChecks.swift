internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

/// Checks of the features that the configuration turns on.
enum FeatureChecks {
  /// - Parameters:
  ///   - file: the value of `textfile`.
  ///   - writing: success if the monitor can replace the file, or the error.
  static func metrics(file: String, writing: Result<Void, SystemError>) -> Finding {
    guard case .failure(let error) = writing else { return .ok("metrics", "the figures are written to \(file)") }
    let folder = Files.folder(of: file)
    let text = "the figures are not written: \(error)"
    let make = { (folder: String) in "sudo install -d -o \"$USER\" \(Files.quoted(folder))" }
    if error.isNoSpace { return .problem("metrics", text, "free some space there") }
    if error.isNoSuchFile { return .problem("metrics", text, "make the folder: \(make(folder))") }
    if error.isPermissionDenied {
      if let part = Files.foreignPart(of: file) { return .problem("metrics", "\(text): \(part.fault)", part.remedy) }
      // Programs of root may write in the exporter's own folder. A user who could write there too could lead them to other files.
      return .problem(
        "metrics", text,
        "make a folder of yours, \(make("\(folder)-overline")), and name a file in it in [metrics] textfile (the guide's page on Prometheus)"
      )
    }
    return .problem("metrics", text, "name another file in [metrics] textfile")
  }

  /// - Parameters:
  ///   - host: the server's name.
  ///   - curl: the path of the program; nil if the monitor finds none.
  static func check(host: String, curl: String?) -> Finding {
    if let curl { return .ok("check", "\(curl) asks \(host)") }
    return .problem(
      "check", "\(host) is never asked: the monitor finds no curl in its PATH",
      "install it (Debian: sudo apt install curl), or remove the server from [check]")
  }

  /// - Parameters:
  ///   - reserve: a value other than the default.
  ///   - version: the output of `tmux -V`; nil if tmux is not installed.
  static func tmux(reserve: TmuxReserve, version: String?) -> Finding? {
    let fault: String
    if let version {
      guard TmuxVersion(version.replacing("tmux ", with: ""))?.isSupported == false else { return nil }
      fault = "\(version) is too old"
    } else {
      fault = "tmux is not installed"
    }
    return .problem(
      "tmux", "[tmux] reserve = \"\(reserve.rawValue)\" cannot work: \(fault)",
      "install tmux 3.2 or later (Debian: sudo apt install tmux), or remove the key")
  }

  /// A command that cannot work.
  enum HookFault {
    /// `sh` cannot read the line: its message.
    case syntax(String)
    case missing(String)
    /// - Parameter elsewhere: the path of a program of that name in the user's own PATH.
    case notInPath(String, elsewhere: String?)
    case notExecutable(String)
    /// A script whose first line names a program that does not exist.
    case noInterpreter(String, script: String)
    /// A program that changes the user, in a service that forbids that.
    case noPrivileges(String)
    /// `on-target` without a target.
    case noTargets
  }

  static func hook(_ hook: Hook, _ fault: HookFault) -> Finding {
    let name = hook.rawValue
    let correct = "correct [hooks] \(name)"
    let problem = { (text: String, remedy: String) in Finding.problem("hooks", "\(name) cannot work: \(text)", remedy) }
    return switch fault {
    case .syntax(let message): problem(message, correct)
    case .missing(let path): problem("\(path) does not exist", correct)
    case .notInPath(let program, nil):
      problem("the monitor finds no \(program) in its PATH", "install it, or write its whole path in [hooks] \(name)")
    case .notInPath(let program, let path?):
      problem("the monitor finds no \(program) in its PATH", "write its whole path in [hooks] \(name): \(path)")
    case .notExecutable(let path):
      problem("\(path) is not an executable file", "run: chmod +x \(Files.quoted(path))")
    case .noInterpreter(let program, let script):
      problem(
        "\(script) needs \(program), which does not exist", "correct the script's first line, or install \(program)")
    case .noPrivileges(let program):
      problem(
        "\(program) gets no privileges from the monitor, whose service sets NoNewPrivileges=",
        "remove it from [hooks] \(name), or run the monitor outside of the service: overline monitor")
    case .noTargets:
      problem("[path] targets names no network", "name one: targets = { office = \"10.20.0.0/16\" }")
    }
  }

  /// - Parameter interface: one that leads to the internet, and that the configuration ignores.
  static func ignored(_ interface: String) -> Finding {
    .note(
      "path", "offline, since [path] ignore covers \(interface), which leads to the internet",
      "remove it from [path] ignore if it should count")
  }
}
