package import Overline

/// The overlays that clients have requested, and their owners. An overlay ends with its owner, in whatever way the owner ends, and each request
/// is answered once.
///
///     requested ──► watched (if a process owns it) ──► shown ──► ended
///         └────────────► refused ◄───────────────────────┘
///
/// A value without a deadline. The shell watches processes, shows overlays and sends answers.
package struct OwnersMachine: Sendable {
  package enum Overlay: Hashable, Sendable {
    case toast(ToastID)
    case alert(AlertID)
    /// The number of the presentation. It distinguishes this banner from a later one.
    case banner(Int)
  }

  /// The number of a request that waits for its answer; nil for one of this program itself, which gets none.
  package typealias Request = Int

  /// Where the overlays show, at the time of a request.
  package struct Screen: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
      /// A window whose program has this many rows and columns; zero before the window has reported its size.
      case window(rows: Int, columns: Int)
      /// The tmux servers and the status bars of a monitor.
      case monitor
    }

    package var kind: Kind
    /// Whether a banner shows, or was just presented.
    package var hasBanner: Bool
    /// Whether the network's banner shows, or a notice about the program.
    package var showsClaim: Bool
    /// The end of the user's pause in words; nil without one.
    package var pausedUntil: String?

    package init(_ kind: Kind, hasBanner: Bool, showsClaim: Bool, pausedUntil: String? = nil) {
      self.pausedUntil = pausedUntil
      self.kind = kind
      self.hasBanner = hasBanner
      self.showsClaim = showsClaim
    }
  }

  package enum Event: Equatable, Sendable {
    /// - Parameter client: nil for this program itself.
    case requested(ObserverRequest, from: ClientID?, Request?, on: Screen)
    /// The process that owns the overlay runs, and its end will be reported.
    case watched(Overlay)
    case processMissing(Overlay, ProtocolError)
    case processEnded(Overlay)
    case clientLeft(ClientID)
    /// - Parameter screens: the number of screens that show the toast, now or after earlier toasts.
    case toastShown(ToastID, screens: Int, Request?)
    /// - Parameter screens: the number of screens that would show the banner now.
    case screensCounted(Int, screens: Int)
    /// - Parameter found: false if there was certainly no toast.
    case frontToastDismissed(found: Bool, Request?)
    case toastEnded(ToastID)
    case alertAnswered(AlertID, button: Int?)
    case alertRefused(AlertID, ProtocolError)
    case defaultsChanged(Configuration.ToastDefaults)
  }

  package enum Effect: Equatable, Sendable {
    case watch(Int32, Overlay)
    case unwatch(Overlay)
    /// Show a toast, and answer with ``Event/toastShown(_:screens:_:)``.
    ///
    /// - Parameter tmux: the socket of the toast's tmux server; nil for the one in use.
    case post(ToastContent, ToastID, tmux: String?, Request?)
    case dismissToast(ToastID)
    /// - Parameter tmux: the socket of the toast's tmux server; nil for all.
    case dismissFrontToast(tmux: String?, Request?)
    case ask(Alert, AlertID)
    case withdraw(AlertID)
    /// Count the screens that would show this banner, and answer with ``Event/screensCounted(_:screens:)``.
    case countScreens(Int)
    case show(BannerEvent)
    case answer(Request, ObserverResponse)
  }

  private struct Entry: Sendable {
    /// The connection with which the overlay ends.
    var client: ClientID?
    /// The process with which it ends.
    var process: Int32?
    var key: String?
    /// The end of the pause in which the overlay was requested; nil without one.
    var pausedUntil: String?
    /// The request to answer; of a toast, until it is posted.
    var request: Request?
    /// A toast or a banner that does not show yet.
    var waiting: Waiting?

    init(_ owner: OverlayOwner, _ client: ClientID?, _ request: Request?, _ waiting: Waiting?) {
      self.client = owner.isConnection ? client : nil
      process = owner.process
      self.request = request
      self.waiting = waiting
    }
  }

  private enum Waiting: Sendable {
    case toast(ToastContent, tmux: String?)
    case banner(BannerAppearance)
  }

  private var defaults: Configuration.ToastDefaults
  private var entries: [Overlay: Entry] = [:]
  private var count = 0
  /// The presentation that shows.
  private var banner: Int?

  package init(defaults: Configuration.ToastDefaults) {
    self.defaults = defaults
  }

  /// The number of overlays that have not ended.
  package var overlayCount: Int { entries.count }

  package mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .requested(let request, let client, let number, let screen):
      answer(request, from: client, number, on: screen)
    case .watched(let overlay): begin(overlay)
    case .processMissing(let overlay, let error): refuse(overlay, error)
    case .processEnded(let overlay): remove(overlay)
    case .clientLeft(let client): entries.filter { $0.value.client == client }.keys.flatMap { remove($0) }
    case .toastShown(let id, let screens, let number):
      Self.answer(number, ["id": .integer(id.rawValue), ObserverResponse.screens: .integer(screens)])
    case .screensCounted(let number, let screens): show(number, screens: screens)
    case .frontToastDismissed(let found, let number):
      Self.answer(number, [ObserverResponse.dismissed: .integer(found ? 1 : 0)])
    case .toastEnded(let id): end(.toast(id))
    case .alertAnswered(let id, let button):
      Self.answer(entries[.alert(id)]?.request, ["button": button.map(JSONValue.integer) ?? .null]) + end(.alert(id))
    case .alertRefused(let id, let error): refuse(.alert(id), error)
    case .defaultsChanged(let new):
      set(new)
    }
  }

  private mutating func set(_ new: Configuration.ToastDefaults) -> [Effect] {
    defaults = new
    return []
  }

  // MARK: - Requests

  private mutating func answer(
    _ request: ObserverRequest, from client: ClientID?, _ number: Request?, on screen: Screen
  ) -> [Effect] {
    switch request {
    case .present(let banner): present(banner, from: client, number, on: screen)
    // It is not an error if no banner shows. What a pause hides is not meant.
    case .dismiss:
      (screen.pausedUntil == nil ? [.show(.bannerDismissedByUser)] : [])
        + Self.answer(number, [ObserverResponse.dismissed: .integer(screen.hasBanner ? 1 : 0)])
    case .dismissClaim:
      (screen.showsClaim ? [.show(.claimDismissed)] : [])
        + Self.answer(number, [ObserverResponse.dismissed: .integer(screen.showsClaim ? 1 : 0)])
    case .toast(let toast): post(toast, from: client, number, on: screen)
    case .dismissToast(let name): dismiss(name, number)
    case .alert(let alert): ask(alert, from: client, number, on: screen)
    case .watch, .status, .reload, .refresh, .metrics, .tmuxAttach, .tmuxDetach, .tmuxStatus: []
    }
  }

  private mutating func post(
    _ toast: ToastRequest, from client: ClientID?, _ number: Request?, on screen: Screen
  ) -> [Effect] {
    if let refusal = screen.refusal(of: "a toast", rows: ToastLayout.minimumRows, columns: ToastLayout.minimumColumns) {
      return Self.answer(number, refusal)
    }
    // A toast that shows much later would surprise the user.
    if let end = screen.pausedUntil, number != nil {
      return Self.answer(number, [ObserverResponse.pausedUntil: .string(end)])
    }
    let content = toast.content(duration: defaults.duration, edge: defaults.edge)
    var entry = Entry(toast.owner, client, number, .toast(content, tmux: toast.tmux))
    entry.key = toast.key
    return begin(.toast(ToastID(rawValue: nextNumber())), entry)
  }

  /// Presents a banner if a screen can show it, and refuses it otherwise. A banner that first shows much later, on a new screen, would
  /// surprise the user.
  private mutating func present(
    _ banner: ObserverRequest.BannerRequest, from client: ClientID?, _ number: Request?, on screen: Screen
  ) -> [Effect] {
    do throws(ProtocolError) {
      var entry = Entry(banner.owner, client, number, .banner(try BannerAppearance(banner)))
      entry.pausedUntil = screen.pausedUntil
      return begin(.banner(nextNumber()), entry)
    } catch {
      return Self.answer(number, error)
    }
  }

  /// The answer follows the user's, or the end of the connection.
  private mutating func ask(
    _ alert: Alert, from client: ClientID?, _ number: Request?, on screen: Screen
  ) -> [Effect] {
    if screen.kind == .monitor { return Self.answer(number, .noScreenToAskOn) }
    if let refusal = screen.refusal(of: "an alert", rows: AlertLayout.minimumRows, columns: AlertLayout.minimumColumns)
    {
      return Self.answer(number, refusal)
    }
    let id = AlertID(rawValue: nextNumber())
    entries[.alert(id)] = Entry(OverlayOwner(isConnection: true), client, number, nil)
    return [.ask(alert, id)]
  }

  /// It is not an error if the toast has already ended.
  private mutating func dismiss(_ name: ObserverRequest.ToastName, _ number: Request?) -> [Effect] {
    let toasts = entries.compactMap { overlay, entry -> (id: ToastID, key: String?)? in
      guard case .toast(let id) = overlay else { return nil }
      return (id, entry.key)
    }
    switch name {
    case .front(let tmux):
      if !toasts.isEmpty { return [.dismissFrontToast(tmux: tmux, number)] }
      return Self.answer(number, [ObserverResponse.dismissed: .integer(0)])
    case .id, .key:
      let meant = toasts.filter { name == .id($0.id) || $0.key.map { name == .key($0) } ?? false }
      return meant.map { .dismissToast($0.id) }
        + Self.answer(number, [ObserverResponse.dismissed: .integer(meant.count)])
    }
  }

  private mutating func nextNumber() -> Int {
    count += 1
    return count
  }

  private static func answer(_ number: Request?, _ data: [String: JSONValue]) -> [Effect] {
    number.map { [.answer($0, .ok(.object(data)))] } ?? []
  }

  private static func answer(_ number: Request?, _ error: ProtocolError) -> [Effect] {
    number.map { [.answer($0, ObserverResponse(error))] } ?? []
  }

  // MARK: - From the request to the end

  private mutating func begin(_ overlay: Overlay, _ entry: Entry) -> [Effect] {
    entries[overlay] = entry
    return entry.process.map { [.watch($0, overlay)] } ?? begin(overlay)
  }

  private mutating func begin(_ overlay: Overlay) -> [Effect] {
    switch (overlay, entries[overlay]?.waiting) {
    case (.toast(let id), .toast(let content, let tmux)):
      entries[overlay]?.waiting = nil
      let number = entries[overlay]?.request
      entries[overlay]?.request = nil
      return [.post(content, id, tmux: tmux, number)]
    case (.banner(let number), .banner): return [.countScreens(number)]
    case (.toast, _), (.banner, _), (.alert, _): return []
    }
  }

  /// Shows a banner if its owner still exists. A later request may have been answered first; then the later banner stays.
  private mutating func show(_ number: Int, screens: Int) -> [Effect] {
    let overlay = Overlay.banner(number)
    guard let entry = entries[overlay] else { return [] }
    guard screens > 0 else { return refuse(overlay, .noScreen) }
    var data: [String: JSONValue] = [ObserverResponse.screens: .integer(screens)]
    data[ObserverResponse.pausedUntil] = entry.pausedUntil.map(JSONValue.string)
    let answer = Self.answer(entry.request, data)
    guard case .banner(let appearance) = entry.waiting, number > banner ?? 0 else { return end(overlay) + answer }
    entries[overlay]?.request = nil
    entries[overlay]?.waiting = nil
    let replaced = banner.map { end(.banner($0)) } ?? []
    banner = number
    return replaced + [.show(.bannerPresented(appearance))] + answer
  }

  private mutating func refuse(_ overlay: Overlay, _ error: ProtocolError) -> [Effect] {
    let number = entries[overlay]?.request
    return end(overlay) + Self.answer(number, error)
  }

  private mutating func end(_ overlay: Overlay) -> [Effect] {
    guard let entry = entries.removeValue(forKey: overlay) else { return [] }
    return entry.process == nil ? [] : [.unwatch(overlay)]
  }

  private mutating func disown(_ overlay: Overlay) -> [Effect] {
    let isWatched = entries[overlay]?.process != nil
    entries[overlay]?.process = nil
    entries[overlay]?.client = nil
    return isWatched ? [.unwatch(overlay)] : []
  }

  /// Removes an overlay whose owner has ended.
  private mutating func remove(_ overlay: Overlay) -> [Effect] {
    guard let entry = entries[overlay] else { return [] }
    switch overlay {
    case .toast(let id):
      // The entry stays until the toast has left the screen.
      return disown(overlay) + [.dismissToast(id)]
    case .alert(let id):
      return end(overlay) + [.withdraw(id)] + Self.answer(entry.request, ["button": .null])
    case .banner(let number):
      if entry.waiting == nil { return end(overlay) + (number == banner ? [.show(.customBannerDismissed)] : []) }
      // The screens for this banner are still being counted: it is answered then, and does not show.
      entries[overlay]?.waiting = nil
      return disown(overlay)
    }
  }
}
