import Overline
@testable import OverlineCore

/// The bytes are what happens to the overlays of clients: requests, ends of their owners, and what the screens answer later, in any order.
enum OwnersTarget {
  static func run(_ bytes: [UInt8]) {
    var script = ByteScript(bytes)
    var world = World()
    while !script.isEmpty {
      let kind = script.next() % 20
      let value = Int(script.next())
      switch kind {
      case 0...4: world.request(kind, value, &script)
      case 5:
        world.request(
          .dismissToast([.front(tmux: nil), .id(ToastID(rawValue: value % 16)), .key("k\(value % 4)")][value % 3]))
      case 6: world.request(value % 2 == 0 ? .dismiss : .dismissClaim)
      case 7: world.handle(.clientLeft(ClientID(token: UInt64(value % 4))))
      case 8, 9: world.areProcessesMissing = value % 3 == 0
      case 10: if let overlay = world.pick(value) { world.handle(.processEnded(overlay)) }
      case 11, 12: world.showNext(screens: value % 3)
      case 13, 14: world.countNext(screens: value % 3)
      case 15...17: world.endToast(value)
      case 18: world.endAlert(value)
      default:
        world.screen = OwnersMachine.Screen(
          value % 4 == 0 ? .monitor : .window(rows: value % 64, columns: value), hasBanner: value % 2 == 0,
          showsClaim: value % 3 == 0, pausedUntil: value % 5 == 0 ? "10:00" : nil)
      }
    }
    world.isEverythingAnswered()
  }

  private struct World {
    private var owners = OwnersMachine(defaults: Configuration.ToastDefaults())
    var screen = OwnersMachine.Screen(.window(rows: 24, columns: 80), hasBanner: false, showsClaim: false)
    private var count = 0
    /// The requests without an answer.
    private var open: Set<Int> = []
    /// Whether a process that shall own an overlay is missing.
    var areProcessesMissing = false
    private var toShow: [(id: ToastID, request: Int?)] = []
    private var toCount: [Int] = []
    private var watched: Set<OwnersMachine.Overlay> = []
    private var toasts: [ToastID] = []
    private var alerts: [AlertID] = []

    mutating func request(_ kind: UInt8, _ value: Int, _ script: inout ByteScript) {
      let owner = OverlayOwner(process: value % 3 == 0 ? 1 : nil, isConnection: value % 4 == 0)
      switch kind {
      case 0...2:
        request(
          .toast(
            ToastRequest(
              title: script.word(), message: "", style: .info, duration: nil, edge: nil,
              key: value % 2 == 0 ? "k\(value % 4)" : nil, owner: owner)))
      case 3:
        // A colour may be none.
        request(
          .present(
            ObserverRequest.BannerRequest(title: script.word(), background: value > 250 ? "x" : nil, owner: owner)))
      default: request(.alert(Alert(title: script.word(), buttons: ["OK"])))
      }
    }

    mutating func request(_ request: ObserverRequest) {
      count += 1
      open.insert(count)
      handle(.requested(request, from: ClientID(token: UInt64(count % 4)), count, on: screen))
    }

    func pick(_ value: Int) -> OwnersMachine.Overlay? {
      let all = watched.sorted { "\($0)" < "\($1)" }
      return all.isEmpty ? nil : all[value % all.count]
    }

    mutating func showNext(screens: Int) {
      guard let next = toShow.popLast() else { return }
      handle(.toastShown(next.id, screens: screens, next.request))
    }

    mutating func countNext(screens: Int) {
      guard let next = toCount.popLast() else { return }
      handle(.screensCounted(next, screens: screens))
    }

    mutating func endToast(_ value: Int) {
      if !toasts.isEmpty { handle(.toastEnded(toasts.remove(at: value % toasts.count))) }
    }

    mutating func endAlert(_ value: Int) {
      if !alerts.isEmpty {
        handle(.alertAnswered(alerts.remove(at: value % alerts.count), button: value % 2 == 0 ? 0 : nil))
      }
    }

    mutating func handle(_ event: OwnersMachine.Event) {
      for effect in owners.handle(event) {
        switch effect {
        case .watch(_, let overlay):
          precondition(watched.insert(overlay).inserted, "an owner is watched once")
          let missing = ProtocolError(.noProcess, "no such process")
          handle(areProcessesMissing ? .processMissing(overlay, missing) : .watched(overlay))
        case .unwatch(let overlay):
          precondition(watched.remove(overlay) != nil, "what ends was watched")
        case .post(_, let id, _, let request):
          precondition(!toasts.contains(id), "a toast is posted once")
          toasts.append(id)
          toShow.append((id, request))
        case .dismissFrontToast(_, let request): handle(.frontToastDismissed(found: !toasts.isEmpty, request))
        case .ask(_, let id): alerts.append(id)
        case .withdraw(let id):
          precondition(alerts.contains(id), "an alert is withdrawn once, before its answer")
          alerts.removeAll { $0 == id }
        case .countScreens(let number): toCount.append(number)
        case .answer(let number, _): precondition(open.remove(number) != nil, "a request is answered once")
        case .dismissToast, .show: break
        }
      }
    }

    /// Each owner ends, and the shell gives all its answers: then each request is answered, and only a banner without an owner is left.
    mutating func isEverythingAnswered() {
      while let overlay = watched.first { handle(.processEnded(overlay)) }
      for token in UInt64(0)..<4 { handle(.clientLeft(ClientID(token: token))) }
      while !toCount.isEmpty { countNext(screens: 1) }
      while !toShow.isEmpty { showNext(screens: 1) }
      while !toasts.isEmpty { endToast(0) }
      while !alerts.isEmpty { endAlert(0) }
      precondition(open.isEmpty && watched.isEmpty && owners.overlayCount <= 1)
    }
  }
}
