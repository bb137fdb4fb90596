import NetworkPath
import OverlineTestThread
import Testing

/// Events of a path monitor without a kernel message.
@Suite(.ownThread) struct PathMachineLifeTests {
  private let online = PathEvaluation(path: NWPath(status: .satisfied, explanation: "online", supportsIPv4: true))
  private let silent = PathEvaluation(
    path: NWPath(status: .unsatisfied, reason: .noRoute, explanation: "offline"), mayChangeUnannounced: true)
  private let unanswered = PathEvaluation(path: NWPath(status: .satisfied, isKnown: false, reason: .noNetlink))

  /// A machine that has read the tables at time 0, with this result, and been quiet for a second.
  private func watching(_ evaluation: PathEvaluation, interval: Duration = .seconds(30)) -> PathMachine {
    var machine = PathMachine(unannouncedInterval: interval)
    _ = machine.handle(.deadlinePassed, at: .zero)
    _ = machine.handle(.opened, at: .zero)
    _ = machine.handle(.dumped([], complete: true), at: .zero)
    _ = machine.handle(.evaluated(evaluation), at: .zero)
    _ = machine.handle(.deadlinePassed, at: .seconds(1))
    return machine
  }

  // MARK: Clock

  @Test func readsEverythingAgainWhenTheClockHasStepped() {
    var machine = watching(online)
    #expect(machine.handle(.clockStepped, at: .seconds(5)) == [.dump])
    #expect(machine.handle(.dumped([], complete: true), at: .seconds(5)) == [.evaluate])
    #expect(machine.handle(.evaluated(online), at: .seconds(5)) == [])
    _ = machine.handle(.deadlinePassed, at: .seconds(6))
    #expect(machine.nextDeadline == nil)
  }

  /// After waking, a laptop does not wait for the rest of half a minute.
  @Test func opensAtOnceWhenTheClockHasSteppedWhileItWasWaitingToTryAgain() {
    var machine = PathMachine()
    _ = machine.handle(.deadlinePassed, at: .zero)
    _ = machine.handle(.failed(why: "cannot try"), at: .zero)
    #expect(machine.nextDeadline != nil)
    #expect(machine.handle(.clockStepped, at: .milliseconds(1)) == [.open])
    #expect(machine.nextDeadline == nil)
    // It is under way already.
    #expect(machine.handle(.clockStepped, at: .milliseconds(2)) == [])
  }

  @Test func anOverrunIsReadAfterItsPauseAlsoWhenTheClockSteps() {
    var machine = watching(online)
    _ = machine.handle(.overran, at: .seconds(5))
    #expect(machine.handle(.clockStepped, at: .seconds(5)) == [])
    #expect(machine.nextDeadline == .milliseconds(5100))
  }

  // MARK: Nameservers

