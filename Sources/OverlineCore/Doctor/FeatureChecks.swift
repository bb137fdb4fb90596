/// Checks of the features that the configuration turns on.
package enum FeatureChecks {
  /// - Parameters:
  ///   - file: the value of `textfile`.
  ///   - folder: its folder.
  ///   - fault: why the monitor cannot replace the file; nil if it can.
  ///   - quoted: quotes a path for a shell.
  package static func metrics(
    file: String, folder: String, fault: WriteFault?, quoted: (String) -> String
  ) -> Finding {
    guard let fault else { return .ok("metrics", "the figures are written to \(file)") }
    let text = "the figures are not written: \(fault.text)"
    func make(_ folder: String) -> String { "sudo install -d -o \"$USER\" \(quoted(folder))" }
    return switch fault.cause {
    case .noSpace: .problem("metrics", text, "free some space there")
    case .noFolder: .problem("metrics", text, "make the folder: \(make(folder))")
    case .foreign(let part, let remedy): .problem("metrics", "\(text): \(part)", remedy)
    case .denied:
      // Programs of root may write in the exporter's own folder. A user who could write there too could lead them to other files.
      .problem(
        "metrics", text,
        "make a folder of yours, \(make("\(folder)-overline")), and name a file in it in [metrics] textfile (the guide's page on Prometheus)"
      )
    case .other: .problem("metrics", text, "name another file in [metrics] textfile")
    }
  }

  /// - Parameters:
  ///   - host: the server's name.
  ///   - curl: the path of the program; nil if the monitor finds none.
  package static func check(host: String, curl: String?) -> Finding {
    if let curl { return .ok("check", "\(curl) asks \(host)") }
    return .problem(
      "check", "\(host) is never asked: the monitor finds no curl in its PATH",
      "install it (Debian: sudo apt install curl), or remove the server from [check]")
  }

  /// - Parameters:
  ///   - reserve: a value other than the default.
  ///   - version: the output of `tmux -V`; nil if tmux is not installed.
  package static func tmux(reserve: TmuxReserve, version: String?) -> Finding? {
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
  package enum HookFault {
    /// `sh` cannot read the line: its message.
    case syntax(String)
    case missing(String)
    /// - Parameter elsewhere: the path of a program of that name in the user's own PATH.
    case notInPath(String, elsewhere: String?)
    case notExecutable(String, quoted: String)
    /// A script whose first line names a program that does not exist.
    case noInterpreter(String, script: String)
    /// A program that changes the user, in a service that forbids that.
    case noPrivileges(String)
    /// `on-target` without a target.
    case noTargets
  }

  package static func hook(_ hook: Hook, _ fault: HookFault) -> Finding {
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
    case .notExecutable(let path, let quoted):
      problem("\(path) is not an executable file", "run: chmod +x \(quoted)")
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
  package static func ignored(_ interface: String) -> Finding {
    .note(
      "path", "offline, since [path] ignore covers \(interface), which leads to the internet",
      "remove it from [path] ignore if it should count")
  }
}
