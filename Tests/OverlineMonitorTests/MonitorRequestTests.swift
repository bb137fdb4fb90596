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

  private mutating func post(_ id: ToastID, at time: Int) -> [String] {
    monitor.play(.toastPosted(toast, id: id, in: nil, 7), at: time)
  }

  @Test("without tmux the monitor prints a toast, which ends after its duration") mutating func aToastWithoutTmux() {
    #expect(post(one, at: 1000) == ["state 2 online hidden 0", "say \(toast.announcement)", "shown 7: 0"])
    #expect(monitor.machine.showsToast(in: nil))
    #expect(monitor.play(at: 6000) == ["state 3 online hidden 0", "end toast 1"])
    #expect(!monitor.machine.showsToast(in: nil))
    #expect(monitor.play(.frontToastDismissed(in: nil), at: 6000) == [])
  }

  @Test("a toast in tmux ends once, when it has left tmux") mutating func aToastInTmux() {
    let tmux = TmuxServer(socket: "/a")
    _ = monitor.play(.tmux(.attach(tmux, 1)), at: 0)
    _ = monitor.play(.tmux(.probed(.success(TmuxProbe([:])), question: 1)), at: 0)
    #expect(post(one, at: 1000) == ["state 2 online hidden 0", "count /a"])
    #expect(
      monitor.play(.tmux(.counted([tmux: TmuxActivity(clientCount: 2, last: 1)], question: 3)), at: 1000)
        == ["/a shows Saved", "shown 7: 2"])
    #expect(
      monitor.play(.frontToastDismissed(in: tmux), at: 1500)
        == ["state 3 online hidden 0", "/a shows nothing", "end toast 1"])
    #expect(monitor.play(.toastDismissed(one), at: 2000) == [])
    // If every server ends before it shows one, the monitor prints it.
    #expect(post(ToastID(rawValue: 2), at: 3000) == ["state 4 online hidden 0", "count /a"])
    #expect(monitor.play(.tmux(.windowEnded(tmux, window: 2)), at: 3100) == ["abandon /a", "unregister /a"])
    #expect(
      monitor.play(.tmux(.counted([:], question: 4)), at: 3200)
        == ["state 5 online hidden 0", "end toast 2", "say \(toast.announcement)", "shown 7: 0"])
  }

  @Test("a toast that replaces one in tmux replaces it for observers too") mutating func aReplacement() {
    let tmux = TmuxServer(socket: "/a")
    _ = monitor.play(.tmux(.attach(tmux, 1)), at: 0)
    _ = monitor.play(.tmux(.probed(.success(TmuxProbe([:])), question: 1)), at: 0)
    var words: [String] = []
    for (number, (title, key)) in [("1 %", "b"), ("X", nil), ("2 %", "b")].enumerated() {
      var toast = ToastContent(title: title, duration: .seconds(5))
      toast.key = key
      words = monitor.play(.toastPosted(toast, id: ToastID(rawValue: number), in: tmux, number), at: 1000 + number)
    }
    #expect(words.contains("/a shows 2 %") && words.filter { $0.hasPrefix("end toast") } == ["end toast 0"])
    #expect(monitor.machine.overlays.status.toast?.title == "2 %")
  }

  @Test("a reload keeps a visible toast") mutating func aReloadDuringAToast() {
    _ = post(one, at: 1000)
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
    _ = post(one, at: 1000)
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
    #expect(monitor.play(.tmux(.found([TmuxServer(socket: "/a")])), at: 3000) == [])
    #expect(monitor.play(.ended(handsOver: true), at: 3001) == ["exit"])
  }

  @Test("a monitor that ends for another one hands the tmux servers over") mutating func theHandOver() {
    #expect(monitor.play(.ended(handsOver: true), at: 500) == ["hand over"])
  }
}
