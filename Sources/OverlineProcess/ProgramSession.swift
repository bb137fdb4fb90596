internal import COverline
package import OverlineSystem

/// A program on its own pseudoterminal, in its own session.
///
/// A helper leads the session, and the program is the foreground process group below it. If the program led the session itself, Ctrl-Z
/// could not stop it: the kernel does not stop an orphaned process group. The helper is a fork of this process that only waits. When this
/// process ends in any way, the helper sends the program `SIGHUP`, and `SIGKILL` five seconds later.
package final class ProgramSession: Sendable {
  /// A change of the program's state.
  package enum Report: Equatable, Sendable {
    case stopped
    case continued
    case exited(Int32)
    case killed(signal: Int32)
    /// The helper ended without a report.
    case lost
  }

  /// The reason why a program was not started.
  package enum StartError: Error, Equatable, Sendable {
    /// execve(2) of the program failed.
    case program(PlatformString, SystemError)
    /// A pseudoterminal, process or descriptor was not available.
    case session(SystemError)
  }

  /// The helper's name in ps(1).
  package static let leaderName = "overline-leader"

  /// The program's process group.
  package let program: Int32
  package let helper: Int32
  private let master: FileDescriptor
  private let reports: FileDescriptor

  /// Starts a program. Returns after its execve(2).
  ///
  /// - Parameters:
  ///   - arguments: the first is looked up in `PATH`.
  ///   - environment: all variables as `NAME=value` strings.
  ///   - standardError: nil for the pseudoterminal.
  ///   - modes: the attributes of the pseudoterminal (termios(3)).
  ///   - signals: blocked here, but not in the program.
  package init(
    _ arguments: [PlatformString], environment: [PlatformString], standardError: Int32?, modes: TerminalAttributes,
    size: WindowSize,
    signals: borrowing TakenSignals
  ) throws(StartError) {
    var raw: Int32 = -1
    var other: Int32 = -1
    try Self.session { () throws(SystemError) in
      _ = try checkedNegative("open a pseudoterminal") { unsafe csystem_open_pseudoterminal(&raw, &other) }
    }
    let master = FileDescriptor(owning: raw)
    let slave = FileDescriptor(owning: other)
    let pipe = try Self.session { () throws(SystemError) in
      try modes.applyWithoutSIGTTOU(to: slave.rawValue)
      try size.set(master.rawValue)
      try master.setNonBlocking()
      return try Pipe()
    }
    let result = unsafe PlatformString.withPointers(arguments) { argv in
      unsafe PlatformString.withPointers(environment) { envp in
        var session = unsafe csystem_session(
          slave: slave.rawValue, standard_error: standardError ?? -1, report: pipe.writing.rawValue, arguments: argv,
          environment: envp)
        return unsafe signals.withMask { unsafe csystem_session_start(&session, $0) }
      }
    }
    guard result > 0 else { throw .session(SystemError(code: -result, attempt: "start a process")) }
    helper = result
    reports = pipe.takeReading()
    let first = Self.next(reports)
    guard let first, first.what == CSYSTEM_STARTED else {
      _ = Subprocess.wait(for: result)
      let error = SystemError(code: first?.value ?? ECHILD, attempt: "run \(arguments[0])")
      // At the limit of processes, fork(2) and execve(2) fail with EAGAIN.
      throw error.isExhausted || error.isWouldBlock ? .session(error) : .program(arguments[0], error)
    }
    program = first.value
    self.master = master
    try Self.session { () throws(SystemError) in try reports.setNonBlocking() }
  }

  private static func session<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
  ) throws(StartError) -> Value {
    do { return try body() } catch { throw .session(error) }
  }

  // MARK: - Descriptors to wait for

  /// The master of the program's terminal. Read the program's output from it, and write typed input to it.
  package var masterDescriptor: Int32 { master.rawValue }
  /// Readable when there is a report.
  package var reportDescriptor: Int32 { reports.rawValue }

  // MARK: - Controlling the program

  package func setSize(_ size: WindowSize) { try? size.set(master.rawValue) }

  /// Continues the program in the foreground of its terminal.
  package func resume() { kill(helper, SIGCONT) }

  /// Adopts the program's working directory if the program itself is in the foreground, as a shell at its prompt is.
  ///
  /// Never adopts that of another job: a script may leave a file system and unmount it, and this process would keep it busy.
  package func followDirectory() {
    guard tcgetpgrp(master.rawValue) == program else { return }
    _ = unsafe chdir("/proc/\(program)/cwd")
  }

  /// Sends the program `SIGHUP`, and `SIGKILL` if it has not ended within five seconds.
  package func hangUp() { kill(helper, SIGHUP) }

  /// Forwards a signal to the foreground process group. The signal was sent to this process but is for the program.
  package func forward(_ signal: Signal) {
    let foreground = tcgetpgrp(master.rawValue)
    kill(-(foreground > 1 ? foreground : program), signal.rawValue)
  }

  /// Ends the rest of the program without the helper.
  package func abandon(killing: Bool) {
    if killing { kill(-program, SIGKILL) }
    kill(-program, SIGHUP)
    kill(-program, SIGCONT)
  }

  /// Whether any process of the program's process group is left.
  package var isAlive: Bool { kill(-program, 0) == 0 || errno == EPERM }

  /// The next report, if there is one.
  package func nextReport() -> Report? {
    errno = 0
    guard let report = Self.next(reports) else { return errno == EAGAIN ? nil : .lost }
    switch report.what {
    case CSYSTEM_STOPPED: return .stopped
    case CSYSTEM_CONTINUED: return .continued
    case CSYSTEM_EXITED: return .exited(report.value)
    case CSYSTEM_KILLED: return .killed(signal: report.value)
    default: return .lost
    }
  }

  /// Reaps the helper, which has ended or will end soon.
  package func reapHelper() { _ = Subprocess.wait(for: helper) }

  private static func next(_ pipe: borrowing FileDescriptor) -> (what: Int, value: Int32)? {
    var report = csystem_report()
    let size = MemoryLayout<csystem_report>.size
    while true {
      let length = unsafe Glibc.read(pipe.rawValue, &report, size)
      if length == size { return (Int(report.what), report.value) }
      if length >= 0 || errno != EINTR { return nil }
    }
  }
}

