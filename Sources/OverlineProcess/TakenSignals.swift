internal import COverline
package import OverlineSystem

/// Signals that are read from a descriptor, in the order of their numbers, and do not have their default actions.
///
/// The signals are blocked in the current thread and in all threads that it starts later. So create this before any other thread.
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

  /// Readable when a signal is pending.
  package var rawValue: Int32 { descriptor.rawValue }

  /// The next pending signal that is not ignored.
  package func next() -> Signal? {
    while true {
      let number = csystem_signals_next(descriptor.rawValue)
      guard number > 0 else { return nil }
      if !ignored.contains(Signal(rawValue: number)) { return Signal(rawValue: number) }
    }
  }

  /// Passes the earlier signal mask, so that a program starts with the same mask as without Overline.
  func withMask<Result>(_ body: (UnsafePointer<sigset_t>) -> Result) -> Result {
    unsafe withUnsafePointer(to: before) { unsafe body($0) }
  }
}

/// This process as a job of the shell that started it.
package enum Job {
  /// Stops this process group like Ctrl-Z, and returns when it is continued. Returns false if nothing stopped: the kernel does not stop an
  /// orphaned group, since no shell would continue it.
  ///
  /// While the process is stopped, a signal that ends a process has its default action: otherwise ``TakenSignals`` would keep the signal
  /// pending, and a shell's `kill %1` would do nothing.
  ///
  /// ``Signal/terminalStop`` and ``Signal/continued`` must be in ``TakenSignals``, so that no other thread gets them.
  ///
  /// - Parameters:
  ///   - toWrite: stops with `SIGTTOU`, like a write from the background.
  ///   - hasProgram: whether a program runs. If none runs, `SIGINT` and `SIGQUIT` also end this process while it is stopped. A program may
  ///     survive them, so with one they do not.
  package static func stop(toWrite: Bool = false, hasProgram: Bool) -> Bool {
    let number = toWrite ? SIGTTOU : SIGTSTP
    discardContinue()
    kill(0, number)
    // If the process stops, it stops here.
    csystem_signal_take_default(number, hasProgram ? 1 : 0)
    return csystem_signal_is_pending(SIGCONT) != 0
  }

  /// Forgets a pending ``Signal/continued``, which belongs to a stop that has been handled.
  package static func discardContinue() { csystem_signal_discard(SIGCONT) }

  /// Stops this process alone by the default action of ``Signal/terminalStop``, and returns when it is continued. In an orphaned process
  /// group it returns at once. The signal's handler, such as a ``SignalSource``, is kept.
  package static func stopItself() { csystem_signal_raise_default(SIGTSTP) }

  /// Ends this process by the signal that ended its program. This leaves no core file, since the program has already left one.
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
