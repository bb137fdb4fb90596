/// Checks of the monitor and of the folders that it writes in.
package enum MonitorChecks {
  /// A monitor that answered.
  package struct Answer {
    package var state: ObserverState
    package var pid: Int32?
    /// The version that the monitor's program prints; nil if that program cannot be run.
    package var version: String?

    package init(state: ObserverState, pid: Int32?, version: String?) {
      self.state = state
      self.pid = pid
      self.version = version
    }
  }

  /// - Parameter state: the text of the finding, or an error.
  package static func directory(_ state: Result<String, any Error>) -> Finding {
    switch state {
    case .success(let text): .ok("directory", text)
    case .failure(let error): .problem("directory", error)
    }
  }

  /// - Parameters:
  ///   - file: the path of the history.
  ///   - fault: why the monitor cannot write it; nil if it can.
  package static func history(file: String, fault: WriteFault?) -> Finding {
    guard let fault else { return .ok("history", "outages are recorded in \(file)") }
    let text = "outages are not recorded: \(fault.text)"
    return switch fault.cause {
    case .foreign(let part, let remedy): .note("history", "\(text): \(part)", remedy)
    case .noSpace: .note("history", text, "free some space there")
    case .noFolder, .denied, .other:
      .note("history", text, "make it writable for you, or set XDG_STATE_HOME to another directory")
    }
  }

  /// - Parameter value: a relative path.
  package static func ignored(_ variable: String, _ value: String) -> Finding {
    .note(
      "environment", "\(variable) (\(value)) is not an absolute path, so it is ignored",
      "set it to an absolute path, or remove it: unset \(variable)")
  }

  /// - Parameters:
  ///   - answer: nil if no monitor listens.
  ///   - isAdvised: whether an error's text ends with advice.
  ///   - version: that of this program.
  package static func monitor(_ answer: Result<Answer?, any Error>, isAdvised: Bool, version: String) -> Finding {
    switch answer {
    case .failure(let error):
      if isAdvised { return .problem("monitor", error) }
      return .problem("monitor", "\(error)", "end it, and start it again: overline monitor")
    case .success(nil):
      return .note(
        "monitor", "none runs (status, wait, path and run work without)", "start one with: overline monitor")
    case .success(let answer?):
      let name = answer.pid.map { "process \($0)" } ?? "one"
      if let other = answer.version, other != version {
        return .note("monitor", "\(name) answers, and is \(other), while this is \(version)", "start it again")
      }
      return .ok("monitor", "\(name) answers: \(ObserverFormat.text.string(answer.state))")
    }
  }

  /// - Parameters:
  ///   - unit: the path of the installed unit.
  ///   - isActive: the answer of `systemctl --user is-active`; nil without a user service manager.
  package static func service(unit: String?, isActive: Bool?) -> Finding {
    guard let isActive else {
      return .note("systemd", "no systemd user session found", "run instead: overline monitor")
    }
    guard let unit else {
      return .note("systemd", "overline.service is not installed", "make install, or the Debian package, installs it")
    }
    if isActive { return .ok("systemd", "overline.service is active (\(unit))") }
    return .note(
      "systemd", "overline.service is installed (\(unit)) and not active",
      "to have it with every session: systemctl --user enable --now overline.service")
  }

  package static func configuration(path: String?, warnings: [String]) -> [Finding] {
    let text = path.map { "\($0) is good" } ?? "no file: defaults"
    return warnings.isEmpty
      ? [.ok("configuration", text)] : warnings.map { .note("configuration", $0, "the file is used as it is") }
  }
}
