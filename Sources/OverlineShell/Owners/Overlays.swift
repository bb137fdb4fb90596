package import Dispatch
internal import Overline
package import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// Carries out what ``OwnersMachine`` decides: watches processes, shows overlays on a screen, and answers requests.
///
/// Used on one queue only, which makes this class Sendable.
package final class Overlays: @unchecked Sendable {
  package typealias Completion = @Sendable (ObserverResponse) -> Void

  private unowned let screen: any OverlayScreen
  private let queue: DispatchQueue
  private var machine: OwnersMachine
  private var watches: [OwnersMachine.Overlay: ProcessWatch] = [:]
  private var completions: [OwnersMachine.Request: Completion] = [:]
  private var requestCount = 0

  /// - Parameters:
  ///   - queue: call every method on this queue.
  ///   - defaults: for toasts without some of the values.
  package init(on screen: any OverlayScreen, queue: DispatchQueue, defaults: Configuration.ToastDefaults) {
    self.screen = screen
    self.queue = queue
    machine = OwnersMachine(defaults: defaults)
  }

  /// Answers a client's request.
  ///
  /// - Parameter others: answers a request that concerns no overlay.
  package func answer(
    _ request: ObserverRequest, from client: ClientID, _ completion: @escaping Completion, others: () -> Void
  ) {
    switch request {
    // The server itself answers these.
    case .watch, .status: completion(.ok())
    case .present, .dismiss, .dismissClaim, .toast, .dismissToast, .alert:
      requestCount += 1
      completions[requestCount] = completion
      handle(.requested(request, from: client, requestCount, on: screen.screen))
    case .reload, .refresh, .metrics, .tmuxAttach, .tmuxDetach, .tmuxStatus: others()
    }
  }

  /// A request of this program itself, which has no owner and gets no answer.
  package func perform(_ request: ObserverRequest) {
    handle(.requested(request, from: nil, nil, on: screen.screen))
  }

  package func handle(_ event: OwnersMachine.Event) {
    for effect in machine.handle(event) { perform(effect) }
  }

  private func perform(_ effect: OwnersMachine.Effect) {
    switch effect {
    case .watch(let process, let overlay): watch(process, for: overlay)
    case .unwatch(let overlay): watches[overlay] = nil
    case .post(let toast, let id, let tmux, let request):
      screen.post(toast, id: id, tmux: tmux) { [weak self] screens in
        self?.handle(.toastShown(id, screens: screens, request))
      }
    case .dismissToast(let id): screen.dismissToast(id)
    case .dismissFrontToast(let tmux, let request):
      handle(.frontToastDismissed(found: screen.dismissFrontToast(tmux: tmux), request))
    case .ask(let alert, let id): screen.ask(alert, id: id)
    case .withdraw(let id): screen.withdrawAlert(id)
    case .countScreens(let banner):
      screen.countBannerScreens { [weak self] screens in self?.handle(.screensCounted(banner, screens: screens)) }
    case .show(let event): screen.post(event)
    case .answer(let request, let response): completions.removeValue(forKey: request)?(response)
    }
  }

  private func watch(_ process: Int32, for overlay: OwnersMachine.Overlay) {
    do throws(SystemError) {
      watches[overlay] = try ProcessWatch(process, queue: queue) { [weak self] in self?.handle(.processEnded(overlay)) }
    } catch {
      let reason = error.isNoSuchProcess ? OverlayOwner.noProcessMessage(process) : "\(error)"
      return handle(.processMissing(overlay, ProtocolError(.noProcess, reason)))
    }
    handle(.watched(overlay))
  }
}
