import Overline
@testable import OverlineCore
import OverlineTestThread
import Testing

private let client = ClientID(token: 1)

/// Requests and ends come in, effects come out as words.
@Suite(.ownThread) struct OwnersMachineTests {
  private var owners = OwnersMachine(defaults: Configuration.ToastDefaults())

  private static func words(_ effect: OwnersMachine.Effect) -> String {
    switch effect {
    case .watch(let process, let overlay): "watch \(process) for \(overlay)"
    case .unwatch(let overlay): "unwatch \(overlay)"
    case .post(let toast, let id, _, let request): "post \(id.rawValue) \(toast.title) for \(request ?? 0)"
    case .dismissToast(let id): "dismiss \(id.rawValue)"
    case .dismissFrontToast: "dismiss front"
    case .ask(let alert, let id): "ask \(id.rawValue) \(alert.title)"
    case .withdraw(let id): "withdraw \(id.rawValue)"
    case .countScreens(let number): "count for \(number)"
    case .show(.bannerPresented(let appearance)): "show \(appearance.title)"
    case .show(let event): "\(event)"
    case .answer(let request, .failure(_, let code)): "\(request) fails: \(code)"
    case .answer(let request, .ok(let data)): "\(request) is answered\(data.map { " \(Self.words($0))" } ?? "")"
    }
  }

  private static func words(_ data: JSONValue) -> String {
    ["id", "screens", "dismissed", "button"].compactMap { key in
      data[key].map { "\(key) \($0.integer.map(String.init) ?? "none")" }
    }.joined(separator: ", ")
  }

  private mutating func play(_ event: OwnersMachine.Event) -> [String] { owners.handle(event).map(Self.words) }

  private mutating func request(
    _ request: ObserverRequest, _ number: Int, on kind: OwnersMachine.Screen.Kind = .monitor, hasBanner: Bool = false,
    showsClaim: Bool = false
  ) -> [String] {
    let screen = OwnersMachine.Screen(kind, hasBanner: hasBanner, showsClaim: showsClaim)
    return play(.requested(request, from: client, number, on: screen))
  }

  private func toast(_ title: String = "Saved", key: String? = nil, _ owner: OverlayOwner = OverlayOwner())
    -> ObserverRequest
  {
    .toast(ToastRequest(title: title, key: key, owner: owner))
  }

  private func banner(_ title: String, _ owner: OverlayOwner = OverlayOwner()) -> ObserverRequest {
    .present(.init(title: title, owner: owner))
  }

  @Test mutating func aToastIsPostedAnsweredAndEndsOnce() {
    #expect(request(toast(), 7) == ["post 1 Saved for 7"])
    #expect(play(.toastShown(ToastID(rawValue: 1), screens: 2, 7)) == ["7 is answered id 1, screens 2"])
    #expect(owners.overlayCount == 1)
    #expect(play(.toastEnded(ToastID(rawValue: 1))) == [])
    #expect(play(.toastEnded(ToastID(rawValue: 1))) == [])
    #expect(owners.overlayCount == 0)
  }

  @Test mutating func aToastWaitsForTheWatchOfItsProcessAndGoesWithIt() {
    let owned = toast("Build", OverlayOwner(process: 42))
    let overlay = OwnersMachine.Overlay.toast(ToastID(rawValue: 1))
    #expect(request(owned, 1) == ["watch 42 for \(overlay)"])
    #expect(play(.watched(overlay)) == ["post 1 Build for 1"])
    #expect(play(.processEnded(overlay)) == ["unwatch \(overlay)", "dismiss 1"])
    // The kernel may report the end again, and the toast has to leave the screen first.
    #expect(owners.overlayCount == 1)
    #expect(play(.toastEnded(ToastID(rawValue: 1))) == [])
    #expect(play(.processEnded(overlay)) == [])
  }

  @Test mutating func aProcessThatDoesNotRunOwnsNothing() {
    let overlay = OwnersMachine.Overlay.toast(ToastID(rawValue: 1))
    _ = request(toast("Build", OverlayOwner(process: 42)), 1)
    let error = ProtocolError(.noProcess, OverlayOwner.noProcessMessage(42))
    #expect(play(.processMissing(overlay, error)) == ["unwatch \(overlay)", "1 fails: no-process"])
    #expect(owners.overlayCount == 0)
  }

