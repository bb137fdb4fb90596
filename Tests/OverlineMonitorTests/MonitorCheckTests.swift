import OverlineCore
import OverlineTestThread
import Testing
@testable import NetworkPath

/// The reachability check's part in the monitor's decisions.
@Suite(.ownThread) struct MonitorCheckTests {
  private static let settings = CheckSettings(
    url: CheckURL("http://example.net/")!, expectedStatus: 204, interval: .seconds(10), timeout: .seconds(2))
  private static let redirected = CheckVerdict.failed(.redirected(302, to: nil))
  private static let limited = "example.net answered with a redirect (302)"
  private var monitor = MonitorScript { $0.check = Self.settings }

  /// Online since 0, limited since 2000.
  private mutating func begin() {
    _ = monitor.play(.pathChanged(online), at: 0)
    #expect(monitor.play(at: 250) == ["ask 1"])
    // One failure is a lost packet.
    #expect(monitor.play(.checkAnswered(Self.redirected, request: 1), at: 300) == [])
    #expect(monitor.play(at: 1300) == ["ask 2"])
    #expect(
      monitor.play(.checkAnswered(Self.redirected, request: 2), at: 2000)
        == ["state 2 limited grace 0", "say limited: \(Self.limited)", "record satisfied limited"])
  }

  @Test("lost, then limited, then online") mutating func lostThenLimitedThenOnline() {
    monitor = MonitorScript { $0.check = Self.settings }
    _ = monitor.play(.pathChanged(offline), at: 0)
    #expect(
      monitor.play(.pathChanged(online), at: 1000)
        == [
          "state 2 restored restored 1", "hooks on-online of 2", "say online: eth0", "record satisfied",
        ])
    #expect(monitor.play(at: 1250) == ["ask 1"])
    _ = monitor.play(.checkAnswered(Self.redirected, request: 1), at: 1300)
    #expect(monitor.play(at: 2300) == ["ask 2"])
    // In place of *Back online*, at once. The inset stays.
    #expect(
      monitor.play(.checkAnswered(Self.redirected, request: 2), at: 2400)
        == [
          "state 3 limited presented 1", "hooks on-limited of 3", "say limited: \(Self.limited)",
          "record satisfied limited",
        ])
    #expect(monitor.play(at: 4400) == ["ask 3"])
    #expect(
      monitor.play(.checkAnswered(.reached, request: 3), at: 4500)
        == ["state 4 restored restored 1", "hooks on-online of 4", "say online: eth0", "record satisfied"])
    #expect(monitor.play(at: 6500) == ["state 5 online hidden 0", "hooks on-inset of 5"])
  }

  @Test("connections without answers limit the network; the check's reason comes first") mutating func noAnswers() {
    monitor = MonitorScript { $0.check = Self.settings }
    _ = monitor.play(.pathChanged(online), at: 0)
    var path = online
    path.noAnswers = NWPath.NoAnswers(connections: 7, hosts: 5, duration: .seconds(12))
    let words = "no answers: 7 connections to 5 hosts, for 12 s"
    #expect(
      monitor.play(.pathChanged(path), at: 100)
        == ["state 2 limited grace 0", "say limited: \(words)", "record satisfied limited"])
    _ = monitor.play(at: 250)
    _ = monitor.play(.checkAnswered(Self.redirected, request: 1), at: 300)
    _ = monitor.play(at: 1300)
    let effects = monitor.play(.checkAnswered(Self.redirected, request: 2), at: 1400)
    #expect(effects.contains("say limited: \(Self.limited)"))
    #expect(monitor.play(.pathChanged(online), at: 1500).allSatisfy { !$0.hasPrefix("say") })
    monitor = MonitorScript { _ in }
    _ = monitor.play(.pathChanged(path), at: 0)
    #expect(monitor.play(.pathChanged(online), at: 100).contains("say online: eth0"))
    path = offline
    path.noAnswers = NWPath.NoAnswers(connections: 7, hosts: 5, duration: .seconds(12))
    #expect(monitor.play(.pathChanged(path), at: 200).contains { $0.contains(" offline ") })
  }

  @Test("what does not leave this machine limits the network; its banner shows for a minute") mutating func notSent() {
    monitor = MonitorScript { _ in }
    _ = monitor.play(.pathChanged(online), at: 0)
    var path = online
    path.notSent = NWPath.NotSent(connections: 3, hosts: 3, duration: .seconds(12), origin: .firewall)
    // Its packets have no answer either.
    path.noAnswers = NWPath.NoAnswers(connections: 7, hosts: 5, duration: .seconds(12))
    let words =
      "nothing leaves this machine: 3 connections to 3 hosts, for 12 s; a firewall on this machine stops the packets"
    #expect(
      monitor.play(.pathChanged(path), at: 100)
        == ["state 2 limited grace 0", "say limited: \(words)", "record satisfied limited"])
    #expect(monitor.play(at: 350) == ["state 3 limited presented 1", "hooks on-limited on-inset of 3"])
    #expect(monitor.play(at: 60_350) == ["release", "state 4 limited hidden 0", "hooks on-inset of 4"])
    #expect(monitor.play(.pathChanged(online), at: 70_000).contains("say online: eth0"))
  }

  @Test("new connections without an answer make the check ask, and nothing else") mutating func suggestions() {
    monitor = MonitorScript { $0.check = Self.settings.every(.seconds(300)) }
    _ = monitor.play(.pathChanged(online), at: 0)
    #expect(monitor.play(at: 250) == ["ask 1"])
    _ = monitor.play(.checkAnswered(.reached, request: 1), at: 300)
    _ = monitor.play(at: 60_000)
    #expect(monitor.play(.checkSuggested, at: 60_000) == [])
    #expect(monitor.play(at: 60_250) == ["ask 2"])
    monitor = MonitorScript { _ in }
    _ = monitor.play(.pathChanged(online), at: 0)
    #expect(monitor.play(.checkSuggested, at: 60_000).allSatisfy { $0 == "release" })
  }

  @Test("an answer after the loss has no effect") mutating func anAnswerWhileOffline() {
    begin()
    #expect(
      monitor.play(.pathChanged(offline), at: 2100)
        == ["state 3 offline grace 0", "say offline: no carrier", "record unsatisfied"])
    #expect(monitor.play(.checkAnswered(Self.redirected, request: 2), at: 2200) == [])
    #expect(monitor.play(.checkAnswered(.notAsked, request: 3), at: 2200) == [])
  }

  @Test("a loss cancels the request") mutating func aLossDuringARequest() {
    begin()
    #expect(monitor.play(at: 4000) == ["state 3 limited presented 1", "hooks on-limited on-inset of 3", "ask 3"])
    // The banner stays where it is.
    #expect(
      monitor.play(.pathChanged(offline), at: 4100)
        == [
          "state 4 offline presented 1", "hooks on-offline of 4", "cancel", "say offline: no carrier",
          "record unsatisfied",
        ])
  }

  @Test("switching the check off ends the limitation") mutating func theCheckSwitchedOff() {
    begin()
    #expect(
      monitor.play(.configurationRead(MonitorScript.configuration()), at: 2100)
        == ["state 3 online hidden 0", "say online: eth0", "record satisfied", "configure"])
  }

  @Test("the monitor's end cancels the request, and keeps the limitation") mutating func theEndDuringARequest() {
    begin()
    _ = monitor.play(at: 4000)
    #expect(monitor.play(.ended(handsOver: false), at: 4100) == ["cancel", "end"])
    #expect(monitor.play(.checkAnswered(.reached, request: 3), at: 4200) == [])
  }
}

extension CheckSettings {
  fileprivate func every(_ interval: Duration) -> CheckSettings {
    var settings = self
    settings.interval = interval
    return settings
  }
}
