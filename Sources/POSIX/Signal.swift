internal import CSystem
internal import Glibc

/// Signals by name, for callers that do not import C (signal(7)).
public struct Signal: RawRepresentable, Hashable, Sendable {
  /// The signal's number.
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let hangUp = Signal(rawValue: SIGHUP)
  public static let interrupt = Signal(rawValue: SIGINT)
  public static let quit = Signal(rawValue: SIGQUIT)
  public static let terminate = Signal(rawValue: SIGTERM)
  public static let kill = Signal(rawValue: SIGKILL)
  public static let windowSizeChanged = Signal(rawValue: SIGWINCH)
  /// What Ctrl-Z sends.
  public static let terminalStop = Signal(rawValue: SIGTSTP)
  /// What the kernel sends to a process in the background that writes to its terminal.
  public static let terminalOutput = Signal(rawValue: SIGTTOU)
  /// Sent to a process that was stopped and goes on.
  public static let continued = Signal(rawValue: SIGCONT)

  /// Signals that end a process by default. Not in it: `SIGKILL`, which cannot be handled; `SIGINT` and `SIGQUIT`, which keys send; and
  /// `SIGSEGV`, `SIGBUS`, `SIGILL` and `SIGFPE`, which mean a fault of the process.
  public static let ending: [Signal] =
    [
      SIGHUP, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS,
      SIGTRAP, SIGABRT, SIGSTKFLT,
    ].map(Signal.init) + (csystem_signal_real_time_minimum()...csystem_signal_real_time_maximum()).map(Signal.init)

  /// `kill(2)`. A process that is gone is fine.
  public func send(to pid: Int32) {
    _ = Glibc.kill(pid, rawValue)
  }
}