  @Test mutating func whatBelongsToAConnectionEndsWithIt() {
    _ = request(toast("Mine", OverlayOwner(isConnection: true)), 1)
    _ = request(toast("Everyone's"), 2)
    #expect(
      request(.alert(Alert(title: "Sure?", buttons: ["Yes"])), 3, on: .window(rows: 24, columns: 80)) == ["ask 3 Sure?"]
    )
    #expect(Set(play(.clientLeft(client))) == ["dismiss 1", "withdraw 3", "3 is answered button none"])
    #expect(play(.clientLeft(client)) == [])
    #expect(play(.alertAnswered(AlertID(rawValue: 3), button: 0)) == [])
  }

  @Test mutating func toastsAreDismissedByNameByKeyOrInFront() {
    #expect(request(.dismissToast(.front(tmux: nil)), 1) == ["1 is answered dismissed 0"])
    _ = request(toast(key: "a"), 2)
    _ = request(toast(key: "b"), 3)
    #expect(request(.dismissToast(.key("b")), 4) == ["dismiss 2", "4 is answered dismissed 1"])
    #expect(request(.dismissToast(.id(ToastID(rawValue: 1))), 5) == ["dismiss 1", "5 is answered dismissed 1"])
    #expect(request(.dismissToast(.key("c")), 6) == ["6 is answered dismissed 0"])
    #expect(request(.dismissToast(.front(tmux: nil)), 7) == ["dismiss front"])
    #expect(play(.frontToastDismissed(found: true, 7)) == ["7 is answered dismissed 1"])
  }

  @Test mutating func aBannerNeedsAScreenThatShowsIt() {
    #expect(request(banner("Deploying"), 1) == ["count for 1"])
    #expect(play(.screensCounted(1, screens: 0)) == ["1 fails: no-screen"])
    #expect(request(banner("Deploying"), 2) == ["count for 2"])
    #expect(play(.screensCounted(2, screens: 3)) == ["show Deploying", "2 is answered screens 3"])
    #expect(request(.dismiss, 3, hasBanner: true) == ["bannerDismissedByUser", "3 is answered dismissed 1"])
  }

  /// The answers to the question for screens may come in another order.
  @Test mutating func theLaterOfTwoBannersStays() {
    _ = request(banner("First", OverlayOwner(isConnection: true)), 1)
    _ = request(banner("Second"), 2)
    #expect(play(.screensCounted(2, screens: 1)) == ["show Second", "2 is answered screens 1"])
    #expect(play(.screensCounted(1, screens: 1)) == ["1 is answered screens 1"])
    // Its owner's end takes nothing away.
    #expect(play(.clientLeft(client)) == [])
    #expect(owners.overlayCount == 1)
  }

  @Test mutating func aBannerWhoseOwnerEndsBeforeItShowsNeverShows() {
    let overlay = OwnersMachine.Overlay.banner(1)
    #expect(request(banner("Build", OverlayOwner(process: 42)), 1) == ["watch 42 for \(overlay)"])
    #expect(play(.watched(overlay)) == ["count for 1"])
    #expect(play(.processEnded(overlay)) == ["unwatch \(overlay)"])
    #expect(play(.screensCounted(1, screens: 2)) == ["1 is answered screens 2"])
    #expect(owners.overlayCount == 0)
  }

  @Test mutating func aBannerGoesWithItsOwner() {
    _ = request(banner("Build", OverlayOwner(isConnection: true)), 1)
    _ = play(.screensCounted(1, screens: 1))
    #expect(play(.clientLeft(client)) == ["customBannerDismissed"])
    #expect(owners.overlayCount == 0)
  }

  @Test mutating func aClaimIsDismissedOnlyIfOneShows() {
    #expect(request(.dismissClaim, 1) == ["1 is answered dismissed 0"])
    #expect(request(.dismissClaim, 2, showsClaim: true) == ["claimDismissed", "2 is answered dismissed 1"])
  }

  @Test mutating func whatHasNoRoomIsRefused() {
    let alert = ObserverRequest.alert(Alert(title: "Sure?", buttons: ["Yes"]))
    #expect(request(alert, 1) == ["1 fails: unsupported"])
    #expect(request(alert, 2, on: .window(rows: 2, columns: 80)) == ["2 fails: no-room"])
    #expect(request(toast(), 3, on: .window(rows: 24, columns: 5)) == ["3 fails: no-room"])
    // A window that has not reported its size yet.
    #expect(request(alert, 4, on: .window(rows: 0, columns: 0)) == ["ask 1 Sure?"])
    let tooSmall = ProtocolError(.noRoom, "this window is too small now")
    #expect(play(.alertRefused(AlertID(rawValue: 1), tooSmall)) == ["4 fails: no-room"])
    #expect(owners.overlayCount == 0)
  }

  @Test mutating func aColourThatIsNoneIsAnError() {
    #expect(request(.present(.init(title: "x", background: "nocolour")), 1) == ["1 fails: bad-colour"])
    #expect(owners.overlayCount == 0)
  }

  /// The program's own requests get no answer.
  @Test mutating func theProgramItselfGetsNoAnswer() {
    let screen = OwnersMachine.Screen(.window(rows: 24, columns: 80), hasBanner: false, showsClaim: false)
    #expect(play(.requested(toast(), from: nil, nil, on: screen)) == ["post 1 Saved for 0"])
    #expect(play(.toastShown(ToastID(rawValue: 1), screens: 1, nil)) == [])
  }
}
