internal import Dispatch
internal import Overline
internal import OverlineSystem
internal import Synchronization

/// Gives a manual clock to windows.
struct SimulatedTime: WindowClock {
  let clock: ManualClock

  var now: Duration { clock.now.offset }

  func timer(on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) -> any WindowTimer {
    clock.await(queue)
    return SimulatedTimer(clock: clock, queue: queue, handler: handler)
  }
}

private final class SimulatedTimer: WindowTimer {
  private let clock: ManualClock
  private let queue: DispatchQueue
  private let handler: @Sendable () -> Void
  private let alarm = Mutex<UInt64?>(nil)

  init(clock: ManualClock, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.queue = queue
    self.handler = handler
  }

  deinit { arm(nil) }

  func arm(_ deadline: Duration?) {
    alarm.withLock { alarm in
      if let alarm { clock.remove(alarm) }
      alarm = deadline.map { clock.set($0, on: queue, handler) }
    }
  }
}

/// Gives a simulated screen to a window, and records the lines that tell its changes.
struct ScreenPort: WindowScreen {
  let screen: SimulatedScreen
  let onLine: @Sendable (String) -> Void

  var size: WindowSize? { screen.size }
  var capabilities: TerminalCapabilities {
    // ACCESSIBLE turns motion off. A simulated screen shows the rows all the same.
    let variables = ["TERM": "xterm-direct", "LC_ALL": "C.UTF-8", "ACCESSIBLE": "1"]
    return TerminalCapabilities(environment: { variables[$0] }, isTerminal: true)
  }
  var belongsToProcess: Bool { false }
  var canAsk: Bool { screen.canAsk }

  func begin(on queue: DispatchQueue, onResize: @escaping @Sendable () -> Void) { screen.begin(onResize: onResize) }
  func show(_ content: WindowContent) { screen.show(content) }
  func tell(_ line: String) { onLine(line) }
  func capture(_ onKeys: (@Sendable ([AlertKey]) -> Void)?) -> Bool { screen.capture(onKeys) }
  func forget() {}
  func close(atExit: Bool) {
    _ = screen.capture(nil)
    screen.show(WindowContent(size: screen.size))
  }
}
