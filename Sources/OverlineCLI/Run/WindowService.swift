internal import Dispatch
internal import NetworkPath
internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem
internal import Synchronization

/// The observers of one window, at `window-PID.sock` in the runtime directory, with that window's own state and inset.
///
/// All state is accessed on `queue` only, which makes this class Sendable.
final class WindowService: @unchecked Sendable {
  let queue = DispatchQueue(label: "overline.window")
  private var server: ObserverServer?
  private var status = WindowStatus()
  /// True from a client's banner until the window's next status, which reports the banner.
  private var isPresenting = false
  private var states = StateSequence()
  private let made = Mutex<String?>(nil)
  private var link: WindowLink?
  private var overlays: Overlays?
  private var reports: ReadSource?

  /// The path of the window's socket; nil while it does not listen.
  var socket: String? { made.withLock { $0 } }

  /// Starts serving. A killed process with the same PID may have left its socket.
  ///
  /// - Parameters:
  ///   - defaults: for toasts without some of the values.
  ///   - settings: reads the configuration again at a client's request.
  func listen(_ link: WindowLink, defaults: Configuration.ToastDefaults, settings: WindowController) throws {
    let directory = try RuntimeDirectory.locate()
    try directory.prepare()
    let socket = directory.windowSocket(of: ProcessEnvironment.processID)
    if let attributes = try? Files.attributes(socket), attributes.isSocket { try Files.remove(socket) }
    try queue.sync {
      let overlays = Overlays(on: self, queue: queue, defaults: defaults)
      self.link = link
      self.overlays = overlays
      server = try ObserverServer(
        path: socket, queue: queue,
        onRequest: { request, client, completion in
          overlays.answer(request, from: client, completion) {
            if request == .reload { return settings.reload(completion: completion) }
            if request == .refresh {
              link.post(.hardSync)
              return completion(.ok())
            }
            let error = "this is a window, not the monitor; metrics and tmux are the monitor's"
            completion(ObserverResponse(ProtocolError(.unsupported, error)))
          }
        },
        onLeave: { overlays.handle(.clientLeft($0)) })
    }
    made.withLock { $0 = socket }
  }

  /// Handles the window's reports from now on.
  ///
  /// - Parameter onSettled: called once, on the queue, when the program has been running for a moment.
  func follow(_ link: WindowLink, onSettled: @escaping @Sendable () -> Void) throws(SystemError) {
    reports = try ReadSource(descriptor: link.reportDescriptor, keeping: link, queue: queue) { [unowned self] in
      for report in link.takeReports() {
        switch report {
        case .changed(let status): note(status)
        case .completed(let completion): note(completion)
        case .settled: onSettled()
        }
      }
    }
  }

  /// Publishes the path at the start: the program may connect before the window's first report.
  func begin(with path: NWPath) {
    queue.sync { publish(Observation(path: path)) }
  }

  /// The start is over.
  func watchingBegan() {
    queue.async { ProcessEnvironment.dropFileBackedPages() }
  }

  private func note(_ status: WindowStatus) {
    self.status = status
    isPresenting = false
    if let observation = status.observation { publish(observation) }
  }

  func setDefaults(_ defaults: Configuration.ToastDefaults) {
    queue.async { [self] in overlays?.handle(.defaultsChanged(defaults)) }
  }

  /// Shows a toast about an error in the configuration. A second error replaces a toast that still shows.
  ///
  /// - Parameter message: nil dismisses the toast, since there is no error.
  func warn(of message: String?) {
    let key = "overline.configuration"
    queue.async { [self] in
      guard let message else {
        overlays?.perform(.dismissToast(.key(key)))
        return
      }
      let toast = ToastRequest(
        title: "The configuration is not applied", message: message.split(separator: "\n").first.map(String.init) ?? "",
        style: .warning, duration: .seconds(10), key: key)
      if let toast = try? ObserverRequest.toast(toast).checked() { overlays?.perform(toast) }
    }
  }

  /// Handles the end of an overlay.
  private func note(_ completion: OverlayEffect) {
    switch completion {
    case .toastEnded(let id): overlays?.handle(.toastEnded(id))
    case .alertAnswered(let id, let button): overlays?.handle(.alertAnswered(id, button: button))
    case .alertRefused(let id, .noRoom):
      overlays?.handle(.alertRefused(id, ProtocolError(.noRoom, "this window is too small now for an alert")))
    case .alertRefused(let id, .noCursor):
      overlays?.handle(
        .alertRefused(id, ProtocolError(.noRoom, "this window's terminal does not report its cursor's place")))
    // The window's next status says so.
    case .quietBegan, .quietEnded: break
    }
  }

  /// The user typed in this window. Commands for the window in use find this window by its socket's modification time.
  func noteInput() {
    if let socket { Files.touch(socket) }
  }

  private func publish(_ observation: Observation) {
    guard let server, let state = states.next(observation, at: BootClock.now, time: WallTime.now.rfc3339) else {
      return
    }
    server.publish(state)
  }

  /// Removes the socket. Connections end with this process. It does not wait, not even for a first network query that takes longer than a
  /// short program.
  func close() {
    if let socket { try? Files.remove(socket) }
  }
}

extension WindowService: OverlayScreen {
  func post(_ toast: ToastContent, id: ToastID, tmux: String?, shown: @escaping @Sendable (Int) -> Void) {
    link?.post(.overlay(.toast(.toastPosted(toast, id: id))))
    shown(1)
  }

  func dismissToast(_ id: ToastID) { link?.post(.overlay(.toast(.toastDismissed(id)))) }

  func dismissFrontToast(tmux: String?) -> Bool {
    link?.post(.overlay(.toast(.frontToastDismissed)))
    return true
  }

  func ask(_ alert: Alert, id: AlertID) {
    link?.post(.overlay(.alert(.alertPosted(alert, id: id))))
  }

  func withdrawAlert(_ id: AlertID) { link?.post(.overlay(.alert(.alertWithdrawn(id)))) }

  func countBannerScreens(_ completion: @escaping @Sendable (Int) -> Void) { completion(1) }

  func post(_ event: BannerEvent) {
    if case .bannerPresented = event { isPresenting = true }
    link?.post(.overlay(.banner(event)))
  }

  var screen: OwnersMachine.Screen {
    OwnersMachine.Screen(
      .window(rows: status.rows, columns: status.columns),
      hasBanner: isPresenting || status.overlays.banner.banner != nil,
      showsClaim: status.overlays.banner.claim == .shown, pausedUntil: status.overlays.quiet?.words)
  }
}
