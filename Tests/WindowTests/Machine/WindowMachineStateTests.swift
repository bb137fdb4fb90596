import NetworkPath
import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore
@testable import OverlineShell

/// What a window tells its observers.
@Suite(.ownThread) struct WindowMachineStateTests {
  /// `offline, presented, 1` for each state.
  private func states(of script: MachineScript) -> [String] {
    var sequence = StateSequence()
    return script.effects.compactMap { effect in
      guard case .publish(let status) = effect, let observation = status.observation,
        let state = sequence.next(observation, at: .zero, time: "")
      else { return nil }
      return "\(state.state), \(state.banner.phase), \(state.inset.top)"
    }
  }

  private func window(grace: Duration = .milliseconds(250)) -> MachineScript {
    let script = MachineScript(motion: .on, grace: grace)
    script.send(.opened([.network(NWPath(status: .satisfied))]))
    script.send(.programStarted(title: nil))
    script.pass(.seconds(1))
    return script
  }

  @Test func anOutageIsFourChangesThatAgreeWithTheScreen() {
    let script = window()
    script.print("\u{1b}[2J\u{1b}[H$ ")
    script.send(.requested(.network(lostPath)))
    script.pass(.seconds(5))
    script.restore()
    script.pass(.seconds(5))
    #expect(
      states(of: script) == [
        "online, hidden, 0", "offline, grace, 0", "offline, presented, 1", "restored, restored, 1", "online, hidden, 0",
      ])
  }

  /// The banner has no rows yet.
  @Test func aTerminalThatIsLateIsToldWhenTheBannerShows() {
    let script = window(grace: .zero)
    script.forget()
    script.send(.requested(.network(lostPath)))
    #expect(script.isAnswerAwaited)
    #expect(states(of: script).last == "offline, grace, 0")
    script.type("\u{1b}[2;6R\u{1b}[?62c")
    #expect(states(of: script).last == "offline, presented, 1")
  }

  @Test func aDismissedBannerIsToldWhenItsRowsAreFree() {
    let script = window(grace: .zero)
    script.print("\u{1b}[2J\u{1b}[H$ ")
    script.send(.requested(.network(lostPath)))
    script.pass(.seconds(1))
    script.send(.requested(.overlay(.banner(.bannerDismissedByUser))))
    #expect(states(of: script).last == "offline, presented, 1")
    script.pass(.seconds(1))
    #expect(states(of: script).last == "offline, hidden, 0")
  }

  /// A window that starts offline shows it at once; a loss that follows waits for the grace delay.
  @Test func onlyALossThatFollowsWaits() {
    let script = MachineScript(grace: .milliseconds(250))
    script.send(.opened([.network(lostPath)]))
    #expect(states(of: script) == ["offline, grace, 0"])
    script.type("\u{1b}[2;6R\u{1b}[?62c")
    #expect(states(of: script).last == "offline, presented, 1")
    script.send(.programStarted(title: nil))
    script.restore()
    script.pass(.seconds(3))
    script.forget()
    script.send(.requested(.network(lostPath)))
    script.pass(.milliseconds(249))
    #expect(states(of: script) == ["offline, grace, 0"])
  }
}
