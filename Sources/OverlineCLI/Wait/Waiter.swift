internal import Dispatch
internal import NetworkPath
internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem
internal import Synchronization

/// Drives a ``WaitMachine`` with the kernel's paths, the check's answers and the clock, and shows its progress in a line on the terminal.
final class Waiter: Sendable {
  private struct State {
    var machine: WaitMachine
    var timer: DeadlineTimer?
    var check: Check?
    var isInterrupted = false
  }

  private let options: PathOptions
  private let word: MonitorWord?
  private let showsProgress: Bool
  private let state: Mutex<State>
  private let ended = DispatchSemaphore(value: 0)
  private let queue = DispatchQueue(label: "overline.wait")
  /// Dispatch's manager, the queue, the path watcher, and curl.
  private static let threads = 4
  /// Measured: 20 without curl.
  private static let descriptors = 24

  /// - Parameter word: what the running monitor has found.
  init(_ machine: WaitMachine, options: PathOptions, word: MonitorWord?, isQuiet: Bool) {
    state = Mutex(State(machine: machine))
    self.options = options
    self.word = word
    showsProgress = isTerminal(2) && !isQuiet
  }

  func run() throws -> ExitStatus {
    if endsAtOnce() { return conclude() }
    try ResourceLimits.checkRoom(threads: Self.threads, descriptors: Self.descriptors)
    let watcher = PathWatcher(queue: queue, options: options) { [unowned self] path in
      handle(.pathChanged(path))
    }
    watcher.report(word)
    let timer = try DeadlineTimer(queue: queue) { [unowned self] in handle(.deadlineReached) }
    let check = Check(queue: queue, warn: { Output.warn($0) }) { [unowned self] in
      handle(.answered($0, request: $1))
    }
    state.withLock {
      $0.timer = timer
      $0.check = check
    }
    let interrupt = try showsProgress && !SignalSource.isIgnored(.interrupt) ? interrupted() : nil
    try watcher.start()
    // Only the progress line, which counts seconds, needs a wake-up each second.
    while ended.wait(timeout: showsProgress ? .now() + .seconds(1) : .distantFuture) == .timedOut { showProgress() }
    return withExtendedLifetime(interrupt) {
      watcher.cancel()
      state.withLock {
        $0.timer = nil
        $0.check?.cancel()
      }
      if showsProgress { clearProgress() }
      if state.withLock({ $0.isInterrupted }) { exitProcess(130) }
      return conclude()
    }
  }

  /// Most waits are over when they begin. One look at the kernel then spares the watcher, its threads and its descriptors.
  private func endsAtOnce() -> Bool {
    // Tables that change while they are read say nothing; the watcher reads them until they rest.
    guard let path = try? NWPath.current(options: options, word: word), path.isKnown else { return false }
    return state.withLock { state in
      var machine = state.machine
      _ = machine.handle(.pathChanged(path), at: BootClock.now)
      guard machine.outcome == .met else { return false }
      state.machine = machine
      return true
    }
  }

  private func handle(_ event: WaitMachine.Event) {
    let isOver = state.withLock { state in
      for request in state.machine.handle(event, at: BootClock.now) {
        switch request {
        case .ask(let settings, let request): state.check?.ask(settings, request)
        case .cancel: state.check?.cancel()
        }
      }
      state.timer?.arm(state.machine.nextDeadline)
      return state.machine.outcome != nil
    }
    if isOver { ended.signal() }
  }

  private func conclude() -> ExitStatus {
    let machine = state.withLock { $0.machine }
    switch machine.outcome {
    case .met:
      // An unknown path counts as online, so print why it is unknown.
      if let path = machine.path, !path.isKnown { Output.warn(path.explanation) }
      return .success
    case .cannotAsk:
      // Of a request that could not be sent, the check has printed the reason.
      if let path = machine.path, !path.isKnown { Output.warn(path.explanation) }
      return .failure
    case .timedOut, nil:
      Output.warn(machine.timeoutMessage(at: BootClock.now))
      return .offline
    }
  }

  // MARK: On a terminal

  private func showProgress() {
    // In the background the row belongs to the shell.
    guard OwnTerminal.isForeground(2) else { return }
    let text = TerminalText.sanitized(state.withLock { $0.machine.progress(at: BootClock.now) })
    // One row: wrapped text could not be erased. The last column stays free, since some terminals wrap there already.
    let columns = (WindowSize(of: 2)?.known?.columns ?? 80) - 1
    try? writeAll(Array("\r\u{1b}[K\(TerminalText.truncated(text, toColumns: columns))".utf8), to: 2)
  }

  private func clearProgress() {
    guard OwnTerminal.isForeground(2) else { return }
    try? writeAll(Array("\r\u{1b}[K".utf8), to: 2)
  }

  /// After Ctrl-C no partial progress line remains, and none follows. Shells report 130 for Ctrl-C.
  private func interrupted() throws -> SignalSource {
    try SignalSource(.interrupt, queue: queue) { [unowned self] in
      state.withLock { $0.isInterrupted = true }
      ended.signal()
    }
  }
}
