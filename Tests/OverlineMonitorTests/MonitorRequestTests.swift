import NetworkPath
import Overline
import OverlineCore
import OverlineTestThread
import Testing

/// Toasts, the configuration, deadlines and the end.
@Suite(.ownThread) struct MonitorRequestTests {
  private var monitor = MonitorScript()

  init() {
    _ = monitor.play(.pathChanged(online), at: 0)
    _ = monitor.play(.configurationRead(nil), at: 0)
  }

  @Test("without tmux the monitor prints a toast, which ends after its duration") mutating func aToastWithoutTmux() {
    #expect(
      monitor.play(.toastPosted(toast, id: one, inTmux: false), at: 1000)
        == ["state 2 online hidden 0", "say \(toast.announcement)"])
    #expect(monitor.machine.hasToastOutsideTmux)
    #expect(monitor.play(at: 6000) == ["state 3 online hidden 0", "end toast 1"])
    #expect(!monitor.machine.hasToastOutsideTmux)
    #expect(monitor.play(.frontToastDismissed, at: 6000) == [])
  }

  @Test("a toast in tmux ends once, when tmux reports its end") mutating func aToastInTmux() {
    #expect(monitor.play(.toastPosted(toast, id: one, inTmux: true), at: 1000) == ["state 2 online hidden 0"])
    #expect(!monitor.machine.hasToastOutsideTmux)
    // That one is dismissed in tmux.
    #expect(monitor.play(.frontToastDismissed, at: 1500) == [])
    #expect(monitor.play(.toastDismissed(one), at: 2000) == ["state 3 online hidden 0", "tmux"])
    #expect(monitor.play(.toastEndedInTmux(one, unseen: nil), at: 2300) == ["end toast 1"])
    // In tmux it may end before observers expect it.
    _ = monitor.play(.toastPosted(toast, id: ToastID(rawValue: 2), inTmux: true), at: 3000)
    #expect(
      monitor.play(.toastEndedInTmux(ToastID(rawValue: 2), unseen: toast), at: 3100)
        == ["state 5 online hidden 0", "end toast 2", "say \(toast.announcement)"])
  }

  @Test("a reload keeps a visible toast") mutating func aReloadDuringAToast() {
    _ = monitor.play(.toastPosted(toast, id: one, inTmux: false), at: 1000)
    #expect(monitor.play(.configurationFileChanged, at: 2000) == [])
    // An editor goes on writing.
    #expect(monitor.play(.configurationFileChanged, at: 2090) == [])
    #expect(monitor.play(at: 2099) == [])
    #expect(monitor.play(.configurationFileChanged, at: 2100) == ["read"])
    #expect(monitor.play(at: 2199) == [])
    #expect(monitor.play(at: 2200) == ["read"])
    let other = MonitorScript.configuration { $0.banner.graceDelay = .seconds(1) }
    #expect(monitor.play(.configurationRead(other), at: 2200) == ["configure"])
    #expect(monitor.machine.overlays.status.toast == toast)
    #expect(monitor.play(at: 6000) == ["state 3 online hidden 0", "end toast 1"])
    _ = monitor.play(.pathChanged(offline), at: 7000)
    #expect(monitor.machine.nextDeadline == .seconds(8))
  }

  @Test("a requested reload replaces a pending one") mutating func aRequestedReload() {
    _ = monitor.play(.configurationFileChanged, at: 2000)
    #expect(monitor.play(.configurationRead(nil), at: 2050) == [])
    #expect(monitor.play(at: 3000) == [])
  }

  @Test("the next deadline is the earliest of all") mutating func deadlines() {
    // The first state: the memory is released 10 seconds later.
    #expect(monitor.machine.nextDeadline == .seconds(10))
    _ = monitor.play(.toastPosted(toast, id: one, inTmux: false), at: 1000)
    #expect(monitor.machine.nextDeadline == .seconds(6))
    _ = monitor.play(.pathChanged(offline), at: 2000)
    #expect(monitor.machine.nextDeadline == .milliseconds(2250))
    _ = monitor.play(.configurationFileChanged, at: 2100)
    #expect(monitor.machine.nextDeadline == .milliseconds(2200))
    #expect(monitor.play(at: 2200) == ["read"])
    _ = monitor.play(at: 6000)
    #expect(monitor.machine.nextDeadline == .seconds(16))
    #expect(monitor.play(at: 16_000) == ["release"])
    #expect(monitor.machine.nextDeadline == nil)
    #expect(monitor.play(.clientLeft, at: 20_000) == [])
    #expect(monitor.play(at: 30_000) == ["release"])
    #expect(monitor.machine.nextDeadline == nil)
  }

  @Test("an end during a fade publishes nothing; a second end exits at once") mutating func theEnd() {
    monitor = MonitorScript { $0.banner.motion = .on }
    _ = monitor.play(.pathChanged(offline), at: 0)
    _ = monitor.play(.pathChanged(online), at: 500)
    #expect(monitor.machine.nextDeadline != nil)
    #expect(monitor.play(.ended(handsOver: false), at: 501) == ["end"])
    #expect(monitor.machine.nextDeadline == nil)
    #expect(monitor.play(.deadlineReached, at: 3000) == [])
    #expect(monitor.play(.toastEndedInTmux(one, unseen: nil), at: 3000) == [])
    #expect(monitor.play(.ended(handsOver: true), at: 3001) == ["exit"])
  }

  @Test("a monitor that ends for another one hands the tmux servers over") mutating func theHandOver() {
    #expect(monitor.play(.ended(handsOver: true), at: 500) == ["hand over"])
  }
}
