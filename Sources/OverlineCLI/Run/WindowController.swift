internal import Dispatch
internal import NetworkPath
internal import Overline
internal import OverlineConfiguration
internal import OverlineObservers
internal import OverlineRun
internal import OverlineSystem

/// A running window's settings. They follow changes of the configuration file. In a window, `SIGHUP` means only the end of its terminal.
///
/// All state is accessed on `queue` only, which makes this class Sendable.
final class WindowController: @unchecked Sendable {
  /// Also the path watcher's queue.
  let queue = DispatchQueue(label: "overline.path")
  private var keeper: ConfigurationKeeper
  private let link: WindowLink
  private let observers: WindowService
  private var watcher: PathWatcher?
  private var isDue = false
  /// True once the window has received a path.
  private var hasPath = false

  init(_ keeper: ConfigurationKeeper, link: WindowLink, observers: WindowService) {
    self.keeper = keeper
    self.link = link
    self.observers = observers
  }

  /// Starts watching the network and the file. If the kernel cannot be queried, the window works without both.
  ///
  /// - Parameter first: the path that the window started with.
  func watch(after first: NWPath?) {
    queue.async { [self] in
      hasPath = first != nil
      let watcher = PathWatcher(queue: queue, options: keeper.current.path) { [weak self] in self?.pathChanged($0) }
      if let file = keeper.file { watcher.watch(files: [file]) { [weak self] in self?.fileChanged() } }
      do { try watcher.start() } catch { return }
      self.watcher = watcher
    }
  }

  /// Applies the file's current content.
  ///
  /// - Parameter completion: called on `queue`.
  func reload(completion: @escaping @Sendable (ObserverResponse) -> Void) {
    queue.async {
      if case .failed(let error, _) = self.read() { completion(ObserverResponse(error)) } else { completion(.ok()) }
    }
  }

  /// Passes a new path first to the window, then to its observers: they wait for the queue that serves all clients. Runs on `queue`.
  func pathChanged(_ path: NWPath) {
    if let event = path.bannerEvent(isFirst: !hasPath) { link.post(.overlay(.banner(event))) }
    hasPath = true
    observers.note(path)
  }

  private func fileChanged() {
    if isDue { return }
    isDue = true
    queue.asyncAfter(deadline: .now() + Configuration.debounceInterval.dispatchInterval) {
      self.isDue = false
      // No client waits for an answer, so the window is the only place for a message.
      if case .failed(let error, isNews: true) = self.read() { self.observers.warn(of: "\(error)") }
    }
  }

  private func read() -> ConfigurationKeeper.Outcome {
    let outcome = keeper.reload()
    if case .changed = outcome {
      let new = keeper.current
      link.post(.overlay(.banner(.settingsChanged(new.banner))))
      link.post(.overlay(.toast(.settingsChanged(new.toastSettings))))
      link.post(.toastInput(new.toast.input))
      link.post(.programNotice(after: new.answers.program))
      observers.setDefaults(new.toast)
      watcher?.setOptions(new.path)
    }
    return outcome
  }
}
