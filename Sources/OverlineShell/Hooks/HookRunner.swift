internal import Dispatch
internal import OverlineCore
internal import OverlineSystem

/// Runs the commands of one hook, one at a time. All events about one thing during a run cause one further run, with the newest state.
///
/// Used on the monitor's queue only.
final class HookRunner: @unchecked Sendable {
  private struct Job {
    var command: String
    var environment: [String]
    /// The target that the run is about; nil for the network.
    var topic: String?
  }

  private struct Running {
    /// The process id of the shell, which is also the id of its session and process group.
    let pid: Int32
    let number: Int
    let deadline: Duration
    let pipe: SharedPipe
    /// Nil if the process had already ended.
    let end: ProcessWatch?
    var source: ReadSource?
    var output = HookOutput()
    var isLate = false
  }

  /// Long enough for a script that tries the network and gives up.
  static let timeLimit = Duration.seconds(30)

  private let hook: Hook
  private let queue: DispatchQueue
  private let say: (String) -> Void
  private let warn: (String) -> Void
  private var running: Running?
  /// At most one for each topic.
  private var waiting: [Job] = []
  private var count = 0
  var onChange: () -> Void = {}

  /// - Parameters:
  ///   - say: called with each line that the command prints.
  ///   - warn: called when the command was killed, or failed.
  init(_ hook: Hook, queue: DispatchQueue, say: @escaping (String) -> Void, warn: @escaping (String) -> Void) {
    self.hook = hook
    self.queue = queue
    self.say = say
    self.warn = warn
  }

  /// The time at which the command is killed.
  var nextDeadline: Duration? { running.flatMap { $0.isLate ? nil : $0.deadline } }

  func handleDeadline(at now: Duration) {
    guard let running, !running.isLate, running.deadline <= now else { return }
    self.running?.isLate = true
    // `ended` then handles the command's end.
    Signal.kill.send(to: -running.pid)
  }

  /// - Parameters:
  ///   - environment: all variables as `NAME=value`.
  ///   - topic: a waiting run about the same topic is replaced.
  func run(_ command: String, environment: [String], about topic: String? = nil) {
    waiting.removeAll { $0.topic == topic }
    waiting.append(Job(command: command, environment: environment, topic: topic))
    startNext()
  }

  /// Ends the command at the monitor's end.
  func cancel() {
    waiting = []
    if let running { Signal.kill.send(to: -running.pid) }
  }

  private func startNext() {
    while running == nil, !waiting.isEmpty {
      do {
        try start(waiting.removeFirst())
        onChange()
      } catch {
        warn("\(hook.rawValue): \(error)")
      }
    }
  }

  private func start(_ job: Job) throws(SystemError) {
    let pipe = try SharedPipe()
    let writing = pipe.ends.writing.rawValue
    count += 1
    let number = count
    let source = try ReadSource(descriptor: pipe.ends.reading.rawValue, keeping: pipe, queue: queue) { [weak self] in
      self?.read(number)
    }
    let pid = try Subprocess.spawn(
      "/bin/sh", ["-c", job.command], environment: job.environment, newSession: true,
      descriptors: [(writing, 1), (writing, 2)])
    let end = try ProcessWatch.ofChild(pid, queue: queue) { [weak self] in self?.ended(number) }
    running = Running(
      pid: pid, number: number, deadline: BootClock.now + Self.timeLimit, pipe: pipe, end: end, source: source)
  }

  private func read(_ number: Int) {
    guard let pipe = running?.pipe, running?.number == number, running?.source != nil else { return }
    while let bytes = try? pipe.ends.reading.read() {
      for line in running?.output.take(bytes) ?? [] { say("\(hook.rawValue): \(line)") }
      if running?.output.isFull == true { return terminateForExcessOutput() }
    }
  }

  private func terminateForExcessOutput() {
    warn("\(hook.rawValue): prints too much, and is ended")
    running?.source = nil
    if let running { Signal.kill.send(to: -running.pid) }
  }

  private func ended(_ number: Int) {
    guard let running, running.number == number else { return }
    // Kill all its children before reaping the process, while no other process group can have its number.
    Signal.kill.send(to: -running.pid)
    read(number)
    for line in self.running?.output.end() ?? [] { say("\(hook.rawValue): \(line)") }
    let status = Subprocess.wait(for: running.pid)
    let isFull = self.running?.output.isFull == true
    if running.isLate {
      warn("\(hook.rawValue): did not end within \(Self.timeLimit.components.seconds) seconds, and was ended")
    } else if status != 0 && !isFull {
      warn("\(hook.rawValue): ended with status \(status)")
    }
    self.running = nil
    startNext()
    onChange()
  }
}
