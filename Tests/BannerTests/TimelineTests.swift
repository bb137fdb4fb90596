import Overline
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Every arrow of the phase diagram. Grace is two ticks, the hide delay three.
@Suite(.ownThread) struct TimelineTests {
  @Test(arguments: [
    // An outage: the banner shows after the grace delay, Back online follows, then it disappears.
    ("u---s-----", "--P-R--D--"),
    // A loss shorter than the grace delay shows nothing; starting online neither.
    ("us--------", "----------"),
    ("u-u-------", "--P-------"),
    ("s---------", "----------"),
    // The banner stays while the outage lasts.
    ("u-----------------------------", "--P---------------------------"),
    // Offline again while Back online shows: at once, and the hide is cancelled.
    ("u---s-u------", "--P-R-P------"),
    ("u---s-u-s----", "--P-R-P-R--D-"),
    // Offline again after the banner has gone: a new grace delay.
    ("u---s---u---", "--P-R--D--P-"),
    // A window that starts late shows the banner at once, even if it received the loss twice.
    ("o-----", "P-----"),
    ("uo----", "-P----"),
    ("o--s---", "P--R--D"),
    // Dismissed by the user: nothing until the next loss or another cause, and no Back online.
    ("u---x-----s----u---", "--P-D------------P-"),
    ("u---x-v---", "--P-D---P-"),
    ("u---x-u---s----", "--P-D----------"),
    ("u---sx---", "--P-RD---"),
    ("ux----", "--P---"),
    ("x-----", "------"),
  ])
  func networkBanner(script: String, shown: String) {
    #expect(timeline(script) == shown)
  }

  /// The same arrows with another banner, which is never reported as an outage.
  @Test(arguments: [
    ("l---s-----", "--L-R--D--"),
    ("ls--------", "----------"),
    ("l-----------", "--L---------"),
    ("m--s---", "L--R--D"),
    ("l---sl-----", "--L-RL-----"),
    // Each takes the other's place at once; if the first has not shown yet, its grace delay applies to the second.
    ("l---u---l---s---", "--L-P---L---R--D"),
    ("lu----", "--P---"),
    ("ul----", "--L---"),
    ("u---s-l-s---", "--P-R-L-R--D"),
    // A dismissed banner stays hidden; the other one is new and shows.
    ("l---x-l---s---", "--L-D---------"),
    ("l---x-u---s---", "--L-D---P-R--D"),
    ("u---x-l---u-s---", "--P-D---L-P-R--D"),
    ("u---x-m-", "--P-D-L-"),
    // It takes precedence over a custom banner.
    ("c-l---s-----d", "C---L-R--C--D"),
  ])
  func limitedConnection(script: String, shown: String) {
    #expect(timeline(script) == shown)
  }

  @Test(arguments: [
    ("c---d--", "C---D--"),
    ("c---x--", "C---D--"),
    ("d------", "-------"),
    // The network's banner takes precedence while offline; then the custom one returns.
    ("c-u---s-----d", "C---P-R--C--D"),
    ("u--c--s-----d", "--P---R--C--D"),
    ("c-us------", "C---------"),
    ("c-u---x--s-d", "C---P-C----D"),
    // Dismissed while behind the network's banner, it does not return.
    ("c-u--d--s----", "C---P---R--D-"),
    // Presented while Back online still shows.
    ("u--s-c----", "--PR--C---"),
  ])
  func bannerForAnythingElse(script: String, shown: String) {
    #expect(timeline(script) == shown)
  }

  /// The notice that the window's program has no answer.
  @Test(arguments: [
    ("n---N---", "N---D---"),
    ("nnn-N---", "N---D---"),
    ("N-------", "--------"),
    // The network's banners take precedence; the notice shows before them, and after Back online.
    ("n-u---s-----N", "N---P-R--N--D"),
    ("n-l---s-----N", "N---L-R--N--D"),
    ("u-n---s---N--", "--P---R--ND--"),
    ("u---n-N-s----", "--P-----R--D-"),
    // It takes precedence over a custom banner.
    ("c-n---N---d", "C-N---C---D"),
    ("n-c---N---d", "N-----C---D"),
    // Dismissed by the user, it stays hidden until it has ended once.
    ("n-x-n-N-n-", "N-D-----N-"),
    ("c-n-x-n-d-N-", "C-N-C---D---"),
    // While the user keeps the network's banner dismissed, no notice shows: the user knows why the program waits.
    ("u---x-n-s-", "--P-D---N-"),
  ])
  func programNotice(script: String, shown: String) {
    #expect(timeline(script) == shown)
  }

