import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// The order of a toast and an alert.
@Suite(.ownThread) struct LevelTests {
  @Test(arguments: [
    (OverlayLevel.normal, true), (.statusBar, true), (.alert + -1, true), (.alert, false), (.toast, false),
  ])
  func aToastOfALevelBelowAnAlertsIsBehindIt(_ level: OverlayLevel, isBehind: Bool) throws {
    var toasts = ToastMachine(window: WindowTraits(reducesMotion: true))
    _ = toasts.handle(.toastPosted(ToastContent(title: "Saved", level: level), id: ToastID(rawValue: 1)), at: .zero)
    var alerts = AlertMachine()
    _ = alerts.handle(.alertPosted(Alert(title: "Deploy?", buttons: ["Deploy"]), id: AlertID(rawValue: 1)), at: .zero)
    let presentation = Presentation(alert: alerts.frame, toast: toasts.frame)
    let capabilities = TerminalCapabilities(environment: { ["TERM": "xterm"][$0] }, isTerminal: true)
    let placed = PlacedOverlays(presentation, rows: 24, columns: 80, capabilities)
    // The backmost first.
    #expect(placed.items.map(\.isToast) == [isBehind, !isBehind])
  }
}
