internal import Dispatch
internal import NetworkPath
internal import Overline
internal import OverlineConfiguration
internal import OverlineObservers
internal import OverlineRun
internal import OverlineSystem

/// The settings of a window that runs, which follow their file. A `SIGHUP` of a window is its terminal's end and nothing else.
///
/// All state is touched on `queue` only: that is what makes this class Sendable.
final class WindowSettings: @unchecked Sendable {
  /// The path watcher's too.
  let queue = DispatchQueue(label: "overline.path")
  private var keeper: ConfigurationKeeper
  private let link: WindowLink
  private let observers: WindowObservers
  private var watcher: PathWatcher?
  private var isDue = false

  init(_ keeper: ConfigurationKeeper, link: WindowLink, observers: WindowObservers) {
    self.keeper = keeper
    self.link = link
    self.observers = observers
  }

  /// Begins to watch the network and the file. A window whose kernel cannot be asked is still a window.
  func watch() {
    queue.async { [self] in
      let watcher = PathWatcher(queue: queue, options: keeper.current.path) { [observers, link] path in
        observers.note(path, link)
      }
      if let file = keeper.file { watcher.watch(files: [file]) { [weak self] in self?.fileChanged() } }
      do { try watcher.start() } catch { return }
      self.watcher = watcher
      // Between the first read and now nobody told of a change. What was wrong then was said then.
      if case .failed(let error, isNews: true) = read() { observers.warn(of: "\(error)") }
    }
  }

  /// Goes over to what the file says now.
  ///
  /// - Parameter completion: called on `queue`.
  func reload(completion: @escaping @Sendable (ObserverResponse) -> Void) {
    queue.async {
      if case .failed(let error, _) = self.read() { completion(ObserverResponse(error)) } else { completion(.ok()) }
    }
  }

  private func fileChanged() {
    if isDue { return }
    isDue = true
    queue.asyncAfter(deadline: .now() + ConfigurationKeeper.patience.dispatchInterval) {
      self.isDue = false
      // There is nobody to answer, and no other place for a word than the window.
      if case .failed(let error, _) = self.read() { self.observers.warn(of: "\(error)") }
    }
  }

  private func read() -> ConfigurationKeeper.Outcome {
    let outcome = keeper.reload()
    if case .changed = outcome {
      let new = keeper.current
      link.post(.banner(.settingsChanged(new.banner)))
      link.post(.toastSettings(new.toastSettings, new.toast.input))
      observers.setDefaults(new.toast)
      watcher?.setOptions(new.path)
    }
    return outcome
  }
}
