import Dispatch
import Overline
import OverlineSystem
import Synchronization
import Testing

/// What a window's timer is armed for.
@Suite struct DeadlineTests {
  /// Each event here is later than the one before, and its deadline too: whoever comes in with an older one has lost another's.
  @Test func eventsThatComeAtTheSameTimeLoseNoDeadline() {
    let clock = RunningClock()
    let window = TerminalWindow(
      style: .inline, screen: NoScreen(), clock: clock, paths: NetworkFeed { NWPathMonitor() })
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      // The same again is one toast, whose time begins anew.
      for _ in 0..<500 { window.toast("Saved") }
    }
    #expect(clock.armed.withLock(\.lost) == 0)
    #expect(clock.armed.withLock(\.deadline) == clock.last + ToastContent.minimumDuration)
  }
}

/// A clock on which no two events are at the same time, and its only timer.
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

/// A screen without motion that nobody looks at.
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
