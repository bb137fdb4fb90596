package import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The state in a file that a shell sources, for prompts that must not start a process.
///
/// The file identifies the monitor by pid and start time. A reader finds in `/proc` whether that monitor still runs, without a clock or a
/// heartbeat.
package struct StateFile: Sendable {
  package let path: String
  private let monitor: MonitorIdentity

  /// The state file of this process, at ``RuntimeDirectory/state``. Writes nothing yet.
  package init(path: String) {
    self.path = path
    let pid = ProcessEnvironment.processID
    monitor = MonitorIdentity(pid: pid, start: ProcessEnvironment.startTime(of: pid) ?? 0)
  }

  /// Replaces the file: a reader sees the old or the new state, never a part of one. After an error the file is removed, since an old state
  /// is worse than none. The monitor can continue.
  package func write(_ state: ObserverState) throws(ObserverSocketError) {
    do {
      try replace(with: Array(EnvironmentFormat.stateFile(state, monitor: monitor).utf8))
    } catch {
      let remedy =
        if error.isNoSpace {
          "free some space there; until then prompts do not see the network"
        } else if error.isReadOnly || error.isPermissionDenied {
          "make its directory writable for you; until then prompts do not see the network"
        } else {
          "prompts do not see the network"
        }
      throw ObserverSocketError(error, code: .cannotWrite, remedy: remedy)
    }
  }

  private func replace(with bytes: [UInt8]) throws(SystemError) {
    do {
      try Files.replace(path, with: bytes)
    } catch {
      try? Files.remove(path)
      // On a full disk the old file's space is enough for the new one. Without this second attempt, every other write would fail and be
      // reported.
      guard error.isNoSpace else { throw error }
      try Files.replace(path, with: bytes)
    }
  }

  /// Removes the file, unless another running monitor has written it.
  package func remove() {
    if let contents = Self.read(path), contents.monitor != monitor { return }
    try? Files.remove(path)
  }

  /// The content of a state file whose monitor still runs.
  package struct Contents: Equatable, Sendable {
    /// By name, `OVERLINE_STATE` and the others.
    package let variables: [String: String]
    package let monitor: MonitorIdentity

    package var state: ObserverState.State {
      variables["OVERLINE_STATE"].flatMap { ObserverState.State(rawValue: $0) } ?? .unknown
    }
  }

  /// Nil if there is no file, if it is not a state file, or if its monitor has ended (the pid is free, or belongs to a process with another
  /// start time).
  package static func read(_ path: String) -> Contents? {
    guard let bytes = try? Files.read(path, limit: 1 << 16),
      let variables = EnvironmentFormat.parse(String(decoding: bytes, as: UTF8.self)),
      let pid = variables["OVERLINE_MONITOR_PID"].flatMap({ Int32($0) }), pid > 0,
      let start = variables["OVERLINE_MONITOR_START"].flatMap({ UInt64($0) }),
      ProcessEnvironment.startTime(of: pid) == start
    else { return nil }
    return Contents(variables: variables, monitor: MonitorIdentity(pid: pid, start: start))
  }
}
