import Overline
import OverlineTestKit
import Testing

/// Every arrow of the phase diagram. Grace is two ticks, the hide delay three.
@Suite struct TimelineTests {
  @Test(arguments: [
    // An outage: it shows after the grace delay, is followed by Back online, and goes.
    ("u---s-----", "--P-R--D--"),
    // A loss shorter than the grace delay shows nothing; starting online neither.
    ("us--------", "----------"),
    ("u-u-------", "--P-------"),
    ("s---------", "----------"),
    // Presented persists.
    ("u-----------------------------", "--P---------------------------"),
    // Offline again while Back online shows: at once, and the hide is cancelled.
    ("u---s-u------", "--P-R-P------"),
    ("u---s-u-s----", "--P-R-P-R--D-"),
    // Offline again after it is gone: the grace delay anew.
    ("u---s---u---", "--P-R--D--P-"),
    // A late window shows at once, also when it heard of the loss twice.
    ("o-----", "P-----"),
    ("uo----", "-P----"),
    ("o--s---", "P--R--D"),
    // Dismissed by the user: nothing until the next loss, and no Back online.
    ("u---x-----s----u---", "--P-D------------P-"),
    ("u---x-u---s----", "--P-D----------"),
    ("u---sx---", "--P-RD---"),
    ("ux----", "--P---"),
    ("x-----", "------"),
  ])
  func networkBanner(script: String, shown: String) {
    #expect(timeline(script) == shown)
  }

  /// The same arrows with another banner, which is never called an outage.
  @Test(arguments: [
    ("l---s-----", "--L-R--D--"),
    ("ls--------", "----------"),
    ("l-----------", "--L---------"),
    ("m--s---", "L--R--D"),
    ("l---sl-----", "--L-RL-----"),
    // Each takes the other's place at once, and one that has not shown yet leaves its grace delay to the other.
    ("l---u---l---s---", "--L-P---L---R--D"),
    ("lu----", "--P---"),
    ("ul----", "--L---"),
    ("u---s-l-s---", "--P-R-L-R--D"),
    // Dismissed, it stays away; the other one is news.
    ("l---x-l---s---", "--L-D---------"),
    ("l---x-u---s---", "--L-D---P-R--D"),
    ("u---x-l---u-s---", "--P-D---L-P-R--D"),
    ("u---x-m-", "--P-D-L-"),
    // It wins over a banner for anything else.
    ("c-l---s-----d", "C---L-R--C--D"),
  ])
  func limitedConnection(script: String, shown: String) {
    #expect(timeline(script) == shown)
  }

  @Test(arguments: [
    ("c---d--", "C---D--"),
    ("c---x--", "C---D--"),
    ("d------", "-------"),
    // The network's wins while offline, the other returns.
    ("c-u---s-----d", "C---P-R--C--D"),
    ("u--c--s-----d", "--P---R--C--D"),
    ("c-us------", "C---------"),
    ("c-u---x--s-d", "C---P-C----D"),
    // Dismissed behind the network's banner it does not return.
    ("c-u--d--s----", "C---P---R--D-"),
    // Presented while Back online is still to go.
    ("u--s-c----", "--PR--C---"),
  ])
  func bannerForAnythingElse(script: String, shown: String) {
    #expect(timeline(script) == shown)
  }

  @Test(arguments: [
    // A window too low shows nothing; high again it shows what it should.
    ("u--w--W--", "--PD--P--"),
    ("wu----W--", "------P--"),
    // Nobody is told that something is back who was not told that it had gone.
    ("wu--s-W--", "---------"),
    ("u---sw---", "--P-RD---"),
  ])
  func windowHeight(script: String, shown: String) {
    #expect(timeline(script) == shown)
  }

  @Test(arguments: [
    // A hide delay that ended during sleep ends on resume.
    ("u---szzzzzz-", "--P-R------D"),
    // An outage that began before sleep shows on resume, not a grace delay later.
    ("uzzzz-----", "-----P----"),
  ])
  func suspend(script: String, shown: String) {
    #expect(timeline(script) == shown)
  }

  /// The driver hears of the network before it delivers the deadline that passed during sleep.
  @Test func aLossThatWasSleptThroughShowsNothing() {
    var machine = BannerMachine(window: .reference)
    _ = machine.handle(.networkLost(cause: ""), at: .seconds(1))
    #expect(machine.handle(.networkRestored, at: .seconds(900)) == [.publish(BannerStatus(phase: .hidden))])
  }

  @Test func graceMayBeZero() {
    #expect(timeline("u--s-----", grace: 0) == "P--R--D--")
  }

  @Test func motionEndsAfterTheHideDelay() {
    // At 100 ms a tick, a banner takes 250 ms to go after its hide delay of 3 ticks: from 7 to 9.5.
    #expect(timeline("u---s-------", tick: .milliseconds(100), motion: true) == "--P-R-----D-")
    // Lost at 8 while it goes: shown at once.
    #expect(timeline("u---s---u---", tick: .milliseconds(100), motion: true) == "--P-R---P---")
  }
}
