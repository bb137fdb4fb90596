import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// When a server gets a frame, without a server.
@Suite(.ownThread) struct TmuxWindowMachineTests {
  private var window = TmuxWindowMachine(reserve: .auto)
  private static let failed = TmuxError(code: .failed, attempt: "show the banner", reason: "no answer")
  private static let gone = TmuxError(code: .serverGone, attempt: "show the banner", reason: "no server running")

  private func frame(_ title: String) -> TmuxContent {
    TmuxContent(banner: BannerFrame.titled(title))
  }

  private static func words(_ effect: TmuxWindowMachine.Effect) -> String {
    switch effect {
    case .present(let content, let reserve, let isAnew):
      "present \(content.banner?.appearance.title ?? "nothing") \(reserve)\(isAnew ? " anew" : "")"
    case .leave: "leave"
    case .warn: "warn"
    case .end(let isGone, let error): "end\(isGone ? " gone" : "")\(error == nil ? "" : " failed")"
    }
  }

  private mutating func play(_ event: TmuxWindowMachine.Event, at milliseconds: Int) -> [String] {
    window.handle(event, at: .seconds(100) + .milliseconds(milliseconds)).map(Self.words)
  }

  private var deadline: Duration? { window.nextDeadline.map { $0 - .seconds(100) } }

  @Test("while tmux works, only the newest frame is kept") mutating func theNewestFrame() {
    #expect(play(.contentChanged(frame("1")), at: 0) == ["present 1 auto"])
    for number in 2...9 { #expect(play(.contentChanged(frame("\(number)")), at: number) == []) }
    #expect(play(.done(nil, isShowing: true), at: 60) == ["present 9 auto"])
    #expect(play(.done(nil, isShowing: true), at: 70) == [])
    #expect(deadline == nil)
  }

  @Test("frames are 50 ms apart, and the last one, the first one and the end do not wait") mutating func thePace() {
    _ = play(.contentChanged(frame("1")), at: 0)
    _ = play(.done(nil, isShowing: true), at: 5)
    #expect(play(.contentChanged(frame("2")), at: 6) == [] && deadline == .milliseconds(50))
    #expect(play(.deadlineReached, at: 49) == [])
    #expect(play(.deadlineReached, at: 50) == ["present 2 auto"])
    _ = play(.done(nil, isShowing: true), at: 55)
    #expect(play(.contentChanged(TmuxContent()), at: 56) == ["present nothing auto"])
    _ = play(.done(nil, isShowing: false), at: 60)
    #expect(play(.contentChanged(frame("3")), at: 61) == ["present 3 auto"])
    _ = play(.done(nil, isShowing: true), at: 65)
    #expect(play(.contentChanged(frame("4")), at: 66) == [])
    #expect(play(.closed, at: 67) == ["leave"])
    #expect(play(.done(nil, isShowing: false), at: 70) == ["end"])
    #expect(play(.contentChanged(frame("5")), at: 500) == [] && deadline == nil)
  }

  @Test("a server that has ended gets nothing more, since another one may listen there")
  mutating func aServerThatEnded() {
    _ = play(.contentChanged(frame("1")), at: 0)
    #expect(play(.contentChanged(frame("2")), at: 1) == [])
    #expect(play(.abandoned, at: 2) == [])
    #expect(play(.done(nil, isShowing: true), at: 5) == ["end gone"])
    #expect(play(.contentChanged(frame("3")), at: 500) == [] && play(.closed, at: 500) == [] && deadline == nil)
  }

  @Test("a failed frame is repeated with longer and longer pauses, and reported once") mutating func retries() {
    #expect(play(.contentChanged(frame("1")), at: 0) == ["present 1 auto"])
    #expect(play(.done(Self.failed, isShowing: false), at: 10) == ["warn"])
    var (now, pause) = (10, 500)
    for _ in 0..<10 {
      #expect(deadline == .milliseconds(now + pause))
      now += pause
      #expect(play(.deadlineReached, at: now) == ["present 1 auto"])
      #expect(play(.done(Self.failed, isShowing: false), at: now) == [])
      pause = min(pause * 2, 60_000)
    }
    // A new frame does not wait for the next attempt.
    #expect(play(.contentChanged(frame("2")), at: now + 100) == ["present 2 auto"])
    #expect(play(.done(nil, isShowing: true), at: now + 101) == [] && deadline == nil)
    // After a success the pauses are short again.
    _ = play(.contentChanged(frame("3")), at: now + 1000)
    #expect(play(.done(Self.failed, isShowing: true), at: now + 1000) == ["warn"])
    #expect(deadline == .milliseconds(now + 1500))
  }

  @Test("lines are reserved anew until that has succeeded") mutating func reload() {
    _ = play(.contentChanged(frame("1")), at: 0)
    _ = play(.done(nil, isShowing: true), at: 5)
    _ = play(.reloaded(.always), at: 10)
    #expect(play(.deadlineReached, at: 50) == ["present 1 always anew"])
    #expect(play(.done(Self.failed, isShowing: true), at: 60) == ["warn"])
    #expect(play(.deadlineReached, at: 560) == ["present 1 always anew"])
    _ = play(.done(nil, isShowing: true), at: 570)
    #expect(play(.contentChanged(frame("2")), at: 700) == ["present 2 always"])
  }

  @Test("a server that ends is left at once; a failed farewell is reported") mutating func theEnd() {
    _ = play(.contentChanged(frame("1")), at: 0)
    #expect(play(.done(Self.gone, isShowing: false), at: 5) == ["end gone"])
    #expect(window.hasEnded)
    window = TmuxWindowMachine(reserve: .auto)
    _ = play(.contentChanged(frame("1")), at: 0)
    #expect(play(.closed, at: 1) == [])
    #expect(play(.done(Self.failed, isShowing: true), at: 5) == ["warn", "leave"])
    #expect(play(.done(Self.failed, isShowing: true), at: 9) == ["end failed"])
  }
}