  @Test func editsOfResolvConfAreLookedIntoAsABurst() {
    var machine = watching(online)
    #expect(machine.handle(.resolverChanged, at: .seconds(5)) == [.evaluate])
    #expect(machine.handle(.resolverChanged, at: .milliseconds(5010)) == [])
    #expect(machine.handle(.resolverChanged, at: .milliseconds(5020)) == [])
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(5050)) == [.evaluate])
    _ = machine.handle(.deadlinePassed, at: .milliseconds(5100))
    #expect(machine.nextDeadline == nil)
  }

  // MARK: Routes that are not announced

  @Test func looksEveryThirtySecondsOnlyWhileThePathMayChangeUnannounced() {
    var machine = watching(silent)
    for round in 1...3 {
      let time = Duration.seconds(30 * round)
      #expect(machine.nextDeadline == time)
      #expect(machine.handle(.deadlinePassed, at: time - .milliseconds(1)) == [])
      #expect(machine.handle(.deadlinePassed, at: time) == [.evaluate])
      #expect(machine.handle(.evaluated(silent), at: time) == [])
    }
    #expect(machine.handle(.deadlinePassed, at: .seconds(120)) == [.evaluate])
    #expect(machine.handle(.evaluated(online), at: .seconds(120)) == [.publish(online.path)])
    #expect(machine.nextDeadline == nil)
  }

  @Test func aMessagePutsTheNextLookOff() {
    var machine = watching(silent)
    #expect(machine.handle(.received([.routingChanged]), at: .seconds(20)) == [.evaluate])
    _ = machine.handle(.evaluated(silent), at: .seconds(20))
    #expect(machine.handle(.received([.routingChanged]), at: .milliseconds(20_010)) == [])
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(20_050)) == [.evaluate])
    _ = machine.handle(.evaluated(silent), at: .milliseconds(20_050))
    _ = machine.handle(.deadlinePassed, at: .milliseconds(20_100))
    #expect(machine.nextDeadline == .milliseconds(50_050))
  }

  // MARK: Routes that end (K29)

  private func online(for lifetime: Duration?) -> PathEvaluation {
    PathEvaluation(path: online.path, lifetime: lifetime)
  }

  @Test func looksOnceWhenARouterIsOver() {
    var machine = watching(online(for: .seconds(60)))
    #expect(machine.nextDeadline == .milliseconds(60_050))
    #expect(machine.handle(.deadlinePassed, at: .seconds(60)) == [])
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(60_050)) == [.evaluate])
    _ = machine.handle(.evaluated(online(for: nil)), at: .milliseconds(60_051))
    #expect(machine.nextDeadline == nil)
  }

  @Test func aRefreshedLifetimePutsTheLookOff() {
    var machine = watching(online(for: .seconds(60)))
    #expect(machine.handle(.received([.routingChanged]), at: .seconds(50)) == [.evaluate])
    _ = machine.handle(.evaluated(online(for: .seconds(60))), at: .seconds(50))
    _ = machine.handle(.deadlinePassed, at: .milliseconds(50_050))
    #expect(machine.nextDeadline == .milliseconds(110_050))
    // A default route that lasts comes in its place.
    #expect(machine.handle(.received([.routingChanged]), at: .seconds(70)) == [.evaluate])
    _ = machine.handle(.evaluated(online(for: nil)), at: .seconds(70))
    _ = machine.handle(.deadlinePassed, at: .milliseconds(70_050))
    #expect(machine.nextDeadline == nil)
  }

  /// The kernel counts in hundredths of a second, and reports less than one as no expiry.
  @Test func theLastHundredthOfASecondIsNoEternity() {
    var machine = watching(online(for: .seconds(60)))
    #expect(machine.handle(.received([.routingChanged]), at: .milliseconds(59_995)) == [.evaluate])
    _ = machine.handle(.evaluated(online(for: nil)), at: .milliseconds(59_995))
    _ = machine.handle(.deadlinePassed, at: .milliseconds(60_045))
    #expect(machine.nextDeadline == .milliseconds(60_050))
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(60_050)) == [.evaluate])
  }

  @Test func theEarlierDeadlineCounts() {
    func next(_ lifetime: Duration) -> Duration? {
      watching(PathEvaluation(path: silent.path, mayChangeUnannounced: true, lifetime: lifetime)).nextDeadline
    }
    #expect(next(.seconds(5)) == .milliseconds(5050))
    #expect(next(.seconds(1800)) == .seconds(30))
  }

  // MARK: A kernel that does not answer

  @Test func aQueryThatFailsOnceIsRepeatedOnNewSocketsAndNotReported() {
    var machine = watching(online)
    _ = machine.handle(.received([.routingChanged]), at: .seconds(5))
    #expect(machine.handle(.evaluated(unanswered), at: .seconds(5)) == [.close])
    #expect(machine.path?.status == .satisfied)
    #expect(machine.nextDeadline == .milliseconds(5100))
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(5100)) == [.open])
    _ = machine.handle(.opened, at: .milliseconds(5100))
    _ = machine.handle(.dumped([], complete: true), at: .milliseconds(5100))
    #expect(machine.handle(.evaluated(online), at: .milliseconds(5100)) == [])
  }

  /// Even when sockets and dumps work: some sandboxes allow those but no look-up.
  @Test func failingQueriesAreRepeatedAtGrowingIntervalsAndReportedAsUnknown() {
    var machine = PathMachine()
    var now = Duration.zero
    var pauses: [Duration] = []
    var told: [NWPath] = []
    for _ in 0..<12 {
      #expect(machine.handle(.deadlinePassed, at: now) == [.open])
      #expect(machine.handle(.opened, at: now) == [.dump])
      #expect(machine.handle(.dumped([], complete: true), at: now) == [.evaluate])
      for effect in machine.handle(.evaluated(unanswered), at: now) {
        if case .publish(let path) = effect { told.append(path) }
      }
      pauses.append(machine.nextDeadline! - now)
      now = machine.nextDeadline!
    }
    #expect(told.map(\.isKnown) == [false])
    #expect(pauses.prefix(4) == [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)])
    #expect(pauses.last == .seconds(30))
  }
}
