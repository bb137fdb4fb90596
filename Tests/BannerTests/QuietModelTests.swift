import Overline
import OverlineTestThread
import Testing

/// A time without banner and toasts.
@Suite(.ownThread) struct QuietModelTests {
  private var model = OverlayModel(
    banner: BannerSettings(graceDelay: .zero, motion: .off), toasts: ToastSettings(motion: .off),
    window: WindowTraits(rows: 24, columns: 80))
  private let period = QuietPeriod(start: .seconds(10), end: .seconds(20), time: "then", words: "18:00")

  @Test mutating func theBannerIsAwayForTheTime() {
    _ = model.handle(.banner(.networkFoundLost(cause: "eth0 has no carrier")), at: .zero)
    #expect(model.handle(.quietChanged(period), at: .seconds(1)) == [])
    #expect(model.inset == TerminalInsets(top: 1) && model.nextDeadline == .seconds(10))
    #expect(model.handle(.deadlineReached, at: .seconds(10)) == [.quietBegan(period)])
    #expect(model.isEmpty && model.presentation.isEmpty && model.inset == TerminalInsets())
    #expect(model.status.banner == BannerStatus() && model.status.quiet == period)
    #expect(model.nextDeadline == .seconds(20))
    // Another model, of a window that opens meanwhile.
    let late = model.modelOfLateWindow(WindowTraits(rows: 24, columns: 80), banner: BannerSettings(), at: .seconds(11))
    #expect(late.isEmpty)
    #expect(model.handle(.deadlineReached, at: .seconds(20)) == [.quietEnded])
    #expect(model.presentation.banner?.detail == "eth0 has no carrier")
    #expect(model.inset == TerminalInsets(top: 1) && model.status.quiet == nil && model.nextDeadline == nil)
  }

  @Test mutating func theUserEndsItEarly() {
    _ = model.handle(.quietChanged(period), at: .seconds(12))
    _ = model.handle(.banner(.networkFoundLost(cause: "")), at: .seconds(13))
    #expect(model.isEmpty)
    #expect(model.handle(.quietChanged(nil), at: .seconds(14)) == [])
    #expect(!model.isEmpty)
  }

  /// A question waits for its answer. A toast ends in its time, unseen.
  @Test mutating func alertsShow() {
    _ = model.handle(.quietChanged(period), at: .seconds(10))
    _ = model.handle(
      .toast(.toastPosted(ToastContent(title: "Saved", duration: .seconds(3)), id: ToastID(rawValue: 1))),
      at: .seconds(10))
    let alert = Alert(title: "Deploy?", buttons: ["Deploy"])
    _ = model.handle(.alert(.alertPosted(alert, id: AlertID(rawValue: 2))), at: .seconds(10))
    #expect(model.presentation.alert?.alert == alert && model.presentation.toast == nil)
    #expect(model.status.toast == nil && model.status.alert == alert)
    #expect(model.handle(.deadlineReached, at: .seconds(13)).contains(.toastEnded(ToastID(rawValue: 1))))
  }
}
