/// Decides when a hook's command runs: one at a time, and each for at most 30 seconds. All events about the same topic during a run cause one
/// further run, with the newest state.
package struct HookMachine: Sendable {
  package struct Job: Equatable, Sendable {
    package var command: String
    /// All variables as `NAME=value`.
    package var environment: [String]
    /// The target that the run is about; nil for the network.
    package var topic: String?

    package init(command: String, environment: [String], topic: String?) {
      (self.command, self.environment, self.topic) = (command, environment, topic)
    }
  }

  package enum Event: Equatable, Sendable {
    /// A waiting run about the same topic is replaced.
    case due(Job)
    /// The network has another state now. A waiting run that would report the old one is left out.
    case superseded
    case startFailed(String)
    /// The command has printed more than a log needs.
    case printedTooMuch
    case ended(status: Int32)
    /// The clock may have reached ``HookMachine/nextDeadline``. Early, late and repeated deliveries are harmless.
    case deadlineReached
    /// The monitor ends.
    case cancelled
  }

  package enum Effect: Equatable, Sendable {
    /// Start a command, and report its end or its failure.
    case start(Job)
    /// Kill the command and its children.
    case kill
    case warn(String)
  }

  private struct Running: Equatable {
    let deadline: Duration
    /// It was killed: its exit status says nothing.
    var isKilled = false
    var isLate = false
  }

  /// Long enough for a script that tries the network and gives up.
  package static let timeLimit = Duration.seconds(30)

  private var running: Running?
  /// At most one for each topic.
  private var waiting: [Job] = []
  private var isCancelled = false

  package init() {}

  /// The time at which the command is killed.
  package var nextDeadline: Duration? { running.flatMap { $0.isKilled ? nil : $0.deadline } }

  package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .due(let job):
      if isCancelled { return [] }
      waiting.removeAll { $0.topic == job.topic }
      waiting.append(job)
      return startNext(at: now)
    case .superseded:
      waiting.removeAll { $0.topic == nil }
      return []
    case .startFailed(let reason):
      running = nil
      return [.warn(reason)] + startNext(at: now)
    case .printedTooMuch:
      guard running?.isKilled == false else { return [] }
      running?.isKilled = true
      return [.warn("prints too much, and is ended"), .kill]
    case .ended(let status):
      guard let ended = running else { return [] }
      running = nil
      return warnings(ended, status) + startNext(at: now)
    case .deadlineReached:
      guard let deadline = nextDeadline, deadline <= now else { return [] }
      running?.isKilled = true
      running?.isLate = true
      return [.kill]
    case .cancelled:
      isCancelled = true
      waiting = []
      running?.isKilled = true
      return running == nil ? [] : [.kill]
    }
  }

  private mutating func startNext(at now: Duration) -> [Effect] {
    guard running == nil, !waiting.isEmpty else { return [] }
    running = Running(deadline: now + Self.timeLimit)
    return [.start(waiting.removeFirst())]
  }

  private func warnings(_ ended: Running, _ status: Int32) -> [Effect] {
    if ended.isLate {
      return [.warn("did not end within \(Self.timeLimit.components.seconds) seconds, and was ended")]
    }
    return status == 0 || ended.isKilled ? [] : [.warn("ended with status \(status)")]
  }
}
