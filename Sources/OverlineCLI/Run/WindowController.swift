internal import Dispatch
internal import NetworkPath
internal import Overline
internal import OverlineCore
internal import OverlineShell
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
  /// The last path; nil until the window has received one.
  private var path: NWPath?
  /// True after the watcher has reported its first path. The start is then over.
  private var isWatching = false
  private var monitor: RunningMonitor?
  private var follower: MonitorFollower?
  /// What the running monitor has found.
  private var found = MonitorFinding()

  init(_ keeper: ConfigurationKeeper, link: WindowLink, observers: WindowService) {
    self.keeper = keeper
    self.link = link
    self.observers = observers
  }

  /// Starts watching the network, the file and the monitor. If the kernel cannot be queried, the window works without all three.
  ///
  /// - Parameters:
  ///   - first: the path that the window started with.
  ///   - monitor: the monitor's files; nil if the window does not follow a monitor.
  ///   - word: what the monitor had found then.
  func watch(after first: NWPath?, monitor: RunningMonitor?, word: MonitorWord?) {
    queue.async { [self] in
      path = first
      let watcher = PathWatcher(queue: queue, options: keeper.current.path) { [weak self] in self?.pathChanged($0) }
      watcher.report(word)
      self.monitor = monitor
      follower = monitor.map { monitor in
        MonitorFollower(monitor) { [weak self, queue] found in
          queue.async { [weak self] in self?.monitorFound(found) }
        }
      }
      let files = [keeper.file, monitor?.stateFile].compactMap(\.self)
      if !files.isEmpty { watcher.watch(files: files) { [weak self] in self?.filesChanged() } }
      do { try watcher.start() } catch { return }
      self.watcher = watcher
      // The file may have changed between its first reading and the watch.
      readOrWarn()
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

  /// Passes a new path to the window. Runs on `queue`.
  func pathChanged(_ path: NWPath) {
    self.path = path
    link.post(.network(path, limitation(of: path)))
    if !isWatching { observers.watchingBegan() }
    isWatching = true
  }

  private func monitorFound(_ new: MonitorFinding) {
    let old = found
    found = new
    guard let path else { return }
    if new.limitation != old.limitation { pathChanged(path) }
    // One dismissal counts everywhere, as long as in the monitor. The window may report a change before the monitor does: then it claims
    // something else.
    guard let reason = path.troubleReason(limitation: limitation(of: path)) else { return }
    if reason == new.dismissedReason, reason != old.dismissedReason {
      link.post(.overlay(.banner(.troubleDismissedElsewhere)))
    } else if reason == new.shownReason, reason != old.shownReason {
      link.post(.overlay(.banner(.troubleShownElsewhere)))
    }
  }

  /// The monitor's finding about connections counts only until the window has one of its own: a window that has just started has none.
  private func limitation(of path: NWPath) -> Limitation? {
    let options = keeper.current.path
    let counts =
      switch found.limitation?.reason {
      case .noAnswers: !path.isLimited && options.detectsNoAnswers
      case .notSent: path.notSent == nil && options.detectsNotSent
      case .captivePortal, .checkFailed, nil: true
      }
    return counts ? found.limitation : nil
  }

  private func filesChanged() {
    follower?.follow()
    if let silent = monitor?.silentRouters(keeper.current.path) { watcher?.report(silent: silent) }
    if isDue { return }
    isDue = true
    queue.asyncAfter(deadline: .now() + Configuration.debounceInterval.dispatchInterval) {
      self.isDue = false
      self.readOrWarn()
    }
  }

  /// Applies the file. No client waits for an answer, so the window is the only place for a message.
  private func readOrWarn() {
    switch read() {
    case .failed(let error, isNews: true): observers.warn(of: "\(error)")
    case .failed: break
    case .changed, .unchanged: observers.warn(of: nil)
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
