import Overline
import OverlineTestThread
import Testing

let still = BannerSettings(motion: .off)
let window = WindowTraits(rows: 24, columns: 80)
let call = BannerAppearance(title: "Call in progress", backgroundColor: .systemGreen, textColor: .white)

@Suite(.ownThread) struct MachineTests {
  @Test func anOutageEffectByEffect() {
    var machine = BannerMachine(settings: still, window: window)
    let offline = BannerFrame(appearance: .offline, detail: "eth0 has no carrier")
    let restored = BannerFrame(appearance: .restored)

    #expect(
      machine.changes(after: .networkLost(cause: "eth0 has no carrier"), at: .seconds(1))
        == [.status(BannerStatus(phase: .grace))])
    #expect(machine.nextDeadline == .milliseconds(1250))
    #expect(!machine.isBannerPresented)
    #expect(
      machine.changes(after: .deadlineReached, at: .milliseconds(1250)) == [
        .inset(TerminalInsets(top: 1)), .frame(offline),
        .status(BannerStatus(phase: .presented, banner: offline, claim: .shown)),
      ])
    #expect(machine.nextDeadline == nil)
    #expect(machine.isBannerPresented)
    #expect(machine.frame == offline)
    #expect(
      machine.changes(after: .networkRestored, at: .seconds(9)) == [
        .frame(restored), .status(BannerStatus(phase: .restored, banner: restored, claim: .shown)),
      ])
    #expect(machine.nextDeadline == .seconds(11))
    #expect(
      machine.changes(after: .deadlineReached, at: .seconds(11)) == [
        .cleared, .inset(TerminalInsets()), .status(BannerStatus(phase: .hidden)),
      ])
    #expect(machine.phase == .hidden)
    #expect(!machine.isBannerPresented)
    #expect(machine.nextDeadline == nil)
  }

  /// What the user may have wanted shows for a minute.
  /// A slow connection was never lost.
  @Test func aQuietTroubleEndsWithoutBackOnline() {
    var machine = BannerMachine(window: WindowTraits(rows: 24, columns: 80))
    machine.handle(.networkFoundLimited(cause: "slow", claim: "poor-quality", manner: .quiet), at: .zero)
    #expect(machine.status.phase == .presented && machine.inset.top == 1)
    machine.handle(.networkRestored, at: .seconds(9))
    #expect(machine.status.phase == .hidden)
    while let deadline = machine.nextDeadline { machine.handle(.deadlineReached, at: deadline) }
    #expect(machine.frame == nil && machine.inset.top == 0 && machine.phase == .hidden)
  }

  @Test func aBriefTroubleIsDismissedByTime() {
    var machine = BannerMachine(settings: still, window: window)
    machine.handle(.networkLimited(cause: "for 12 s", claim: "not-sent", manner: .brief), at: .zero)
    machine.handle(.deadlineReached, at: .milliseconds(250))
    #expect(machine.isBannerPresented)
    // New words do not prolong it.
    machine.handle(.networkLimited(cause: "for 24 s", claim: "not-sent", manner: .brief), at: .seconds(12))
    #expect(machine.frame?.detail == "for 24 s" && machine.nextDeadline == .milliseconds(60_250))
    // A window that opens meanwhile ends with the others.
    var model = OverlayModel(banner: still, window: window)
    _ = model.handle(.banner(.networkFoundLimited(cause: "", claim: "not-sent", manner: .brief)), at: .seconds(20))
    #expect(model.nextDeadline == .seconds(80))
    machine.handle(.deadlineReached, at: .milliseconds(60_250))
    #expect(!machine.isBannerPresented && machine.nextDeadline == nil)
    #expect(machine.status.claim == .none)
    machine.handle(.networkLimited(cause: "for 96 s", claim: "not-sent", manner: .brief), at: .seconds(84))
    machine.handle(.deadlineReached, at: .seconds(85))
    #expect(!machine.isBannerPresented)
    // Its end shows nothing; the next one shows again.
    machine.handle(.networkRestored, at: .seconds(90))
    #expect(machine.phase == .hidden && !machine.isBannerPresented)
    machine.handle(.networkFoundLimited(cause: "", claim: "not-sent", manner: .brief), at: .seconds(100))
    #expect(machine.isBannerPresented && machine.nextDeadline == .seconds(160))
    // A trouble of another kind stays.
    machine.handle(.networkLimited(cause: "captive portal?"), at: .seconds(110))
    #expect(machine.isBannerPresented && machine.nextDeadline == nil)
  }

  /// The network was back for too short a time for this window, and the monitor shows the next outage.
  @Test func aDismissalInTheMonitorEndsThereToo() {
    var machine = BannerMachine(settings: still, window: window)
    machine.handle(.networkFoundLost(cause: "eth0 has no carrier"), at: .zero)
    machine.handle(.troubleShownElsewhere, at: .zero)
    #expect(machine.isBannerPresented)
    machine.handle(.troubleDismissedElsewhere, at: .seconds(1))
    #expect(!machine.isBannerPresented && machine.status.claim == .dismissed)
    machine.handle(.troubleShownElsewhere, at: .seconds(2))
    #expect(machine.isBannerPresented && machine.status.claim == .shown)
    machine.handle(.networkRestored, at: .seconds(3))
    machine.handle(.deadlineReached, at: .seconds(9))
    machine.handle(.troubleShownElsewhere, at: .seconds(9))
    #expect(!machine.isBannerPresented)
  }

  @Test func earlyAndRepeatedDeadlinesDoNothing() {
    var machine = BannerMachine(settings: still, window: window)
    machine.handle(.networkLost(cause: ""), at: .zero)
    #expect(machine.changes(after: .deadlineReached, at: .milliseconds(249)) == [])
    #expect(machine.changes(after: .deadlineReached, at: .milliseconds(250)).frames.count == 1)
    #expect(machine.changes(after: .deadlineReached, at: .milliseconds(250)) == [])
    #expect(machine.changes(after: .deadlineReached, at: .seconds(1000)) == [])
  }

  @Test func withoutGraceTheBannerShowsInTheSameCall() {
    var settings = still
    settings.graceDelay = .zero
    var machine = BannerMachine(settings: settings, window: window)
    let effects = machine.changes(after: .networkLost(cause: ""), at: .seconds(5))
    #expect(effects.frames.count == 1)
    #expect(effects.statuses.map(\.phase) == [.presented])
  }

  @Test func theCauseChangesInPlaceAndDoesNotStartTheGraceAnew() {
    var machine = BannerMachine(settings: still, window: window)
    machine.handle(.networkLost(cause: "one"), at: .zero)
    machine.handle(.networkLost(cause: "two"), at: .milliseconds(200))
    #expect(machine.changes(after: .deadlineReached, at: .milliseconds(250)).frames.map(\.detail) == ["two"])
    let effects = machine.changes(after: .networkLost(cause: "three"), at: .seconds(3))
    #expect(effects.frames == [BannerFrame(appearance: .offline, detail: "three")])
    #expect(effects.insets == [])
    #expect(machine.nextDeadline == nil)
  }

  @Test func presentingAgainUpdatesInPlaceAndIsRemembered() {
    var machine = BannerMachine(settings: still, window: window)
    #expect(machine.changes(after: .bannerPresented(call), at: .seconds(1)).insets == [TerminalInsets(top: 1)])
    let renamed = BannerAppearance.Builder(call).title("Call on hold").appearance
    let effects = machine.changes(after: .bannerPresented(renamed), at: .seconds(2))
    #expect(effects.frames.map(\.appearance) == [renamed])
    #expect(effects.insets == [])
    machine.handle(.customBannerDismissed, at: .seconds(3))
    #expect(machine.lastAppearance == renamed)
    #expect(machine.frame == nil)
  }

  @Test func theInsetIsAtTheBannersEdge() {
    var traits = window
    traits.edge = .bottom
    var machine = BannerMachine(settings: still, window: traits)
    #expect(machine.changes(after: .bannerPresented(call), at: .zero).insets == [TerminalInsets(bottom: 1)])
    #expect(machine.changes(after: .customBannerDismissed, at: .zero).insets == [TerminalInsets()])
  }

  @Test func aTallerBannerReservesBeforeItDrawsAndALowerOneAfter() {
    var tall = call
    tall.height = 3
    var machine = BannerMachine(settings: still, window: window)
    machine.handle(.bannerPresented(call), at: .zero)
    #expect(
      machine.changes(after: .bannerPresented(tall), at: .seconds(1)).prefix(2) == [
        .inset(TerminalInsets(top: 3)), .frame(BannerFrame(appearance: tall)),
      ])
    #expect(
      machine.changes(after: .bannerPresented(call), at: .seconds(2)).prefix(2) == [
        .frame(BannerFrame(appearance: call)), .inset(TerminalInsets(top: 1)),
      ])
  }

  @Test func aWindowThatShrinksShowsTheCompactBannerThenNone() {
    var tall = call
    tall.height = 3
    tall.titleTopInset = 1
    var machine = BannerMachine(window: window)
    machine.handle(.bannerPresented(tall), at: .zero)
    _ = machine.run(until: .seconds(1))
    let compact = machine.changes(after: .windowResized(rows: 15, columns: 80), at: .seconds(2))
    #expect(compact.frames.first?.appearance.height == 1)
    #expect(compact.insets == [TerminalInsets(top: 1)])
    let none = machine.changes(after: .windowResized(rows: 4, columns: 80), at: .seconds(3))
    #expect(none == [.cleared, .inset(TerminalInsets())])
    #expect(machine.isBannerPresented)
  }

  @Test func aWindowThatBecomesTooLowWhileTheBannerGoesHasItsRowsBackAtOnce() {
    var machine = BannerMachine(window: window)
    machine.handle(.bannerPresented(call), at: .zero)
    _ = machine.run(until: .seconds(1))
    machine.handle(.customBannerDismissed, at: .seconds(2))
    #expect(machine.frame != nil)
    let effects = machine.changes(after: .windowResized(rows: 4, columns: 80), at: .milliseconds(2050))
    #expect(effects == [.cleared, .inset(TerminalInsets())])
    #expect(machine.nextDeadline == nil)
  }

  @Test func newSettingsApplyToWhatShows() {
    var machine = BannerMachine(settings: still, window: window)
    machine.handle(.networkFoundLost(cause: ""), at: .zero)
    var changed = still
    changed.offline.title = "Kein Netz"
    #expect(
      machine.changes(after: .settingsChanged(changed), at: .seconds(1)).frames.map(\.appearance.title) == ["Kein Netz"]
    )
    machine.handle(.networkRestored, at: .seconds(2))
    changed.hideDelay = .seconds(10)
    machine.handle(.settingsChanged(changed), at: .seconds(3))
    #expect(machine.nextDeadline == .seconds(12))
  }

  @Test("new settings keep a dismissed banner dismissed, and a custom one is no claim") func dismissalAndSettings() {
    var machine = BannerMachine(settings: still, window: window)
    machine.handle(.networkFoundLost(cause: "the router does not answer (43 s)", claim: "the router"), at: .zero)
    #expect(
      machine.changes(after: .claimDismissed, at: .seconds(1)) == [
        .cleared, .inset(TerminalInsets()), .status(BannerStatus(phase: .hidden, claim: .dismissed)),
      ])
    var changed = still
    changed.offline.title = "Kein Netz"
    #expect(machine.changes(after: .settingsChanged(changed), at: .seconds(2)) == [])
    // The time in the words grows, and the claim is the same.
    let later = BannerEvent.networkLost(cause: "the router does not answer (86 s)", claim: "the router")
    #expect(machine.changes(after: later, at: .seconds(43)) == [])
    machine.handle(.bannerPresented(call), at: .seconds(44))
    #expect(machine.status == BannerStatus(phase: .presented, banner: BannerFrame(appearance: call), claim: .dismissed))
    machine.handle(.networkLost(cause: "another router"), at: .seconds(50))
    machine.handle(.deadlineReached, at: .seconds(51))
    #expect(machine.status.claim == .shown && machine.frame?.appearance.title == "Kein Netz")
  }

  @Test func enforcedContrastCorrectsWhatShows() throws {
    var settings = still
    settings.contrast = .enforce
    settings.offline.textColor = .rgb(.init(0x99, 0x33, 0x33))
    var machine = BannerMachine(settings: settings, window: window)
    let frame = try #require(machine.changes(after: .networkFoundLost(cause: ""), at: .zero).frames.first)
    #expect(frame.appearance.contrastWarning == nil)
    #expect(frame.appearance.backgroundColor == .systemRed)
  }

  @Test func observersKeepHearingWhatABannerWillBe() {
    var machine = BannerMachine(window: window)
    let presented = machine.changes(after: .bannerPresented(call), at: .zero)
    #expect(presented.statuses == [BannerStatus(phase: .presented, banner: BannerFrame(appearance: call))])
    #expect(machine.run(until: .seconds(1)).statuses == [])
    // The custom banner still shows during the loss's grace delay: no new status.
    #expect(machine.changes(after: .networkLost(cause: ""), at: .seconds(2)).statuses == [])
    #expect(
      machine.changes(after: .customBannerDismissed, at: .milliseconds(2100)).statuses == [BannerStatus(phase: .grace)])
  }
}
