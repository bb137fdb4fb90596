import NetworkPath
import Overline
import OverlineCore
import OverlineTestThread
import Testing

/// What joins path, check, requests and configuration to states, hooks and records.
@Suite(.ownThread) struct MonitorMachineTests {
  private var monitor = MonitorScript()

  private mutating func begin(_ path: NWPath = online) { _ = monitor.play(.pathChanged(path), at: 0) }

  @Test("a loss within the grace delay causes a state, and neither hook nor banner")
  mutating func aLossWithinTheGraceDelay() {
    begin()
    #expect(
      monitor.play(.pathChanged(offline), at: 1000)
        == ["state 2 offline grace 0", "say offline: no carrier", "record unsatisfied"])
    #expect(
      monitor.play(.pathChanged(online), at: 1249)
        == ["state 3 online hidden 0", "say online: eth0", "record satisfied"])
    #expect(monitor.play(at: 9000) == [])
  }

  @Test("observers come before hooks, and each hook runs once") mutating func anOutage() {
    begin()
    _ = monitor.play(.pathChanged(offline), at: 1000)
    #expect(monitor.play(at: 2000) == ["state 3 offline presented 1", "hooks on-offline on-inset of 3"])
    // The same loss for another cause, whose sentence is another one.
    let other = NWPath(status: .unsatisfied, reason: .noRoute, explanation: "offline: no route", cause: "no route")
    #expect(
      monitor.play(.pathChanged(other), at: 3000)
        == ["state 4 offline presented 1", "say offline: no route", "record unsatisfied"])
    #expect(
      monitor.play(.pathChanged(online), at: 4000)
        == [
          "state 5 restored restored 1", "hooks on-online of 5", "say online: eth0", "record satisfied",
        ])
    #expect(monitor.play(at: 7000) == ["state 6 online hidden 0", "hooks on-inset of 6"])
  }

  @Test("in a pause hooks run, and nothing shows") mutating func hooksInAPause() {
    _ = monitor.play(.pathChanged(online), at: 0)
    let pause = QuietPeriod(start: .zero, end: .seconds(100), words: "18:00")
    #expect(monitor.play(.quietChanged(pause), at: 10).contains("keep quiet until 18:00"))
    #expect(monitor.play(.pathChanged(offline), at: 1000).first == "state 3 offline hidden 0")
    #expect(monitor.play(at: 2000).contains("hooks on-offline of 3"))
    #expect(monitor.play(.pathChanged(online), at: 3000).contains { $0.hasPrefix("hooks on-online of 4") })
    // At the end of the pause the monitor looks for the next one.
    #expect(monitor.play(at: 100_000).contains("plan quiet"))
  }

  @Test("hooks without a command are not due") mutating func hooksWithoutACommand() {
    monitor = MonitorScript { $0.hooks = Configuration().hooks }
    #expect(
      monitor.play(.pathChanged(offline), at: 0)
        == ["state 1 offline presented 1", "say offline: no carrier", "record unsatisfied"])
  }

  @Test("a hook without a command is due where it ends the waiting run of another") mutating func hooksThatSupersede() {
    monitor = MonitorScript {
      $0.hooks = Configuration().hooks
      $0.hooks.onOnline = "true"
    }
    #expect(monitor.play(.pathChanged(offline), at: 0).dropFirst().first == "hooks on-offline of 1")
    #expect(monitor.play(.pathChanged(online), at: 50).dropFirst().first == "hooks on-online of 2")
  }

  @Test("the monitor prints a sentence once, numbers states by one, and publishes no repeated path")
  mutating func repeatedPaths() {
    begin()
    #expect(monitor.play(.pathChanged(online), at: 200) == ["record satisfied"])
    let second = NWPath(status: .satisfied, explanation: "online: eth0", supportsIPv4: true, supportsIPv6: true)
    #expect(
      monitor.play(.pathChanged(second), at: 300) == ["state 2 online hidden 0", "record satisfied"])
    // The kernel cannot be queried: neither a loss nor a return.
    let unknown = NWPath(status: .satisfied, isKnown: false, explanation: "unknown")
    #expect(
      monitor.play(.pathChanged(unknown), at: 400)
        == ["state 3 unknown hidden 0", "say unknown", "record satisfied"])
  }

  @Test("a monitor that starts offline shows the banner at once")
  mutating func aStartWithoutANetwork() {
    #expect(
      monitor.play(.pathChanged(offline), at: 0)
        == [
          "state 1 offline presented 1", "hooks on-offline on-inset of 1", "say offline: no carrier",
          "record unsatisfied",
        ])
  }

  @Test("the monitor publishes no state before the first path") mutating func requestsBeforeThePath() {
    #expect(monitor.play(.bannerChanged(.bannerPresented(.offline)), at: 0) == [])
    #expect(
      monitor.play(.toastPosted(toast, id: one, in: nil, 7), at: 1) == ["say \(toast.announcement)", "shown 7: 0"])
    #expect(monitor.play(.pathChanged(online), at: 2).first == "state 1 online presented 1")
  }

  @Test("a tmux server that appears later gets the current banner") mutating func aLateServer() {
    begin()
    #expect(monitor.lateBanner(at: 200) == nil)
    _ = monitor.play(.pathChanged(offline), at: 1000)
    #expect(monitor.lateBanner(at: 1100) == nil)
    #expect(monitor.lateBanner(at: 1250) == BannerAppearance.offline.title)
    _ = monitor.play(.bannerChanged(.bannerDismissedByUser), at: 2000)
    #expect(monitor.lateBanner(at: 2000) == nil)
    let custom = BannerAppearance(title: "Deploying", backgroundColor: .systemBlue, textColor: .white)
    #expect(
      monitor.play(.bannerChanged(.bannerPresented(custom)), at: 3000)
        == ["state 5 offline presented 1", "hooks on-inset of 5"])
    #expect(monitor.lateBanner(at: 3000) == "Deploying")
    // *Back online* is for those that have seen the loss.
    _ = monitor.play(.bannerChanged(.customBannerDismissed), at: 4000)
    _ = monitor.play(.pathChanged(online), at: 5000)
    _ = monitor.play(.pathChanged(offline), at: 6000)
    _ = monitor.play(.pathChanged(online), at: 8000)
    #expect(monitor.machine.overlays.status.banner.phase == .restored)
    #expect(monitor.lateBanner(at: 8000) == nil)
  }

  @Test("a dismissed banner releases its rows, and shows again for another cause") mutating func aDismissal() {
    begin(offline)
    #expect(
      monitor.play(.bannerChanged(.bannerDismissedByUser), at: 1000)
        == ["state 2 offline hidden 0", "hooks on-inset of 2"])
    let other = NWPath(status: .unsatisfied, explanation: "offline: no route", cause: "no route")
    #expect(
      monitor.play(.pathChanged(other), at: 2000)
        == ["state 3 offline grace 0", "say offline: no route", "record unsatisfied"])
    #expect(monitor.play(at: 2250) == ["state 4 offline presented 1", "hooks on-inset of 4"])
  }

  @Test("a dismissed claim stays dismissed while its time grows, in late servers and after a reload")
  mutating func aDismissedClaim() {
    func silent(_ seconds: Int, _ router: String = "192.0.2.1") -> NWPath {
      var path = NWPath(
        status: .unsatisfied, reason: .routerSilent, explanation: "offline: \(router) since \(seconds) s",
        cause: "the router \(router) does not answer (last heard \(seconds) s ago)")
      path.silence = .seconds(seconds)
      return path
    }
    begin(silent(43))
    let tmux = monitor.play(.bannerChanged(.claimDismissed), at: 1000)
    #expect(tmux == ["state 2 offline hidden 0", "hooks on-inset of 2"])
    #expect(monitor.machine.overlays.status.banner.claim == .dismissed)
    // Twice changes nothing.
    #expect(monitor.play(.bannerChanged(.claimDismissed), at: 1100) == [])
    _ = monitor.play(
      .configurationRead(MonitorScript.configuration { $0.banner.offline.title = "Kein Netz" }), at: 2000)
    _ = monitor.play(.pathChanged(silent(86)), at: 43_000)
    _ = monitor.play(at: 50_000)
    #expect(monitor.machine.overlays.status.banner.claim == .dismissed && monitor.lateBanner(at: 50_000) == nil)
    // Another router is another claim.
    _ = monitor.play(.pathChanged(silent(31, "192.0.2.9")), at: 60_000)
    #expect(monitor.play(at: 60_250).first == "state 5 offline presented 1")
    #expect(monitor.lateBanner(at: 60_250) == "Kein Netz")
    _ = monitor.play(.bannerChanged(.claimDismissed), at: 61_000)
    // Nothing was shown, so there is no Back online.
    #expect(monitor.play(.pathChanged(online), at: 62_000).first == "state 7 online hidden 0")
  }

  @Test("connections without answers stay dismissed while their number and time grow, until the way changes")
  mutating func aDismissedLimitation() {
    func unanswered(_ connections: Int, by router: String) -> NWPath {
      var path = online
      path.gateways = [NWEndpoint.hostPort(host: NWEndpoint.Host(router), port: 0)]
      path.noAnswers = NWPath.NoAnswers(connections: connections, hosts: 5, duration: .seconds(connections))
      return path
    }
    begin(unanswered(7, by: "192.0.2.1"))
    #expect(monitor.machine.overlays.status.banner.claim == .shown)
    _ = monitor.play(.bannerChanged(.claimDismissed), at: 1000)
    _ = monitor.play(.pathChanged(unanswered(14, by: "192.0.2.1")), at: 2000)
    _ = monitor.play(at: 3000)
    #expect(monitor.machine.overlays.status.banner.claim == .dismissed)
    _ = monitor.play(.pathChanged(unanswered(7, by: "192.0.2.9")), at: 4000)
    _ = monitor.play(at: 5000)
    #expect(monitor.machine.overlays.status.banner.claim == .shown)
  }
}
