internal import COverline

/// Signals by name, for callers that do not import C (signal(7)).
package struct Signal: RawRepresentable, Hashable, Sendable {
  /// The signal's number.
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let hangUp = Signal(rawValue: SIGHUP)
  package static let interrupt = Signal(rawValue: SIGINT)
  package static let quit = Signal(rawValue: SIGQUIT)
  package static let terminate = Signal(rawValue: SIGTERM)
  package static let kill = Signal(rawValue: SIGKILL)
  package static let windowSizeChanged = Signal(rawValue: SIGWINCH)
  /// The signal that Ctrl-Z sends.
  package static let terminalStop = Signal(rawValue: SIGTSTP)
  /// The signal that the kernel sends to a background process that writes to its terminal.
  package static let terminalOutput = Signal(rawValue: SIGTTOU)
  /// The signal that continues a stopped process.
  package static let continued = Signal(rawValue: SIGCONT)

  /// Signals that end a process by default. Not included: `SIGKILL`, which cannot be handled; `SIGINT` and `SIGQUIT`, which keys send; and
  /// `SIGSEGV`, `SIGBUS`, `SIGILL` and `SIGFPE`, which report a fault of the process.
  package static let ending: [Signal] =
    [
      SIGHUP, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS,
      SIGTRAP, SIGABRT, SIGSTKFLT,
    ].map(Signal.init) + (csystem_signal_real_time_minimum()...csystem_signal_real_time_maximum()).map(Signal.init)

  /// `kill(2)`. Ignores the error if the process has ended.
  package func send(to pid: Int32) {
    _ = Glibc.kill(pid, rawValue)
  }
}
