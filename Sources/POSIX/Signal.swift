internal import Glibc

/// Signals by name, for callers that do not import C.
public enum Signal: Hashable, Sendable, CaseIterable {
  case hangUp
  case interrupt
  case quit
  case terminate
  case kill
  /// Ends a process that does not expect it, as the next three do.
  case userDefined1
  case userDefined2
  case alarm
  case processorTimeExceeded
  case windowSizeChanged
  /// What Ctrl-Z sends.
  case terminalStop
  /// A write from the background.
  case terminalOutput
  /// Stopped, and going on.
  case continued

  /// signal(7)
  public var rawValue: Int32 {
    switch self {
    case .hangUp: SIGHUP
    case .interrupt: SIGINT
    case .quit: SIGQUIT
    case .terminate: SIGTERM
    case .kill: SIGKILL
    case .userDefined1: SIGUSR1
    case .userDefined2: SIGUSR2
    case .alarm: SIGALRM
    case .processorTimeExceeded: SIGXCPU
    case .windowSizeChanged: SIGWINCH
    case .terminalStop: SIGTSTP
    case .terminalOutput: SIGTTOU
    case .continued: SIGCONT
    }
  }

  /// `kill(2)`. A process that is gone is fine.
  public func send(to pid: Int32) {
    _ = Glibc.kill(pid, rawValue)
  }
}
