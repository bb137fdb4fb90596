internal import Dispatch
internal import NetworkPath
internal import Overline
internal import OverlineSystem
internal import Synchronization

/// Drives a ``WaitMachine``: the kernel's paths and the clock go in, and a line on the terminal tells how it goes.
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
      handle { $0.handle(path, at: BootClock.now) }
    }
    let timer = try DeadlineTimer(queue: queue) { [unowned self] in handle { $0.handleDeadline(at: BootClock.now) } }
    state.withLock { $0.timer = timer }
    let interrupt = try showsProgress && !SignalSource.isIgnored(.interrupt) ? interrupted() : nil
    try watcher.start()
    // Only a line that counts seconds needs to wake up for them.
    while ended.wait(timeout: showsProgress ? .now() + .seconds(1) : .distantFuture) == .timedOut { showProgress() }
    return withExtendedLifetime(interrupt) {
      watcher.cancel()
      state.withLock { $0.timer = nil }
      if showsProgress { clearProgress() }
      if state.withLock({ $0.isInterrupted }) { exitProcess(130) }
      return conclude()
    }
  }

  private func handle(_ body: (inout WaitMachine) -> Void) {
    let isOver = state.withLock { state in
      body(&state.machine)
      state.timer?.arm(state.machine.nextDeadline)
      return state.machine.outcome != nil
    }
    if isOver { ended.signal() }
  }

  private func conclude() -> ExitStatus {
    let machine = state.withLock { $0.machine }
    if machine.outcome == .met {
      // As good as online, but whoever waited for a network may want to know.
      if let path = machine.path, !path.isKnown { Output.complain(path.explanation) }
      return .success
    }
    Output.complain(machine.regret(at: BootClock.now))
    return .offline
  }

  // MARK: On a terminal

  private func showProgress() {
    // In the background the row is the shell's.
    guard OwnTerminal.isForeground(2) else { return }
    let text = TerminalText.sanitized(state.withLock { $0.machine.progress(at: BootClock.now) })
    // One row: what wraps could not be taken back. The last column stays free, where some terminals wrap already.
    let columns = (WindowSize(of: 2)?.known?.columns ?? 80) - 1
    try? writeAll(Array("\r\u{1b}[K\(TerminalText.truncated(text, toColumns: columns))".utf8), to: 2)
  }

  private func clearProgress() {
    guard OwnTerminal.isForeground(2) else { return }
    try? writeAll(Array("\r\u{1b}[K".utf8), to: 2)
  }

  /// Ctrl-C leaves no half line behind, and none comes after it; 130 is what a shell says of it.
  private func interrupted() throws -> SignalSource {
    try SignalSource(.interrupt, queue: queue) { [unowned self] in
      state.withLock { $0.isInterrupted = true }
      ended.signal()
    }
  }
}
