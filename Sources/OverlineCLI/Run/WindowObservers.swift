internal import Banner
internal import Dispatch
internal import ObserverProtocol
internal import ObserverSocket
internal import POSIX
internal import PathModel
internal import Synchronization
internal import Window

/// Who looks at one window: `window-PID.sock` in the runtime directory, with that window's own state and inset.
///
/// All state is touched on `queue` only: that is what makes this class Sendable.
final class WindowObservers: @unchecked Sendable {
  let queue = DispatchQueue(label: "overline.window")
  private var server: ObserverServer?
  private var path: NWPath?
  private var status = WindowStatus()
  private var states = StateSequence()
  private let made = Mutex<String?>(nil)

  /// Where the window listens; nil where it does not.
  var socket: String? { made.withLock { $0 } }

  /// Begins to serve. A process of this number that was killed may have left its socket.
  func listen(_ link: WindowLink) throws {
    let directory = try RuntimeDirectory.locate()
    try directory.prepare()
    let socket = directory.windowSocket(of: ProcessEnvironment.processID)
    if let attributes = try? Files.attributes(socket), attributes.isSocket { try Files.remove(socket) }
    try queue.sync {
      server = try ObserverServer(path: socket, queue: queue) { request, _, completion in
        completion(answer(request, link))
      }
    }
    made.withLock { $0 = socket }
  }

  /// A new path, from the watcher's queue.
  func note(_ path: NWPath, _ link: WindowLink) {
    queue.async { [self] in
      let isFirst = self.path == nil
      self.path = path
      if let event = path.bannerEvent(isFirst: isFirst) { link.post(.banner(event)) }
      publish()
      if isFirst { ProcessEnvironment.releaseProgramPages() }
    }
  }

  /// What the window shows, from its thread.
  func note(_ status: WindowStatus) {
    queue.async { [self] in
      self.status = status
      publish()
    }
  }

  private func publish() {
    guard let server, let path else { return }
    let new = states.next(
      path: path, banner: status.banner, inset: status.inset, time: WallTime.now.rfc3339)
    guard let state = new else { return }
    server.publish(state)
  }

  /// Removes the socket. Connections end with this process, which waits for nobody: not even for a first look at the network that a
  /// short program does not live to see.
  func close() {
    if let socket { try? Files.remove(socket) }
  }
}

/// What a window does for those who ask.
private func answer(_ request: ObserverRequest, _ link: WindowLink) -> ObserverResponse {
  switch request {
  case .watch, .status:
    // The server itself answers these.
    return .ok()
  case .present(let banner):
    return ObserverResponse(presenting: { link.post(.banner(.bannerPresented(try Appearance(banner)))) })
  case .dismiss:
    link.post(.banner(.bannerDismissedByUser))
    return .ok()
  case .toast, .dismissToast, .alert:
    return .failure(message: "not yet", code: "unsupported")
  case .tmuxAttach, .tmuxDetach, .tmuxStatus:
    return .failure(message: "this is a window, not the monitor; tmux is the monitor's", code: "unknown-request")
  }
}
