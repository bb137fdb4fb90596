internal import Dispatch
internal import NetworkPath
internal import Overline
internal import OverlineSystem
internal import Synchronization

/// Drives a ``WaitMachine`` with the kernel's paths and the clock, and shows its progress in a line on the terminal.
final class Waiter: Sendable {
  private struct State {
    var machine: WaitMachine
    var timer: DeadlineTimer?
    var isInterrupted = false
  }

  private let options: PathOptions
  private let showsProgress: Bool
  private let state: Mutex<State>
  private let ended = DispatchSemaphore(value: 0)
  private let queue = DispatchQueue(label: "overline.wait")

  init(_ machine: WaitMachine, options: PathOptions, isQuiet: Bool) {
    state = Mutex(State(machine: machine))
    self.options = options
    showsProgress = isTerminal(2) && !isQuiet
  }

  func run() throws -> ExitStatus {
    let watcher = PathWatcher(queue: queue, options: options) { [unowned self] path in
      handle(.pathChanged(path))
    }
    let timer = try DeadlineTimer(queue: queue) { [unowned self] in handle(.deadlineReached) }
    state.withLock { $0.timer = timer }
    let interrupt = try showsProgress && !SignalSource.isIgnored(.interrupt) ? interrupted() : nil
    try watcher.start()
    // Only the progress line, which counts seconds, needs a wake-up each second.
    while ended.wait(timeout: showsProgress ? .now() + .seconds(1) : .distantFuture) == .timedOut { showProgress() }
    return withExtendedLifetime(interrupt) {
      watcher.cancel()
      state.withLock { $0.timer = nil }
      if showsProgress { clearProgress() }
      if state.withLock({ $0.isInterrupted }) { exitProcess(130) }
      return conclude()
    }
  }

  private func handle(_ event: WaitMachine.Event) {
    let isOver = state.withLock { state in
      state.machine.handle(event, at: BootClock.now)
      state.timer?.arm(state.machine.nextDeadline)
      return state.machine.outcome != nil
    }
    if isOver { ended.signal() }
  }

  private func conclude() -> ExitStatus {
    let machine = state.withLock { $0.machine }
    if machine.outcome == .met {
      // An unknown path counts as online, so print why it is unknown.
      if let path = machine.path, !path.isKnown { Output.warn(path.explanation) }
      return .success
    }
    Output.warn(machine.timeoutMessage(at: BootClock.now))
    return .offline
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
