import Overline
import OverlineTestThread
import Testing

let still = BannerSettings(motion: .off)
let window = WindowTraits(rows: 24, columns: 80)
let call = Appearance(title: "Call in progress", backgroundColor: .systemGreen, textColor: .white)

extension BannerMachine {
  /// Delivers every deadline up to `end` at its own time.
  mutating func run(until end: Duration) -> [BannerEffect] {
    var effects: [BannerEffect] = []
    while let deadline = nextDeadline, deadline <= end { effects += handle(.deadlineReached, at: deadline) }
    return effects
  }
}

extension [BannerEffect] {
  var frames: [BannerFrame] {
    compactMap { if case .draw(let frame) = $0 { frame } else { nil } }
  }
  var insets: [Inset] {
    compactMap { if case .setInset(let inset, _) = $0 { inset } else { nil } }
  }
  var statuses: [BannerStatus] {
    compactMap { if case .publish(let status) = $0 { status } else { nil } }
  }
}

@Suite(.ownThread) struct MachineTests {
  @Test func anOutageEffectByEffect() {
    var machine = BannerMachine(settings: still, window: window)
    let offline = BannerFrame(appearance: .offline, detail: "eth0 has no carrier")
    let restored = BannerFrame(appearance: .restored)

    #expect(
      machine.handle(.networkLost(cause: "eth0 has no carrier"), at: .seconds(1))
        == [.publish(BannerStatus(phase: .grace))])
    #expect(machine.nextDeadline == .milliseconds(1250))
    #expect(!machine.isBannerPresented)
    #expect(
      machine.handle(.deadlineReached, at: .milliseconds(1250)) == [
        .setInset(Inset(top: 1), sequence: 1), .draw(offline),
        .publish(BannerStatus(phase: .presented, banner: offline)),
      ])
    #expect(machine.nextDeadline == nil)
    #expect(machine.isBannerPresented)
    #expect(machine.frame == offline)
    #expect(
      machine.handle(.networkRestored, at: .seconds(9)) == [
        .draw(restored), .publish(BannerStatus(phase: .restored, banner: restored)),
      ])
    #expect(machine.nextDeadline == .seconds(11))
    #expect(
      machine.handle(.deadlineReached, at: .seconds(11)) == [
        .clear, .setInset(Inset(), sequence: 2), .publish(BannerStatus(phase: .hidden)),
      ])
    #expect(machine.phase == .hidden)
    #expect(!machine.isBannerPresented)
    #expect(machine.nextDeadline == nil)
  }

  @Test func earlyAndRepeatedDeadlinesDoNothing() {
    var machine = BannerMachine(settings: still, window: window)
    _ = machine.handle(.networkLost(cause: ""), at: .zero)
    #expect(machine.handle(.deadlineReached, at: .milliseconds(249)) == [])
    #expect(machine.handle(.deadlineReached, at: .milliseconds(250)).frames.count == 1)
    #expect(machine.handle(.deadlineReached, at: .milliseconds(250)) == [])
    #expect(machine.handle(.deadlineReached, at: .seconds(1000)) == [])
  }

  @Test func withoutGraceTheBannerShowsInTheSameCall() {
    var settings = still
    settings.graceDelay = .zero
    var machine = BannerMachine(settings: settings, window: window)
    let effects = machine.handle(.networkLost(cause: ""), at: .seconds(5))
    #expect(effects.frames.count == 1)
    #expect(effects.statuses.map(\.phase) == [.presented])
  }

  @Test func theCauseChangesInPlaceAndDoesNotStartTheGraceAnew() {
    var machine = BannerMachine(settings: still, window: window)
    _ = machine.handle(.networkLost(cause: "one"), at: .zero)
    _ = machine.handle(.networkLost(cause: "two"), at: .milliseconds(200))
    #expect(machine.handle(.deadlineReached, at: .milliseconds(250)).frames.map(\.detail) == ["two"])
    let effects = machine.handle(.networkLost(cause: "three"), at: .seconds(3))
    #expect(effects.frames == [BannerFrame(appearance: .offline, detail: "three")])
    #expect(effects.insets == [])
    #expect(machine.nextDeadline == nil)
  }

  @Test func presentingAgainUpdatesInPlaceAndIsRemembered() {
    var machine = BannerMachine(settings: still, window: window)
    #expect(machine.handle(.bannerPresented(call), at: .seconds(1)).insets == [Inset(top: 1)])
    let renamed = AppearanceBuilder(call).title("Call on hold").appearance
    let effects = machine.handle(.bannerPresented(renamed), at: .seconds(2))
    #expect(effects.frames.map(\.appearance) == [renamed])
    #expect(effects.insets == [])
    _ = machine.handle(.customBannerDismissed, at: .seconds(3))
    #expect(machine.lastAppearance == renamed)
    #expect(machine.frame == nil)
  }

  @Test func theInsetIsAtTheBannersEdge() {
    var traits = window
    traits.edge = .bottom
    var machine = BannerMachine(settings: still, window: traits)
    #expect(machine.handle(.bannerPresented(call), at: .zero).insets == [Inset(bottom: 1)])
    #expect(machine.handle(.customBannerDismissed, at: .zero).insets == [Inset()])
  }

  @Test func aTallerBannerReservesBeforeItDrawsAndALowerOneAfter() {
    var tall = call
    tall.height = 3
    var machine = BannerMachine(settings: still, window: window)
    _ = machine.handle(.bannerPresented(call), at: .zero)
    #expect(
      machine.handle(.bannerPresented(tall), at: .seconds(1)).prefix(2) == [
        .setInset(Inset(top: 3), sequence: 2), .draw(BannerFrame(appearance: tall)),
      ])
    #expect(
      machine.handle(.bannerPresented(call), at: .seconds(2)).prefix(2) == [
        .draw(BannerFrame(appearance: call)), .setInset(Inset(top: 1), sequence: 3),
      ])
  }

  @Test func aWindowThatShrinksShowsTheCompactBannerThenNone() {
    var tall = call
    tall.height = 3
    tall.titleTopInset = 1
    var machine = BannerMachine(window: window)
    _ = machine.handle(.bannerPresented(tall), at: .zero)
    _ = machine.run(until: .seconds(1))
    let compact = machine.handle(.windowResized(rows: 15, columns: 80), at: .seconds(2))
    #expect(compact.frames.first?.appearance.height == 1)
    #expect(compact.insets == [Inset(top: 1)])
    let none = machine.handle(.windowResized(rows: 4, columns: 80), at: .seconds(3))
    #expect(none == [.clear, .setInset(Inset(), sequence: 3)])
    #expect(machine.isBannerPresented)
  }

  @Test func aWindowThatBecomesTooLowWhileTheBannerGoesHasItsRowsBackAtOnce() {
    var machine = BannerMachine(window: window)
    _ = machine.handle(.bannerPresented(call), at: .zero)
    _ = machine.run(until: .seconds(1))
    _ = machine.handle(.customBannerDismissed, at: .seconds(2))
    #expect(machine.frame != nil)
    let effects = machine.handle(.windowResized(rows: 4, columns: 80), at: .milliseconds(2050))
    #expect(effects == [.clear, .setInset(Inset(), sequence: 2)])
    #expect(machine.nextDeadline == nil)
  }

  @Test func aResizedWindowIsPaintedAgain() {
    var machine = BannerMachine(settings: still, window: window)
    #expect(machine.handle(.windowResized(rows: 30, columns: 90), at: .zero) == [])
    _ = machine.handle(.bannerPresented(call), at: .zero)
    #expect(machine.handle(.windowResized(rows: 30, columns: 60), at: .zero) == [.draw(BannerFrame(appearance: call))])
    #expect(machine.handle(.windowResized(rows: 30, columns: 60), at: .zero) == [])
  }

  @Test func newSettingsApplyToWhatShows() {
    var machine = BannerMachine(settings: still, window: window)
    _ = machine.handle(.networkFoundLost(cause: ""), at: .zero)
    var changed = still
    changed.offline.title = "Kein Netz"
    #expect(machine.handle(.settingsChanged(changed), at: .seconds(1)).frames.map(\.appearance.title) == ["Kein Netz"])
    _ = machine.handle(.networkRestored, at: .seconds(2))
    changed.hideDelay = .seconds(10)
    _ = machine.handle(.settingsChanged(changed), at: .seconds(3))
    #expect(machine.nextDeadline == .seconds(12))
  }

  @Test func enforcedContrastCorrectsWhatShows() throws {
    var settings = still
    settings.contrast = .enforce
    settings.offline.textColor = .rgb(RGB(0x99, 0x33, 0x33))
    var machine = BannerMachine(settings: settings, window: window)
    let frame = try #require(machine.handle(.networkFoundLost(cause: ""), at: .zero).frames.first)
    #expect(frame.appearance.contrastWarning == nil)
    #expect(frame.appearance.backgroundColor == .systemRed)
  }

  @Test func observersKeepHearingWhatABannerWillBe() {
    var machine = BannerMachine(window: window)
    let presented = machine.handle(.bannerPresented(call), at: .zero)
    #expect(presented.statuses == [BannerStatus(phase: .presented, banner: BannerFrame(appearance: call))])
    #expect(machine.run(until: .seconds(1)).statuses == [])
    // Under a grace delay the other banner is still what shows.
    #expect(machine.handle(.networkLost(cause: ""), at: .seconds(2)).statuses == [])
    #expect(machine.handle(.customBannerDismissed, at: .milliseconds(2100)).statuses == [BannerStatus(phase: .grace)])
  }
}
