import OverlineTestThread
import Testing
@testable import OverlineCore

@Suite(.ownThread) struct MetricsTextTests {
  /// The version is the only label value that is not fixed in the code.
  @Test(arguments: [Metrics.Format.openMetrics, .prometheus]) func labelsAreEscaped(_ format: Metrics.Format) {
    let metrics = Metrics(
      state: "online", since: 0, start: 0, totals: .init(outages: 0, offline: 0), updates: 0, overruns: 0,
      version: "1\"}\\\n2")
    let labels = metrics.text(format).split(separator: "\n").filter { $0.contains("{") }
    #expect(
      labels == [
        #"overline_state{state="online"} 1"#, #"overline_state{state="offline"} 0"#,
        #"overline_state{state="limited"} 0"#, #"overline_state{state="unknown"} 0"#,
        #"overline_build_info{version="1\"}\\\n2"} 1"#,
      ])
  }
}

@Suite(.ownThread) struct HistoryTests {
  /// "ago" would be the time of reading.
  @Test func whenASilentRouterWasHeardIsRelativeToTheBeginning() throws {
    var life = Scenario()
    life.offline("offline: the router 192.0.2.1 does not answer (last heard 43 s ago)", reason: "router-silent")
    life.pass(minutes: 2)
    life.online()
    #expect(
      life.history.outages.map(\.cause.explanation)
        == ["offline: the router 192.0.2.1 does not answer (last heard 43 s before)"])
  }

  @Test func anOutageHasAStartAnEndAReasonAndAnInterface() throws {
    var life = Scenario()
    life.online()
    life.pass(minutes: 10)
    life.offline()
    life.pass(minutes: 5)
    life.offline("eth0 is down", reason: "link-down")
    life.note(nil)
    life.online()
    life.pass(minutes: 5)
    let history = life.history
    let outage = try #require(history.outages.first)
    #expect(history.outages.count == 1)
    #expect((outage.start, outage.end) == (minute(10), minute(15)))
    #expect((outage.beginning, outage.ending) == (.known, .known))
    #expect(outage.awake == 5 * 60_000)
    #expect(outage.cause == .init(reason: "no-carrier", interface: "eth0", explanation: "eth0 has no carrier"))
    let sum = history.sum(from: minute(0), to: minute(20))
    #expect(sum == .init(outages: 1, offline: 5 * 60_000, watched: 20 * 60_000))
    #expect(sum.availability == 0.75)
    #expect(life.totals == .init(outages: 1, offline: 5 * 60_000))
  }

  @Test func aLimitedConnectionIsAKindOfItsOwn() throws {
    var life = Scenario()
    life.online()
    life.pass(minutes: 1)
    life.limited()
    life.pass(minutes: 2)
    life.limited("no answers: 2 connections to 2 hosts", reason: "no-answers")
    life.pass(minutes: 2)
    life.offline()
    life.pass(minutes: 3)
    life.limited()
    life.pass(minutes: 5)
    life.online()
    life.pass(minutes: 7)
    let history = life.history
    let limited = history.limited.map { [$0.start, $0.end] }
    #expect(limited == [[minute(1), minute(5)], [minute(8), minute(13)]])
    #expect(history.limited.allSatisfy { $0.beginning == .known && $0.ending == .known })
    #expect(history.limited[0].cause.reason == "check-failed")
    #expect(history.outages.map { [$0.start, $0.end] } == [[minute(5), minute(8)]])
    #expect(history.outages.map(\.ending) == [.known])
    #expect(life.totals == .init(outages: 1, offline: 3 * 60_000, limited: 9 * 60_000))
    let sum = history.sum(from: minute(2), to: minute(20))
    #expect(sum.limited == 8 * 60_000 && sum.outages == 1 && sum.availability == 1 - 3.0 / 18)
    #expect(history.cell(from: minute(2), to: minute(3)) == .limited)
    #expect(history.cell(from: minute(4), to: minute(6)) == .offline(60_000))
    #expect(history.cell(from: minute(14), to: minute(15)) == .online)
    // A reader of 0.1 ignores the lines of limited connections.
    let known = life.bytes.split(separator: 0x0a).filter { !$0.starts(with: Array("1\tlimited".utf8)) }
    let older = History(Array(known.joined(separator: [0x0a])), now: life.now) { _ in true }
    #expect(older.outages == history.outages)
  }

  @Test func aMonitorThatEndsWhileLimitedRecordsWhatItSaw() throws {
    var life = Scenario()
    life.limited()
    life.pass(minutes: 3)
    #expect(life.history.limited.map(\.ending) == [.now])
    life.end()
    #expect(life.history.limited.map(\.ending) == [.monitor] && life.history.outages == [])
    life.startAgain()
    life.limited()
    life.kill()
    life.pass(minutes: 3)
    #expect(life.history.limited.last?.ending.isLost == true)
  }

  @Test func anOutageThatLastsGoesOnUntilNow() throws {
    var life = Scenario()
    life.offline()
    life.pass(minutes: 3)
    let outage = try #require(life.history.outages.first)
    #expect(outage.ending == .now)
    #expect(outage.beginning == .monitor)
    #expect(outage.awake == 3 * 60_000)
    #expect(outage.cause.interface == nil)
    #expect(life.totals == .init(outages: 1, offline: 3 * 60_000))
  }

  @Test func aKilledMonitorLeavesAnUnknownEnd() throws {
    var life = Scenario()
    life.online()
    life.pass(minutes: 10)
    life.offline()
    life.pass(minutes: 20)
    life.kill()
    let lost = try #require(life.history.outages.first)
    #expect(lost.ending == .killed(latest: nil))
    life.pass(minutes: 30)
    life.startAgain()
    life.online()
    life.pass(minutes: 60)
    let history = life.history
    let outage = try #require(history.outages.first)
    #expect(outage.ending == .killed(latest: minute(60)))
    #expect((outage.start, outage.end, outage.awake) == (minute(10), minute(10), 0))
    let sum = history.sum(from: minute(0), to: minute(120))
    #expect(sum == .init(outages: 1, offline: 0, watched: 70 * 60_000, isAtLeast: true))
    #expect(history.cell(from: minute(20), to: minute(50)) == .unwatched)
    #expect(history.cell(from: minute(60), to: minute(61)) == .online)
  }

  /// The next monitor finds what the killed one had seen: nothing shows that it ended between them.
  @Test func anOutageAfterAKilledMonitorMayBeTheSameOne() throws {
    var life = Scenario()
    life.offline()
    life.kill()
    life.pass(minutes: 30)
    life.startAgain()
    life.offline()
    life.pass(minutes: 1)
    life.limited()
    life.kill()
    life.pass(minutes: 5)
    life.startAgain()
    life.limited()
    life.kill()
    life.pass(minutes: 5)
    life.startAgain()
    life.offline()
    #expect(life.history.outages.map(\.ending) == [.killed(latest: nil), .known, .now])
    #expect(life.history.limited.map(\.ending) == [.killed(latest: nil), .killed(latest: life.now.wall)])
  }

  @Test func aMonitorThatEndsSaysUntilWhenItKnows() throws {
    var life = Scenario()
    life.offline()
    life.pass(minutes: 5)
    life.end()
    life.pass(minutes: 500)
    life.startAgain()
    life.offline()
    life.pass(minutes: 1)
    life.online()
    let outages = life.history.outages
    #expect(outages.map(\.ending) == [.monitor, .known])
    #expect(outages.map(\.beginning) == [.monitor, .monitor])
    #expect(outages.map(\.awake) == [5 * 60_000, 60_000])
  }

  /// A laptop that loses its network because it is closed keeps no user waiting.
  @Test func sleepIsNotCounted() throws {
    var life = Scenario()
    life.online()
    life.pass(minutes: 1)
    life.offline()
    life.pass(minutes: 600, asleep: true)
    life.pass(minutes: 1)
    life.online()
    let outage = try #require(life.history.outages.first)
    #expect((outage.end - outage.start, outage.awake, outage.asleep) == (601 * 60_000, 60_000, 600 * 60_000))
    #expect(life.totals.offline == 60_000)
    #expect(life.history.sum(from: minute(0), to: minute(602)).watched == 2 * 60_000)
  }

  @Test(arguments: [-600, 600] as [Int64])
  func aClockThatIsSetMakesNoOutageLongerOrShorter(_ step: Int64) throws {
    var life = Scenario()
    life.online()
    life.pass(minutes: 10)
    life.offline()
    life.pass(minutes: 5)
    life.setClock(byMinutes: step)
    life.pass(minutes: 5)
    life.online()
    life.pass(minutes: 5)
    let outage = try #require(life.history.outages.first)
    #expect((outage.start, outage.end) == (minute(10 + step), minute(20 + step)))
    #expect(outage.awake == 10 * 60_000)
    #expect(life.history.sum(from: minute(step), to: minute(25 + step)).availability == 0.6)
  }

  @Test func aMonitorThatSawNothingWritesNothing() {
    var life = Scenario()
    life.note(nil)
    life.end()
    #expect(life.bytes.isEmpty)
    #expect(life.history == History([], now: life.now) { _ in true })
  }

  @Test func partsOfOutagesCountInParts() {
    var life = Scenario()
    life.online()
    life.pass(minutes: 30)
    life.offline()
    life.pass(minutes: 60)
    life.online()
    life.pass(minutes: 30)
    #expect(life.history.sum(from: minute(0), to: minute(60)).offline == 30 * 60_000)
    #expect(life.history.sum(from: minute(60), to: minute(120)).offline == 30 * 60_000)
    #expect(life.history.cell(from: minute(90), to: minute(100)) == .online)
    #expect(life.history.cell(from: minute(200), to: minute(300)) == .unwatched)
  }
}
