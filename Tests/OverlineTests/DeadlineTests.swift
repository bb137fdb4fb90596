import Dispatch
import Overline
import OverlineSystem
import Synchronization
import OverlineTestThread
import Testing

/// The deadlines for which a window arms its timer.
@Suite(.ownThread) struct DeadlineTests {
  /// Each event here is later than the one before, and so is its deadline: arming an earlier one means that a deadline was lost.
  @Test func eventsThatComeAtTheSameTimeLoseNoDeadline() {
    let clock = RunningClock()
    let window = TerminalWindow(
      style: .inline, screen: NoScreen(), clock: clock, paths: NetworkFeed { _ in NWPathMonitor() })
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      // Identical toasts are one, whose time restarts.
      for _ in 0..<500 { window.toast("Saved") }
    }
    #expect(clock.armed.withLock(\.lost) == 0)
    #expect(clock.armed.withLock(\.deadline) == clock.last + ToastContent.minimumDuration)
  }
}

/// A clock without two equal times, and its only timer.
private final class RunningClock: WindowClock, WindowTimer {
  struct Armed {
    var deadline = Duration.zero
    var lost = 0
  }

  let armed = Mutex(Armed())
  private let time = Atomic(0)

  var now: Duration { .nanoseconds(time.add(1, ordering: .relaxed).newValue) }
  var last: Duration { .nanoseconds(time.load(ordering: .relaxed)) }

  func timer(on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) -> any WindowTimer { self }

  func arm(_ deadline: Duration?) {
    armed.withLock { armed in
      if let deadline, deadline >= armed.deadline { armed.deadline = deadline } else { armed.lost += 1 }
    }
  }
}

/// A screen without motion that the test does not read.
private struct NoScreen: WindowScreen {
  var size: WindowSize? { WindowSize(rows: 24, columns: 80) }
  var capabilities: TerminalCapabilities {
    TerminalCapabilities(environment: { ["TERM": "xterm", "ACCESSIBLE": "1"][$0] }, isTerminal: true)
  }
  var belongsToProcess: Bool { false }

  func show(_ content: WindowContent) {}
  func tell(_ line: String) {}
  func forget() {}
  func close(atExit: Bool) {}
}
