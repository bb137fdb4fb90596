import NetworkPath
import Overline
import OverlineCore
import OverlineSimulatedMachine

/// A machine, its user and its monitor, on a simulated clock.
final class SimulatedDay {
  let day: Day
  private(set) var now = Duration.seconds(1000)
  private(set) var failure: DayFailure?
  var coverage = DayCoverage()
  private(set) var log: [String] = []
  private let logs: Bool

  private(set) lazy var network = DayNetwork(self)
  private(set) var places: [TmuxPlace] = []
  var registry: Set<TmuxServer> = []
  var history = SimulatedHistory()
  private(set) var clients: [Int: SimulatedClient] = [:]
  var arrival: SimulatedClient?
  private(set) var processes: Set<Int32> = [1, 2, 3]
  private(set) var answer = Day.Answer.good
  private(set) var hookTime = Duration.milliseconds(100)
  private var configuration = Configuration()
  /// The configuration's file; nil if it cannot be read.
  private var file: Configuration?

  private(set) var monitor: SimulatedMonitor?
  private(set) var monitorStart = Duration.zero
  /// Guardians that have not ended. The next monitor waits for them.
  private var guardians = 0
  private var wantsMonitor = false
  /// The user's pause, as its file says.
  private(set) var pause: QuietPeriod?

  private var queue = EventQueue()
  private var nextDelay = 0
  /// The time at which all must have ended; nil before the last item.
  private var end: Duration?

  private static let maximumSteps = 200_000
  /// All timers of a short time have ended after it: a fade, a toast, a hook's limit, a router's silence.
  private static let restTime = Duration.seconds(120)

  init(_ day: Day, logs: Bool = false) {
    self.day = day
    self.logs = logs
    places = (0..<3).map(TmuxPlace.init)
    configuration.banner = BannerSettings(graceDelay: .milliseconds(250), hideDelay: .seconds(2), motion: .off)
    file = configuration
  }

  static func run(_ day: Day) -> (failure: DayFailure?, coverage: DayCoverage) {
    let world = SimulatedDay(day)
    world.run()
    return (world.failure, world.coverage)
  }

  func fail(_ kind: DayFailure.Kind, _ detail: String) {
    if failure == nil { failure = DayFailure(kind: kind, detail: "\(detail), at \(now)") }
  }

  var milliseconds: Int64 { now.components.seconds * 1000 }

  // MARK: The run

  func run() {
    coverage.days += 1
    startMonitor()
    schedule(0)
    while failure == nil {
      let deadline = monitor?.nextDeadline
      guard let next = [queue.first, deadline].compactMap(\.self).min() else { break }
      // After the end only what is under way matters.
      if let end, next > end { break }
      coverage.steps += 1
      if coverage.steps > Self.maximumSteps { fail(.restless, "no rest after \(coverage.steps) steps") }
      now = max(now, next)
      if let first = queue.first, first <= now {
        queue.removeFirst()()
      } else {
        monitor?.handleDeadline()
      }
      failure = failure ?? monitor?.oracle.failure ?? history.failure
    }
    if failure == nil { checkEnd() }
  }

  /// One item after another: the time does not pass for the user while the machine is suspended.
  private func schedule(_ index: Int) {
    guard index < day.items.count else {
      // What a killed monitor left in a server that was stopped is for the next monitor to give back.
      for number in places.indices { perform(.continueServer(number)) }
      perform(.start)
      end = now + Self.restTime * 4
      later(Self.restTime) { [unowned self] in checkRest() }
      later(Self.restTime * 2) { [unowned self] in perform(.terminate) }
      return
    }
    let after = Duration.milliseconds(day.items[index].after)
    if index > 0, after > Self.restTime { later(Self.restTime) { [unowned self] in checkRest() } }
    later(after) { [unowned self] in
      perform(day.items[index].action)
      schedule(index + 1)
    }
  }

