import Overline
import OverlineTestThread
import Testing

/// Banner, toasts and alerts of one screen, together.
@Suite(.ownThread) struct OverlayModelTests {
  private var model = OverlayModel(
    banner: BannerSettings(graceDelay: .seconds(10), motion: .off), toasts: ToastSettings(motion: .off),
    window: WindowTraits(rows: 24, columns: 80))
  private let toast = ToastContent(title: "Saved", duration: .seconds(5))
  private let alert = Alert(title: "Deploy?", buttons: ["Deploy", "Cancel"])

  @Test mutating func eachOverlayIsInThePresentationAndInTheStatus() {
    #expect(model.presentation.isEmpty)
    _ = model.handle(.banner(.networkFoundLost(cause: "eth0 has no carrier")), at: .zero)
    _ = model.handle(.toast(.toastPosted(toast, id: ToastID(rawValue: 1))), at: .zero)
    _ = model.handle(.alert(.alertPosted(alert, id: AlertID(rawValue: 2))), at: .zero)
    #expect(model.presentation.banner?.detail == "eth0 has no carrier")
    #expect(model.presentation.toast?.content == toast)
    #expect(model.presentation.alert?.alert == alert)
    #expect(model.status.banner.phase == .presented)
    #expect(model.status.toast == toast)
    #expect(model.status.alert == alert)
    #expect(model.inset == TerminalInsets(top: 1))
  }

  @Test mutating func theFirstDeadlineOfAnyOverlayIsTheNext() {
    #expect(model.nextDeadline == nil)
    _ = model.handle(.banner(.networkLost(cause: "")), at: .zero)
    #expect(model.nextDeadline == .seconds(10))
    _ = model.handle(.toast(.toastPosted(toast, id: ToastID(rawValue: 1))), at: .zero)
    #expect(model.nextDeadline == .seconds(5))
    #expect(model.handle(.deadlineReached, at: .seconds(5)) == [.toastEnded(ToastID(rawValue: 1))])
    #expect(model.nextDeadline == .seconds(10))
    #expect(model.handle(.deadlineReached, at: .seconds(10)) == [])
    #expect(model.presentation.banner != nil)
    #expect(model.nextDeadline == nil)
  }

  @Test mutating func aNewSizeConcernsBannerAndToast() {
    _ = model.handle(.banner(.networkFoundLost(cause: "")), at: .zero)
    _ = model.handle(.windowResized(rows: 4, columns: 80), at: .zero)
    #expect(model.presentation.banner == nil)
    #expect(model.inset == TerminalInsets())
    #expect(model.toasts.window.rows == 4)
    _ = model.handle(.windowResized(rows: 24, columns: 80), at: .zero)
    #expect(model.inset == TerminalInsets(top: 1))
  }

  /// The model of a window that appears now.
  private func late(at now: Duration) -> OverlayModel {
    model.modelOfLateWindow(.tmux(edge: .bottom), banner: model.banner.settings, at: now)
  }

  @Test("a late window shows the current trouble, and no toast of another window")
  mutating func aLateWindowShowsThePresentTrouble() {
    #expect(late(at: .zero).presentation.isEmpty)
    _ = model.handle(.toast(.toastPosted(toast, id: ToastID(rawValue: 1))), at: .zero)
    _ = model.handle(.banner(.networkLost(cause: "eth0 has no carrier")), at: .zero)
    // The grace delay ends when it ends in the earlier windows.
    #expect(late(at: .seconds(9)).presentation.isEmpty)
    #expect(late(at: .seconds(9)).nextDeadline == .seconds(10))
    #expect(late(at: .seconds(10)).presentation.banner?.detail == "eth0 has no carrier")
    #expect(late(at: .seconds(10)).presentation.toast == nil)
    #expect(late(at: .seconds(10)).inset == TerminalInsets(bottom: 1))
    _ = model.handle(.deadlineReached, at: .seconds(10))
    _ = model.handle(.banner(.networkRestored), at: .seconds(11))
    #expect(model.presentation.banner != nil)
    #expect(late(at: .seconds(11)).presentation.isEmpty)
  }

  @Test("a dismissed banner stays dismissed in a late window, which shows a custom one")
  mutating func aDismissedBannerStaysDismissedInALateWindow() {
    _ = model.handle(.banner(.networkFoundLost(cause: "")), at: .zero)
    _ = model.handle(.banner(.bannerDismissedByUser), at: .seconds(1))
    #expect(late(at: .seconds(2)).presentation.isEmpty)
    let custom = BannerAppearance(title: "Deploying", backgroundColor: .systemBlue, textColor: .white)
    _ = model.handle(.banner(.bannerPresented(custom)), at: .seconds(3))
    #expect(late(at: .seconds(4)).presentation.banner?.appearance.title == "Deploying")
    var window = late(at: .seconds(4))
    _ = window.handle(.banner(.networkLost(cause: "")), at: .seconds(20))
    #expect(window.banner.phase == .dismissed(BannerMachine.Trouble(kind: .lost, cause: "")))
  }

  @Test mutating func anAlertIsAnsweredOrRefusedOnce() {
    let (first, second) = (AlertID(rawValue: 1), AlertID(rawValue: 2))
    _ = model.handle(.alert(.alertPosted(alert, id: first)), at: .zero)
    _ = model.handle(.alert(.alertPosted(alert, id: second)), at: .zero)
    _ = model.handle(.alert(.alertAppeared), at: .zero)
    #expect(
      model.handle(.alert(.keyPressed(.button(1))), at: .seconds(1)) == [.alertAnswered(first, button: 1)])
    #expect(model.handle(.alert(.alertsRefused(.noRoom)), at: .seconds(2)) == [.alertRefused(second, .noRoom)])
    #expect(model.handle(.alert(.alertWithdrawn(second)), at: .seconds(3)) == [])
    #expect(model.presentation.isEmpty)
  }
}
