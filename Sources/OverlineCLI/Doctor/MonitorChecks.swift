internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

/// Checks of the monitor and of the folders that it writes in.
enum MonitorChecks {
  /// A monitor that answered.
  struct Answer {
    var state: ObserverState
    var pid: Int32?
    /// The version that the monitor's program prints; nil if that program cannot be run.
    var version: String?
  }

  /// - Parameter state: the text of the finding, or an error.
  static func directory(_ state: Result<String, any Error>) -> Finding {
    switch state {
    case .success(let text): .ok("directory", text)
    case .failure(let error): .problem("directory", error)
    }
  }

  /// - Parameter writing: success if the monitor can write the file, or the error.
  static func history(_ place: HistoryPlace, writing: Result<Void, SystemError>) -> Finding {
    switch writing {
    case .success: return .ok("history", "outages are recorded in \(place.file)")
    case .failure(let error):
      if let part = place.foreignPart(for: error) {
        return .note("history", "outages are not recorded: \(error): \(part.fault)", part.remedy)
      }
      return .note(
        "history", "outages are not recorded: \(error)",
        error.isNoSpace
          ? "free some space there" : "make it writable for you, or set XDG_STATE_HOME to another directory")
    }
  }

  /// - Parameter value: a relative path.
  static func ignored(_ variable: String, _ value: String) -> Finding {
    .note(
      "environment", "\(variable) (\(value)) is not an absolute path, so it is ignored",
      "set it to an absolute path, or remove it: unset \(variable)")
  }

  /// - Parameter answer: nil if no monitor listens.
  static func monitor(_ answer: Result<Answer?, any Error>, version: String) -> Finding {
    switch answer {
    case .failure(let error as ObserverSocketError) where error.code == .cannotWrite: return .problem("monitor", error)
    case .failure(let error):
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
  static func service(unit: String?, isActive: Bool?) -> Finding {
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

  static func configuration(path: String?, warnings: [String]) -> [Finding] {
    let text = path.map { "\($0) is good" } ?? "no file: defaults"
    return warnings.isEmpty
      ? [.ok("configuration", text)] : warnings.map { .note("configuration", $0, "the file is used as it is") }
  }
}