  /// A line of the log of one day.
  func note(_ text: @autoclosure () -> String) {
    if logs { log.append("\(now):   \(text())") }
  }

  func later(_ delay: Duration? = nil, _ body: @escaping () -> Void) {
    queue.add(at: now + (delay ?? drawDelay()), body)
  }

  func drawDelay() -> Duration {
    nextDelay += 1
    return .milliseconds(day.delays[nextDelay % day.delays.count])
  }

  // MARK: The monitor's life

  private func startMonitor() {
    // A user has one monitor. A second one waits for the guardian of the first, and ends if the first still runs.
    wantsMonitor = monitor == nil && guardians > 0
    guard monitor == nil, guardians == 0 else { return }
    if let file { configuration = file }
    let new = SimulatedMonitor(self, configuration)
    monitorStart = now
    monitor = new
    history.begin()
    new.handle(.quietChanged(pause))
    new.start(knowing: registry.filter { place($0).model != nil }.sorted { $0.socket < $1.socket })
  }

  /// The process has ended: its clients are disconnected, and its guardian gives back what it left.
  func monitorEnded(_ ended: SimulatedMonitor, isKilled: Bool) {
    coverage.killed += isKilled ? 1 : 0
    if let fault = clients.values.compactMap(\.fault).first { fail(.clients, fault) }
    // A plugin whose monitor has ended registers its server.
    for server in ended.attaching where place(server).model != nil {
      place(server).isWanted = true
      registry.insert(server)
    }
    failure = failure ?? ended.oracle.failure
    for client in clients.values { client.id = nil }
    clients = [:]
    monitor = nil
    guardians += 1
    later { [unowned self] in restore(ended.guarded, until: now + .seconds(10)) }
  }

  /// The guardian waits for stopped servers, but not for ever.
  private func restore(_ servers: Set<TmuxServer>, until end: Duration) {
    let stopped = servers.filter { place($0).isStopped }
    for server in servers.subtracting(stopped).sorted(by: { $0.socket < $1.socket }) {
      let port = SimulatedPort(place: place(server), monitor: nil, isGuardian: true)
      do throws(TmuxError) { try port.restoreSaved() } catch { _ = try? port.restoreSaved() }
    }
    if !stopped.isEmpty, now < end {
      return later(.milliseconds(100)) { [unowned self] in restore(stopped, until: end) }
    }
    guardians -= 1
    for server in servers { checkOptions(place(server)) }
    if wantsMonitor { startMonitor() }
  }

  /// Whether the user wants quiet now.
  var isPaused: Bool { pause.map { now < $0.end } ?? false }

  func readConfiguration() -> Configuration? {
    guard let file, file != configuration else { return nil }
    configuration = file
    return file
  }

  // MARK: The items

  func place(_ server: TmuxServer) -> TmuxPlace { places.first { $0.server == server } ?? places[0] }

