import Overline
import OverlineCore
@testable import OverlineShell
import OverlineTestSupport
import OverlineTestThread
import Testing

private let failed = ToastContent(
  title: "Connection failed", message: "Check your internet and try again.", style: .error)
private let deploy = Alert(title: "Deploy to production?", buttons: ["Deploy", "Cancel"])

/// Produces the states of a program that shows these overlays.
private struct Teller {
  var states = StateSequence()
  var banner = BannerStatus()
  var toast: ToastContent?
  var alert: Alert?

  mutating func next() -> ObserverState? {
    let overlays = OverlayStatus(banner: banner, toast: toast, alert: alert)
    return states.next(Observation(path: onlinePath, overlays: overlays), at: .zero, time: time)
  }
}

@Suite(.ownThread) struct StateAnnouncementTests {
  @Test func whatIsNewIsAnnouncedAndWhatGoesIsNot() throws {
    var teller = Teller()
    #expect(teller.next()?.announcement == "")
    #expect(teller.next() == nil)
    teller.banner = BannerStatus(
      phase: .presented, banner: BannerFrame(appearance: .offline, detail: "eth0 has no carrier"))
    #expect(teller.next()?.announcement == "No connection: eth0 has no carrier")
    teller.toast = failed
    let shown = teller.next()!
    #expect(shown.announcement == "Error: Connection failed. Check your internet and try again.")
    #expect(shown.toast?.style == "error")
    teller.alert = deploy
    #expect(teller.next()?.announcement == "Alert: Deploy to production? Deploy, Cancel")
    teller.toast = nil
    let gone = teller.next()!
    #expect(gone.toast == nil)
    #expect(gone.announcement == "Alert: Deploy to production? Deploy, Cancel")
    teller.alert = nil
    teller.banner = BannerStatus(phase: .restored, banner: BannerFrame(appearance: .restored))
    #expect(teller.next()?.announcement == "Back online")
    teller.toast = failed
    #expect(teller.next()?.announcement == "Error: Connection failed. Check your internet and try again.")
    #expect(teller.next() == nil)
  }

  @Test func theJSONIsTheDocumentedOneAndReadsBack() throws {
    var teller = Teller(toast: failed, alert: deploy)
    let state = teller.next()!
    #expect(
      state.json.hasSuffix(
        #","toast":{"title":"Connection failed","message":"Check your internet and try again.","style":"error"},"#
          + #""alert":{"title":"Deploy to production?","message":"","buttons":["Deploy","Cancel"]},"#
          + #""announcement":"Alert: Deploy to production? Deploy, Cancel Error: Connection failed. Check your internet and try again.","limitation":null,"limited":null,"paused":null}"#
      ))
    #expect(try ObserverState(jsonLine: state.jsonLine) == state)
    // From a monitor that does not send these fields yet.
    let older = online().json.replacing(#","toast":null,"alert":null,"announcement":"""#, with: "")
    #expect(older != online().json)
    #expect(try ObserverState(jsonLine: older.utf8) == online())
    // With a style that is new to this program.
    let newer = state.json.replacing(#""style":"error""#, with: #""style":"panic""#)
    #expect(try ObserverState(jsonLine: newer.utf8).toast?.style == "panic")
  }

  @Test func hostileTextsAreOneSafeLine() throws {
    var teller = Teller(toast: ToastContent(title: "a\u{1b}[2J\nb\u{202e}"))
    let state = teller.next()!
    #expect(state.announcement == "Info: a[2J b")
    #expect(state.toast?.title == "a[2J b")
  }

  /// A reader of sentences gets each toast and alert once; the network's state only when it is new.
  @Test func readersOfTextHearToastsAndAlerts() throws {
    let server = try TestServer()
    var teller = Teller()
    server.publish(teller.next()!)
    var reader = try RawConnection(server.path)
    _ = try reader.line()
    try reader.send("{\"do\":\"watch\",\"format\":\"text\"}\n")
    #expect(try reader.line() == "{\"ok\":true}")
    #expect(try reader.line()?.hasPrefix("online via eth0") == true)
    var prompt = try RawConnection(server.path)
    _ = try prompt.line()
    try prompt.send("{\"do\":\"watch\",\"format\":\"prompt\"}\n")
    #expect(try prompt.line() == "{\"ok\":true}")
    #expect(try prompt.line() == "online")
    for _ in 1...2 {
      teller.toast = failed
      server.publish(teller.next()!)
      teller.toast = nil
      server.publish(teller.next()!)
    }
    teller.alert = deploy
    server.publish(teller.next()!)
    teller.alert = nil
    server.publish(teller.next()!)
    server.publish(offline(99))
    #expect(try reader.line() == failed.announcement)
    #expect(try reader.line() == failed.announcement)
    #expect(try reader.line() == deploy.announcement)
    #expect(try reader.line()?.hasPrefix("offline: ") == true)
    #expect(try prompt.line() == "offline")
  }
}
