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
  private var network: WindowNetwork
  /// True after the watcher has reported its first path. The start is then over.
  private var isWatching = false
  private var monitor: RunningMonitor?
  private var follower: MonitorFollower?
  private let quiet = (try? RuntimeDirectory.locate()).map { QuietReader($0) }
  /// Whether the window has been told of a pause.
  private var isPaused = false

  init(_ keeper: ConfigurationKeeper, link: WindowLink, observers: WindowService) {
    self.keeper = keeper
    network = WindowNetwork(options: keeper.current.path)
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
      network = WindowNetwork(path: first, options: keeper.current.path)
      let watcher = PathWatcher(queue: queue, options: keeper.current.path) { [weak self] in self?.pathChanged($0) }
      watcher.report(word)
      self.monitor = monitor
      follower = monitor.map { monitor in
        MonitorFollower(monitor) { [weak self, queue] found in
          queue.async { [weak self] in self?.monitorFound(found) }
        }
      }
      let files = [keeper.file, monitor?.stateFile, quiet?.file].compactMap(\.self)
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
    perform(network.handle(.pathChanged(path)))
    if !isWatching { observers.watchingBegan() }
    isWatching = true
  }

  private func monitorFound(_ new: MonitorFinding) { perform(network.handle(.monitorFound(new))) }

  private func perform(_ effects: [WindowNetwork.Effect]) {
    for effect in effects {
      switch effect {
      case .show(let path, let limitation): link.post(.network(path, limitation))
      case .dismissTrouble: link.post(.overlay(.banner(.troubleDismissedElsewhere)))
      case .showTroubleAgain: link.post(.overlay(.banner(.troubleShownElsewhere)))
      }
    }
  }

  /// The user's pause, for a window that opens.
  func pause() -> WindowRequest? {
    queue.sync {
      let period = quiet?.period()
      isPaused = period != nil
      return period.map { .overlay(.quietChanged($0)) }
    }
  }

  private func filesChanged() {
    let period = quiet?.period()
    if isPaused || period != nil { link.post(.overlay(.quietChanged(period))) }
    isPaused = period != nil
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
      link.post(.programNotice(after: new.answers.program, lag: new.answers.lag))
      observers.setDefaults(new.toast)
      watcher?.setOptions(new.path)
      perform(network.handle(.optionsChanged(new.path)))
    }
    return outcome
  }
}
