import OverlineCore
import OverlineSimulatedMachine

/// The socket of a tmux server, and the server there, if any. Beside it is the same server in a world without Overline: both get what the user
/// does.
final class TmuxPlace {
  let server: TmuxServer
  private(set) var model: SimulatedTmux?
  private(set) var expected = SimulatedTmux()
  private var starts = 0
  var isStopped = false
  /// What the user does while the server is stopped.
  private var waiting: [(inout SimulatedTmux) -> Void] = []
  /// What the user does between the next reading of the server and the change that follows it.
  private var meanwhile: [(inout SimulatedTmux) -> Void] = []

  init(_ number: Int) {
    server = TmuxServer(socket: "/run/tmux/\(number)")
  }

  var isAnswering: Bool { model != nil && !isStopped }
  /// Whether the monitor owes the server a banner: the plugin has attached the server, and no client has detached it since.
  var isWanted = false
  var isSupported: Bool { model.flatMap { TmuxVersion($0.version) }?.isSupported ?? false }
  /// Whether a detach has failed, as its answer said. The line goes with the monitor.
  var isUndetached = false
  /// Whether the user has changed an option since the banner's last frame, which restores the line.
  var hasChanged = false

  func start(_ version: String) {
    guard model == nil else { return }
    var new = SimulatedTmux()
    new.version = version
    starts += 1
    new.pid = starts
    new.addSession("$0")
    (model, expected, isStopped, waiting) = (new, new, false, [])
    (isWanted, hasChanged, isUndetached) = (false, false, false)
  }

  func end() {
    (model, isStopped, waiting, meanwhile) = (nil, false, [], [])
  }

  func proceed() {
    isStopped = false
    for change in waiting { model.map { _ in change(&model!) } }
    waiting = []
  }

  /// The user changes the server.
  func change(_ body: @escaping (inout SimulatedTmux) -> Void) {
    guard model != nil else { return }
    body(&expected)
    hasChanged = true
    if isStopped { waiting.append(body) } else { body(&model!) }
  }

  /// The user changes the server between the next reading of it and the change that follows.
  func changeMeanwhile(_ body: @escaping (inout SimulatedTmux) -> Void) { meanwhile.append(body) }

  /// - Parameter isLast: whether the caller dies soon. It may then die before it has looked again.
  func source(_ lines: [String], isLast: Bool = false) throws(TmuxError) -> TmuxReply {
    let isReading = !meanwhile.isEmpty && lines.contains { $0.contains("#{\(SavedState.variableName)}") }
    if isReading, isLast { applyMeanwhile() }
    defer { if isReading { applyMeanwhile() } }
    guard model != nil else {
      throw TmuxError(code: .serverGone, attempt: "talk to tmux", reason: "no server running on \(server.socket)")
    }
    guard !isStopped else { throw TmuxError(code: .failed, attempt: "talk to tmux", reason: "no answer in time") }
    return model!.source(lines)
  }

  private func applyMeanwhile() {
    let changes = meanwhile
    meanwhile = []
    for body in changes { change(body) }
  }
}

/// The way of one monitor, or of its guardian, to a server.
struct SimulatedPort: TmuxPort, @unchecked Sendable {
  let place: TmuxPlace
  /// Nil for a guardian.
  weak var monitor: SimulatedMonitor?
  let isGuardian: Bool

  var server: TmuxServer { place.server }

  func source(_ lines: [String], changes: Bool, timeout: Duration?) throws(TmuxError) -> TmuxReply {
    if isGuardian { return try place.source(lines) }
    guard let monitor, monitor.isAlive else {
      throw TmuxError(code: .failed, attempt: "talk to tmux", reason: "killed")
    }
    monitor.world.coverage.tmuxRuns += 1
    let end = monitor.countRun()
    if end == .before { return try source(lines, changes: changes, timeout: timeout) }
    let reply = try place.source(lines, isLast: monitor.deadlyRun != nil)
    if end == .after { monitor.die() }
    return reply
  }

  func watch() -> String? {
    monitor?.guarded.insert(server)
    return nil
  }

  func release() { monitor?.guarded.remove(server) }
}
