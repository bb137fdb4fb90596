internal import COverline
internal import Glibc

/// Signals that are read from a descriptor, in order of their numbers, instead of their default actions.
///
/// They are blocked in the thread that makes this and in all that it starts from then on: make it before any other thread.
package struct TakenSignals: ~Copyable, Sendable {
  private let descriptor: FileDescriptor
  private let before: sigset_t
  /// The signals that the parent process set to be ignored, as nohup(1) does.
  package let ignored: Set<Signal>

  package init(_ signals: [Signal]) throws(SystemError) {
    ignored = Set(signals.filter(SignalSource.isIgnored))
    var before = sigset_t()
    let numbers = signals.map(\.rawValue)
    let raw = try checkedNegative("take signals") {
      unsafe csystem_signals_take(numbers, Int32(numbers.count), &before)
    }
    descriptor = FileDescriptor(owning: raw)
    self.before = before
  }

  /// Readable when a signal has come.
  package var rawValue: Int32 { descriptor.rawValue }

  /// The next pending signal that is not ignored.
  package func next() -> Signal? {
    while true {
      let number = csystem_signals_next(descriptor.rawValue)
      guard number > 0 else { return nil }
      if !ignored.contains(Signal(rawValue: number)) { return Signal(rawValue: number) }
    }
  }

  /// Passes the earlier signal mask, so that a program starts with it as if started without Overline.
  func withMask<Result>(_ body: (UnsafePointer<sigset_t>) -> Result) -> Result {
    unsafe withUnsafePointer(to: before) { unsafe body($0) }
  }
}

/// This process as a job of the shell that started it.
package enum Job {
  /// Stops this process group as Ctrl-Z would, and returns when it is continued. False when nothing stopped: the kernel does not stop an
  /// orphaned group, as no shell would continue it.
  ///
  /// While the process is stopped, a signal that ends a process has its default action: ``TakenSignals`` would keep it pending, and a
  /// shell's `kill %1` would do nothing.
  ///
  /// ``Signal/terminalStop`` and ``Signal/continued`` must be taken (``TakenSignals``), so that no other thread gets them.
  ///
  /// - Parameters:
  ///   - toWrite: stops with `SIGTTOU`, as a write from the background does.
  ///   - hasProgram: whether a program runs. Until then `SIGINT` and `SIGQUIT` end this process too while it is stopped; a program may
  ///     survive them.
  package static func stop(toWrite: Bool = false, hasProgram: Bool) -> Bool {
    let number = toWrite ? SIGTTOU : SIGTSTP
    csystem_signal_discard(SIGCONT)
    kill(0, number)
    // The process stops here, if it stops.
    csystem_signal_take_default(number, hasProgram ? 1 : 0)
    return csystem_signal_is_pending(SIGCONT) != 0
  }

  /// Stops this process alone by the default action of ``Signal/terminalStop``, and returns when it is continued; at once in an orphaned
  /// process group. Its handler, such as that of a ``SignalSource``, is kept.
  package static func stopItself() { csystem_signal_raise_default(SIGTSTP) }

  /// Ends this process by the signal that ended its program; without a core file, which the program has left already.
  package static func die(of number: Int32) -> Never {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    signal(number, SIG_DFL)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, number)
    kill(getpid(), number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    exit(128 + number)
  }
}