extension ProcessEnvironment {
  /// All variables, as `NAME=value`.
  package static var all: [PlatformString] {
    var strings: [PlatformString] = []
    var next = unsafe environ
    while let string = unsafe next.pointee {
      unsafe strings.append(PlatformString(cString: string))
      unsafe next += 1
    }
    return strings
  }

  /// The first executable of `$SHELL`, the shell in the user database, and `/bin/sh`.
  package static var loginShell: String {
    var shells: [String] = []
    if let shell = ProcessEnvironment["SHELL"] { shells.append(shell) }
    if let entry = unsafe getpwuid(getuid()), let shell = unsafe entry.pointee.pw_shell {
      unsafe shells.append(String(cString: shell))
    }
    return shells.first { unsafe $0.hasPrefix("/") && access($0, X_OK) == 0 } ?? "/bin/sh"
  }

  /// Replaces this process by another program, which is looked up in `PATH`. The program gets this process's original signal mask. Returns
  /// only on failure, with the reason.
  ///
  /// - Parameters:
  ///   - variables: removed from the environment.
  ///   - added: set in the environment.
  package static func become(
    _ arguments: [PlatformString], without variables: [String], with added: [(name: String, value: String)] = []
  ) -> SystemError {
    for variable in variables { unsafe unsetenv(variable) }
    for (name, value) in added { unsafe setenv(name, value, 1) }
    csystem_restore_signal_mask()
    _ = unsafe PlatformString.withPointers(arguments) { unsafe execvp($0.pointee!, $0) }
    return .current("run \(arguments[0])")
  }
}
