internal import COverline
internal import Glibc

/// Signals that come as something to read, in order of their numbers, instead of what they do by default.
///
/// They are blocked in the thread that makes this and in all that it starts from then on: make it before any other thread.
package struct TakenSignals: ~Copyable, Sendable {
  private let descriptor: FileDescriptor
  private let before: sigset_t
  /// Those that whoever started this process wants ignored, as nohup(1) does.
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

  /// The next one that has come and is not to be ignored.
  package func next() -> Signal? {
    while true {
      let number = csystem_signals_next(descriptor.rawValue)
      guard number > 0 else { return nil }
      if !ignored.contains(Signal(rawValue: number)) { return Signal(rawValue: number) }
    }
  }

  /// What was blocked before, for a program to be started as if we were not there.
  func withMask<Result>(_ body: (UnsafePointer<sigset_t>) -> Result) -> Result {
    unsafe withUnsafePointer(to: before) { unsafe body($0) }
  }
}

/// This process among the jobs of the shell that started it.
package enum Job {
  /// Stops this process group as Ctrl-Z would, and returns when it was continued. False when nothing stopped: nobody is there to
  /// continue an orphaned group, and the kernel does not stop it.
  ///
  /// While the process is stopped, a signal that ends it does so by its default action: ``TakenSignals`` would keep it pending, and a
  /// shell's `kill %1` would do nothing.
  ///
  /// ``Signal/terminalStop`` and ``Signal/continued`` must be taken (``TakenSignals``), so that no other thread gets them.
  ///
  /// - Parameters:
  ///   - toWrite: as a write from the background does (`SIGTTOU`).
  ///   - hasProgram: whether a program runs. Until then `SIGINT` and `SIGQUIT` end this process too while it is stopped; a program may
  ///     survive them.
  package static func stop(toWrite: Bool = false, hasProgram: Bool) -> Bool {
    let number = toWrite ? SIGTTOU : SIGTSTP
    csystem_signal_discard(SIGCONT)
    kill(0, number)
    // Here it stops, if it does.
    csystem_signal_take_default(number, hasProgram ? 1 : 0)
    return csystem_signal_is_pending(SIGCONT) != 0
  }

  /// Ends this process by a signal, as the program it stands for did; without a core file, which the program has left already.
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
