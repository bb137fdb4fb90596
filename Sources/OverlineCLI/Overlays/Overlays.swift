internal import Dispatch
internal import Overline
internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

/// The overlays that clients have requested, and their owners. An overlay ends with its owner, in whatever way the owner ends.
///
/// Used on one queue only, which makes this class Sendable.
final class Overlays: @unchecked Sendable {
  private enum Overlay: Hashable {
    case toast(ToastID)
    case alert(AlertID)
    /// The number of the presentation. It distinguishes this banner from a later one.
    case banner(Int)
  }

  private struct Entry {
    var client: ObserverServer.ClientID?
    var process: ProcessWatch?
    var key: String?
    var onAnswer: (@Sendable (ObserverResponse) -> Void)?
  }

  private unowned let screen: any OverlayScreen
  private let queue: DispatchQueue
  var defaults: Configuration.ToastDefaults
  private var entries: [Overlay: Entry] = [:]
  private var count = 0
  private var banner: Int?

  /// - Parameter queue: call every method on this queue.
  init(on screen: any OverlayScreen, queue: DispatchQueue, defaults: Configuration.ToastDefaults) {
    self.screen = screen
    self.queue = queue
    self.defaults = defaults
  }

  // MARK: - Requests

  /// Answers a client's request.
  ///
  /// - Parameter others: answers a request that concerns no overlay.
  func answer(
    _ request: ObserverRequest, from client: ObserverServer.ClientID,
    _ completion: @escaping @Sendable (ObserverResponse) -> Void, others: () -> Void
  ) {
    switch request {
    case .watch, .status:
      // The server itself answers these.
      completion(.ok())
    case .present(let banner): present(banner, from: client, completion)
    case .dismiss: completion(dismissBanner())
    case .dismissClaim: completion(dismissClaim())
    case .toast(let toast): post(toast, from: client, completion)
    case .dismissToast(let name): completion(dismiss(name))
    case .alert(let alert): ask(alert, from: client, completion)
    case .reload, .refresh, .metrics, .tmuxAttach, .tmuxDetach, .tmuxStatus: others()
    }
  }

  /// - Parameters:
  ///   - client: the requesting client; nil for this program itself.
  ///   - completion: called with the answer and the number of screens that show the toast. Observers receive the toast in any case.
  func post(
    _ request: ToastRequest, from client: ObserverServer.ClientID?,
    _ completion: @escaping @Sendable (ObserverResponse) -> Void = { _ in }
  ) {
    let id = ToastID(rawValue: nextNumber())
    do throws(ProtocolError) {
      try begin(.toast(id), request.owner, client, key: request.key)
      try screen.post(
        request.content(duration: defaults.duration, edge: defaults.edge), id: id, tmux: request.tmux
      ) { screens in
        completion(.ok(.object(["id": .integer(id.rawValue), ObserverResponse.screens: .integer(screens)])))
      }
    } catch {
      entries[.toast(id)] = nil
      completion(ObserverResponse(error))
    }
  }

  /// It is not an error if the toast has already ended.
  @discardableResult
  func dismiss(_ name: ObserverRequest.ToastName) -> ObserverResponse {
    let toasts = entries.compactMap { overlay, entry -> (id: ToastID, key: String?)? in
      guard case .toast(let id) = overlay else { return nil }
      return (id, entry.key)
    }
    var count = 0
    switch name {
    case .front(let tmux): if !toasts.isEmpty, screen.dismissFrontToast(tmux: tmux) { count = 1 }
    case .id, .key:
      for toast in toasts where name == .id(toast.id) || toast.key.map({ name == .key($0) }) ?? false {
        screen.dismissToast(toast.id)
        count += 1
      }
    }
    return .ok(.object([ObserverResponse.dismissed: .integer(count)]))
  }

  /// Presents a banner if a screen can show it, and refuses it otherwise. A banner that first shows much later, on a new screen, would
  /// surprise the user.
  ///
  /// - Parameter completion: called with the answer and the number of screens.
  private func present(
    _ request: ObserverRequest.BannerRequest, from client: ObserverServer.ClientID,
    _ completion: @escaping @Sendable (ObserverResponse) -> Void
  ) {
    do throws(ProtocolError) {
      let appearance = try Appearance(request)
      let number = nextNumber()
      try begin(.banner(number), request.owner, client)
      screen.countBannerScreens { [self] screens in
        guard screens > 0 else {
          entries[.banner(number)] = nil
          return completion(ObserverResponse(.noScreen))
        }
        if entries[.banner(number)] != nil { show(appearance, number) }
        completion(.ok(.object([ObserverResponse.screens: .integer(screens)])))
      }
    } catch {
      completion(ObserverResponse(error))
    }
  }

