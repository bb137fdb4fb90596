internal import Dispatch
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// Carries out what ``HookMachine`` decides: starts the commands of one hook, reads what they print, and kills them.
///
/// Used on the monitor's queue only.
final class HookRunner: @unchecked Sendable {
  private struct Running {
    /// The process id of the shell, which is also the id of its session and process group.
    let pid: Int32
    let number: Int
    let pipe: SharedPipe
    /// Nil if the process had already ended.
    let end: ProcessWatch?
    var source: ReadSource?
    var output = HookOutput()
  }

  private let hook: Hook
  private let queue: DispatchQueue
  private let say: (String) -> Void
  private let warn: (String) -> Void
  private var machine = HookMachine()
  private var running: Running?
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
  var nextDeadline: Duration? { machine.nextDeadline }

  func handle(_ event: HookMachine.Event, at now: Duration = BootClock.now) {
    for effect in machine.handle(event, at: now) { perform(effect) }
    onChange()
  }

  private func perform(_ effect: HookMachine.Effect) {
    switch effect {
    case .start(let job):
      do throws(SystemError) { try start(job) } catch { handle(.startFailed("\(error)")) }
    // `ended` then handles the command's end.
    case .kill: if let running { Signal.kill.send(to: -running.pid) }
    case .warn(let text): warn("\(hook.rawValue): \(text)")
    }
  }

  private func start(_ job: HookMachine.Job) throws(SystemError) {
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
    running = Running(pid: pid, number: number, pipe: pipe, end: end, source: source)
  }

  private func read(_ number: Int) {
    guard let pipe = running?.pipe, running?.number == number, running?.source != nil else { return }
    while let bytes = try? pipe.ends.reading.read() {
      for line in running?.output.take(bytes) ?? [] { say("\(hook.rawValue): \(line)") }
      guard running?.output.isFull == true else { continue }
      running?.source = nil
      return handle(.printedTooMuch)
    }
  }

  private func ended(_ number: Int) {
    guard let running, running.number == number else { return }
    // Kill all its children before reaping the process, while no other process group can have its number.
    Signal.kill.send(to: -running.pid)
    read(number)
    for line in self.running?.output.end() ?? [] { say("\(hook.rawValue): \(line)") }
    let status = Subprocess.wait(for: running.pid)
    self.running = nil
    handle(.ended(status: status))
  }
}