  /// `overline dismiss`, in the monitor or in this window.
  @Test(arguments: [
    // Hidden while the claim stays the same; then no Back online.
    ("u---X-----u-s----", "--P-D------------"),
    ("l---X-l---s---", "--L-D---------"),
    // Another cause is another claim, and shows after its grace delay; it has a Back online again.
    ("u---X-v---s-----", "--P-D---P-R--D--"),
    ("u---X-vs--", "--P-D-----"),
    ("u---X-l---X-u---s---", "--P-D---L-D---P-R--D"),
    // The network was back in between: a new outage.
    ("u---X-s-u---", "--P-D-----P-"),
    ("u---sX---", "--P-RD---"),
    // Nothing shows yet, so the user cannot call it wrong.
    ("uX----", "--P---"),
    ("X-----", "------"),
    // A custom banner is no claim.
    ("c-X---d--", "C-----D--"),
    ("c-u---X--X-d", "C---P-C----D"),
    ("n-X-n-N-n-", "N-D-----N-"),
    // In a window that follows the monitor, also while the banner waits, and without the notice about the program.
    ("u---e---u-s---", "--P-D---------"),
    ("ue----v---", "--------P-"),
    ("o-e--v---", "P-D----P-"),
    ("n-e---N-", "N-----D-"),
    ("u---s-e--", "--P-R--D-"),
  ])
  func dismissedClaim(script: String, shown: String) {
    #expect(timeline(script) == shown)
  }

  /// Each second it has other words, in the same colours.
  @Test func newWordsTakeOneFrame() {
    var machine = BannerMachine(settings: BannerSettings(motion: .on), window: .reference)
    machine.handle(.noticePresented("ssh: last answer 3 s ago"), at: .zero)
    while let deadline = machine.nextDeadline { machine.handle(.deadlineReached, at: deadline) }
    machine.handle(.noticePresented("ssh: last answer 4 s ago"), at: .seconds(1))
    #expect(machine.nextDeadline == nil)
    #expect(machine.frame?.appearance.title == "ssh: last answer 4 s ago")
  }

  @Test(arguments: [
    // A window that is too low shows nothing; high again it shows the current banner.
    ("u--w--W--", "--PD--P--"),
    ("wu----W--", "------P--"),
    // Back online is not announced if the loss never was.
    ("wu--s-W--", "---------"),
    ("u---sw---", "--P-RD---"),
  ])
  func windowHeight(script: String, shown: String) {
    #expect(timeline(script) == shown)
  }

  @Test(arguments: [
    // A hide delay that passed during sleep ends on resume.
    ("u---szzzzzz-", "--P-R------D"),
    // An outage that began before sleep shows at resume, not a grace delay later.
    ("uzzzz-----", "-----P----"),
  ])
  func suspend(script: String, shown: String) {
    #expect(timeline(script) == shown)
  }

  /// The driver receives the network's event before it delivers the deadline that passed during sleep.
  @Test func aLossThatWasSleptThroughShowsNothing() {
    var machine = BannerMachine(window: .reference)
    machine.handle(.networkLost(cause: ""), at: .seconds(1))
    #expect(machine.changes(after: .networkRestored, at: .seconds(900)) == [.status(BannerStatus(phase: .hidden))])
  }

  @Test func graceMayBeZero() {
    #expect(timeline("u--s-----", grace: 0) == "P--R--D--")
  }

  @Test func motionEndsAfterTheHideDelay() {
    // At 100 ms a tick, a banner takes 250 ms to disappear after its hide delay of 3 ticks: from 7 to 9.5.
    #expect(timeline("u---s-------", tick: .milliseconds(100), motion: true) == "--P-R-----D-")
    // Lost at 8 while it disappears: shown at once.
    #expect(timeline("u---s---u---", tick: .milliseconds(100), motion: true) == "--P-R---P---")
  }
}