  /// Shows a banner if its owner still exists. A later request may have been answered first; then the later banner stays.
  private func show(_ appearance: Appearance, _ number: Int) {
    if let banner, banner > number {
      entries[.banner(number)] = nil
      return
    }
    if let banner { entries[.banner(banner)] = nil }
    banner = number
    screen.post(.bannerPresented(appearance))
  }

  /// It is not an error if no banner shows.
  private func dismissBanner() -> ObserverResponse {
    let count = screen.hasBanner ? 1 : 0
    screen.post(.bannerDismissedByUser)
    return .ok(.object([ObserverResponse.dismissed: .integer(count)]))
  }

  /// It is not an error if nothing is claimed.
  private func dismissClaim() -> ObserverResponse {
    let count = screen.showsClaim ? 1 : 0
    if count > 0 { screen.post(.claimDismissed) }
    return .ok(.object([ObserverResponse.dismissed: .integer(count)]))
  }

  /// - Parameter completion: called when the question is answered or its client has disconnected.
  private func ask(
    _ alert: Alert, from client: ObserverServer.ClientID,
    _ completion: @escaping @Sendable (ObserverResponse) -> Void
  ) {
    let id = AlertID(rawValue: nextNumber())
    entries[.alert(id)] = Entry(client: client, onAnswer: completion)
    do throws(ProtocolError) {
      try screen.ask(alert, id: id)
    } catch {
      entries[.alert(id)] = nil
      completion(ObserverResponse(error))
    }
  }

  // MARK: - Ends

  func toastEnded(_ id: ToastID) {
    entries[.toast(id)] = nil
  }

  func alertAnswered(_ id: AlertID, button: Int?) {
    let entry = entries.removeValue(forKey: .alert(id))
    entry?.onAnswer?(.ok(.object(["button": button.map(JSONValue.integer) ?? .null])))
  }

  func alertRefused(_ id: AlertID, _ error: ProtocolError) {
    entries.removeValue(forKey: .alert(id))?.onAnswer?(ObserverResponse(error))
  }

  func clientLeft(_ client: ObserverServer.ClientID) {
    for (overlay, entry) in entries where entry.client == client { remove(overlay) }
  }

  // MARK: - Owners

  private func nextNumber() -> Int {
    count += 1
    return count
  }

  private func begin(
    _ overlay: Overlay, _ owner: OverlayOwner, _ client: ObserverServer.ClientID?, key: String? = nil
  ) throws(ProtocolError) {
    var entry = Entry(client: owner.isConnection ? client : nil, key: key)
    if let process = owner.process {
      do throws(SystemError) {
        entry.process = try ProcessWatch(process, queue: queue) { [weak self] in self?.remove(overlay) }
      } catch {
        throw ProtocolError(
          .noProcess, error.isNoSuchProcess ? OverlayOwner.noProcessMessage(process) : "\(error)")
      }
    }
    entries[overlay] = entry
  }

  /// Removes an overlay whose owner has ended.
  private func remove(_ overlay: Overlay) {
    guard let entry = entries[overlay] else { return }
    switch overlay {
    case .toast(let id):
      // The entry stays until the toast has left the screen.
      entries[overlay]?.process = nil
      entries[overlay]?.client = nil
      screen.dismissToast(id)
    case .alert(let id):
      entries[overlay] = nil
      screen.withdrawAlert(id)
      entry.onAnswer?(.ok(.object(["button": .null])))
    case .banner(let number):
      entries[overlay] = nil
      // Not while the screens for this banner are still being counted.
      if number == banner { screen.post(.customBannerDismissed) }
    }
  }
}

extension ProtocolError {
  fileprivate static let noScreen = ProtocolError(
    .noScreen,
    "no screen would show the banner: no window is open, no tmux client is attached, and no status bar watches; open a window with: overline run"
  )
}

extension Appearance {
  /// The requested appearance; throws for an invalid colour.
  fileprivate init(_ request: ObserverRequest.BannerRequest) throws(ProtocolError) {
    var builder = AppearanceBuilder().title(request.title)
    do throws(ColorError) {
      if let background = request.background { builder = builder.backgroundColor(try Color(parsing: background)) }
      if let text = request.text { builder = builder.textColor(try Color(parsing: text)) }
    } catch {
      throw ProtocolError(.badColor, "\(error)")
    }
    if let height = request.height { builder = builder.height(height) }
    self = builder.appearance
  }
}

extension OverlayOwner {
  /// The error of an overlay whose process does not run.
  static func noProcessMessage(_ process: Int32) -> String { "\"while\" is \(process): no such process" }
}
