internal import Banner
internal import Configuration
internal import Dispatch
internal import Netlink
internal import ObserverProtocol
internal import ObserverSocket
internal import POSIX
internal import PathModel
internal import Tmux

/// The background monitor: the kernel's path goes in, and what to show goes out to observers and tmux servers.
///
/// All state is touched on `queue` only: that is what makes this class Sendable.
final class Monitor: @unchecked Sendable {
  let queue = DispatchQueue(label: "overline")
  let console = Console()
  let settings: BannerSettings
  let reserve: TmuxReserve
  private let toastSettings: ToastSettings
  private let toastDefaults: Configuration.ToastDefaults
  private let pathOptions: PathOptions
  private let isQuiet: Bool

  private(set) var path: NWPath?
  /// The banner as observers are told of it, on no screen of its own.
  private(set) var reference: BannerMachine
  var tmux: TmuxServers?
  /// The toasts as observers are told of them, on no screen of its own either.
  var toasts: ToastMachine
  var toast: ToastContent?
  /// Those that tmux tells the end of.
  var toastsInTmux: Set<ToastID> = []
  private(set) lazy var overlays = Overlays(on: self, queue: queue, defaults: toastDefaults)

  private let observers: Observers?
  let service: MonitorService
  private var watcher: PathWatcher?
  private var timer: DeadlineTimer?
  private var signals: [SignalSource] = []
  private var isEnding = false
  private var states = StateSequence()

  /// Runs until a signal ends it.
  static func run(options: CommonOptions) throws -> ExitStatus {
    SignalSource.ignoreBrokenPipes()
    // A thousand observers are more than the usual limit leaves room for.
    ResourceLimits.raiseDescriptors()
    let monitor = try Monitor(configuration: options.configuration(), options: options)
    return try withExtendedLifetime(monitor) { try monitor.start().run() }
  }

  private init(configuration: Configuration, options: CommonOptions) throws {
    settings = configuration.banner
    reserve = configuration.tmux.reserve
    pathOptions = configuration.path
    isQuiet = options.quiet
    reference = BannerMachine(settings: settings, window: .reference)
    toastSettings = configuration.toastSettings
    toastDefaults = configuration.toast
    toasts = ToastMachine(settings: toastSettings, window: .reference)
    let environment = ServiceEnvironment.take()
    service = MonitorService(environment) { Output.complain($0) }
    observers = try Self.observers(socket: options.socket, environment, console)
  }

  /// Without a place for a socket the monitor still watches and still drives tmux. A second one, though, must not start.
  private static func observers(socket: String?, _ service: ServiceEnvironment, _ console: Console) throws -> Observers?
  {
    let attempt = Result { () throws(ObserverSocketError) in
      try Observers(socket: socket, service: service, complain: console.complain)
    }
    if case .failure(let error) = attempt, error.code != .alreadyRunning {
      Output.complain("\(error); going on, but the other commands and the tmux plugin cannot reach this monitor")
      return nil
    }
    return try attempt.get()
  }

  private func start() throws -> PathWatcher {
    try queue.sync {
      timer = try DeadlineTimer(queue: queue) { [unowned self] in deliver(.deadlineReached) }
      for signal in [Signal.terminate, .interrupt, .hangUp] where !SignalSource.isIgnored(signal) {
        signals.append(try SignalSource(signal, queue: queue) { [unowned self] in end() })
      }
      let tmux = TmuxServers(monitor: self, directory: observers?.directory, lock: observers?.lockDescriptor)
      tmux.toastSettings = toastSettings
      tmux.onToastEnd = { [unowned self] in toastEndedInTmux($0) }
      self.tmux = tmux
      do {
        try observers?.listen(
          on: queue, { [unowned self] request, client, completion in answer(request, from: client, completion) },
          onLeave: { [unowned self] in overlays.clientLeft($0) })
      } catch {
        console.complain("\(error); going on, but the other commands and the tmux plugin cannot reach this monitor")
      }
      let watcher = PathWatcher(queue: queue, options: pathOptions) { [unowned self] in pathChanged($0) }
      self.watcher = watcher
      tmux.attachKnown()
      return watcher
    }
  }

  // MARK: - What happened

  private func pathChanged(_ path: NWPath) {
    let isFirst = self.path == nil
    // A change that a person is not told of (of a second interface, of a target while offline) is no second line with the same words.
    let isNews = path.explanation != self.path?.explanation
    self.path = path
    deliver(path.bannerEvent(isFirst: isFirst), saying: isNews ? path.explanation : nil)
    service.tell(path.explanation, at: BootClock.now)
    arm()
    if isFirst { ProcessEnvironment.releaseProgramPages() }
  }

  /// What a window that appears now must be told first.
  var eventForLateWindow: BannerEvent? {
    path.flatMap { $0.status == .unsatisfied ? $0.bannerEvent(isFirst: true) : nil }
  }

  /// Hands an event to every window's machine.
  ///
  /// - Parameter sentence: what to say of it once observers know.
  func deliver(_ event: BannerEvent?, saying sentence: String? = nil) {
    let now = BootClock.now
    if let event {
      _ = reference.handle(event, at: now)
      tmux?.handle(event, at: now)
      handle(.deadlineReached, at: now)
    }
    publish(at: now)
    if let sentence { say(sentence) }
    observers?.handleDeadline(at: now)
    service.handleDeadline(at: now)
    arm()
  }

  /// Sets the one timer to the first deadline of all.
  func arm() {
    timer?.arm(
      [
        reference.nextDeadline, toasts.nextDeadline, tmux?.nextDeadline, observers?.nextDeadline, service.nextDeadline,
      ].compactMap { $0 }.min())
  }

  // MARK: - What is told

  func say(_ sentence: String) {
    if !isQuiet { console.say("\(WallTime.now.timeOfDay)  \(sentence)") }
  }

  /// Tells observers what is new.
  private func publish(at time: Duration) {
    // A fade may go on while tmux is waited for; the state file is gone by then, and stays gone.
    guard let observers, let path, !isEnding else { return }
    let new = states.next(
      path: path, banner: reference.status, inset: reference.inset, toast: toast, time: WallTime.now.rfc3339)
    guard let state = new else { return }
    observers.publish(state, at: time)
  }

  // MARK: - The end

  /// Gives every tmux server its lines back, then ends. A second signal does not wait for that; the guardian then does it.
  private func end() {
    if isEnding { exitProcess(ExitStatus.failure.rawValue) }
    isEnding = true
    service.stopping()
    watcher?.cancel()
    observers?.close()
    tmux?.close { exitProcess(0) }
  }
}