  private func perform(_ action: Day.Action) {
    coverage.items += 1
    if logs { log.append("\(now): \(action)") }
    switch action {
    case .network(let change): network.perform(change)
    case .suspend(let seconds):
      now += .seconds(seconds)
      network.noteJump()
      monitor?.drive(.clockStepped)
    case .startServer(let number, let version):
      places[number].start(version)
      attach(places[number].server)
    case .stopServer(let number): if places[number].model != nil { places[number].isStopped = true }
    case .continueServer(let number): places[number].proceed()
    case .killServer(let number): places[number].end()
    case .reloadServer(let number, let lines):
      places[number].change { _ = $0.source(lines) }
      attach(places[number].server)
    case .tmux(let number, let line): places[number].change { _ = $0.source([line]) }
    case .tmuxMeanwhile(let number, let line): places[number].changeMeanwhile { _ = $0.source([line]) }
    case .session(let number, let id, let isOn):
      places[number].change { if isOn { $0.addSession(id) } else if $0.sessions.count > 1 { $0.removeSession(id) } }
    case .tmuxClient(let number, let isOn):
      places[number].change { $0.clients = isOn ? ["/dev/pts/\(number)"] : [] }
    case .connect(let number): connect(number)
    case .request(let number, let request): send(request, from: number)
    case .garbage(let number):
      guard let client = clients[number], let id = client.id else { return }
      client.noteGarbage()
      monitor?.handle(server: .received(Array("{\"do\":\"nothing\u{1}\"\n".utf8), from: id))
    case .flood(let number, let count):
      guard let client = clients[number], let id = client.id else { return }
      for _ in 0..<count { client.note(.status()) }
      monitor?.handle(
        server: .received((0..<count).flatMap { _ in ObserverRequest.status().jsonLine }, from: id))
    case .deaf(let number, let isDeaf):
      guard let client = clients[number] else { return }
      if isDeaf { return client.isDeaf = true }
      client.listen()
      if client.isWrittenTo, let id = client.id { monitor?.handle(server: .writable(id)) }
    case .hangUp(let number):
      guard let client = clients.removeValue(forKey: number) else { return }
      if let fault = client.fault { fail(.clients, fault) }
      if let id = client.id { monitor?.handle(server: .hungUp(id, rest: [])) }
    case .beginProcess(let process): processes.insert(process)
    case .endProcess(let process):
      if processes.remove(process) != nil { monitor?.processEnded(process) }
    case .start: startMonitor()
    case .terminate: monitor?.handle(.ended(handsOver: false))
    case .kill: monitor?.die()
    case .killWithGuardian:
      monitor?.guarded = []
      monitor?.die()
    case .killAtTmux(let runs, let isBefore): monitor?.deadlyRun = (runs, isBefore)
    case .configure(let grace, let reserve, let checks, let hasHooks, let hasMotion):
      var new = Configuration()
      new.banner = BannerSettings(
        graceDelay: .milliseconds(grace), hideDelay: .seconds(2), motion: hasMotion ? .on : .off)
      new.tmux.reserve = reserve
      if checks { new.check = CheckSettings(url: CheckURL("http://example.net/")!) }
      if hasHooks {
        (new.hooks.onOffline, new.hooks.onOnline, new.hooks.onLimited, new.hooks.onInset) = ("a", "b", "c", "d")
      }
      file = new
      monitor?.handle(.configurationFileChanged)
    case .breakConfiguration:
      file = nil
      monitor?.handle(.configurationFileChanged)
    case .pause(let seconds):
      pause = seconds == 0 ? nil : QuietPeriod(start: now, end: now + .seconds(seconds), time: "then", words: "then")
      monitor?.handle(.quietChanged(pause))
    case .disk(let disk): history.disk = disk
    case .removeHistory: history.remove()
    case .otherMonitor(let runs): history.hasOtherMonitor = runs
    case .check(let answer): self.answer = answer
    case .hookTime(let milliseconds): hookTime = .milliseconds(milliseconds)
    }
  }

  /// What the plugin in the user's configuration does.
  private func attach(_ server: TmuxServer) {
    guard place(server).model != nil else { return }
    // The plugin registers the server itself if no monitor runs.
    guard let monitor, monitor.isAlive else {
      place(server).isWanted = true
      registry.insert(server)
      return
    }
    let number = 1000 + coverage.items
    connect(number)
    send(.tmuxAttach(socket: server.socket), from: number)
  }

  private func connect(_ number: Int) {
    guard clients[number] == nil, let monitor else { return }
    let client = SimulatedClient(number)
    clients[number] = client
    arrival = client
    monitor.handle(server: .connected(isOwnUser: true))
    arrival = nil
  }

  private func send(_ request: ObserverRequest, from number: Int) {
    guard let client = clients[number], let id = client.id else { return }
    client.note(request)
    monitor?.handle(server: .received(request.jsonLine, from: id))
  }
}
