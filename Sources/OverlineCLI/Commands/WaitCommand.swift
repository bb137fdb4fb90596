internal import ArgumentParser
internal import Configuration
internal import Dispatch
internal import Netlink
internal import PathModel
internal import POSIX
internal import Synchronization

struct WaitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait until the network is there, or away, or another.",
    discussion: "Asks the kernel itself; no monitor is needed. Exits with 1 when the time is over, and says why.")

  enum Goal: String, ExpressibleByArgument, CaseIterable {
    case online, offline, change
  }

  @Option(name: .customLong("for"), help: "What to wait for: online, offline or change.")
  var goal: Goal = .online

  @Option(help: ArgumentHelp("How long it must have been so.", valueName: "seconds"))
  var stable: Double = 0

  @Option(name: .shortAndLong, help: ArgumentHelp("How long to wait at most.", valueName: "seconds"))
  var timeout: Double?

  @OptionGroup var options: CommonOptions

  func validate() throws {
    guard stable >= 0, stable.isFinite else { throw ValidationError("--stable takes seconds, 0 or more") }
    if let timeout, timeout < 0 || !timeout.isFinite { throw ValidationError("--timeout takes seconds, 0 or more") }
  }

  func run() throws {
    try finish { try Waiter(self).run() }
  }
}

/// A wait in progress.
private final class Waiter: Sendable {
  private struct State {
    var first: NWPath?
    var path: NWPath?
    /// Since when it is as wanted.
    var metSince: Duration?
    var timer: DeadlineTimer?
  }

  private let goal: WaitCommand.Goal
  private let stable: Duration
  private let deadline: Duration?
  private let options: PathOptions
  private let showsProgress: Bool
  private let began = BootClock.now
  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)
  private let queue = DispatchQueue(label: "overline.wait")

  init(_ command: WaitCommand) throws {
    goal = command.goal
    stable = .seconds(command.stable)
    deadline = command.timeout.map { BootClock.now + .seconds($0) }
    options = try command.options.configuration().path
    showsProgress = isTerminal(2) && !command.options.quiet
  }

  func run() throws -> ExitStatus {
    let watcher = PathWatcher(queue: queue, options: options) { [weak self] in self?.pathChanged($0) }
    let timer = try DeadlineTimer(queue: queue) { [weak self] in self?.check() }
    state.withLock { $0.timer = timer }
    try watcher.start()
    queue.async { self.check() }
    // Only a line that counts seconds needs to wake up for them.
    while ended.wait(timeout: showsProgress ? .now() + .seconds(1) : .distantFuture) == .timedOut { showProgress() }
    watcher.cancel()
    if showsProgress { clearProgress() }
    if isMet { return .success }
    let seconds = (BootClock.now - began).components.seconds
    Output.complain(
      "gave up after \(seconds) s of waiting for \(goal.rawValue): \(state.withLock { $0.path?.explanation } ?? "no answer")"
    )
    return .offline
  }

  private func pathChanged(_ path: NWPath) {
    state.withLock { state in
      let isWanted = isWanted(path, first: state.first)
      state.first = state.first ?? path
      state.path = path
      if !isWanted { state.metSince = nil } else if state.metSince == nil { state.metSince = BootClock.now }
    }
    check()
  }

  private func isWanted(_ path: NWPath, first: NWPath?) -> Bool {
    switch goal {
    case .online: path.status != .unsatisfied
    case .offline: path.status == .unsatisfied
    case .change: first.map { $0 != path } ?? false
    }
  }

  private var isMet: Bool {
    state.withLock { $0.metSince.map { BootClock.now >= $0 + stable } ?? false }
  }

  private func check() {
    if isMet || deadline.map({ BootClock.now >= $0 }) ?? false {
      ended.signal()
    } else {
      state.withLock { state in
        state.timer?.arm([state.metSince.map { $0 + stable }, deadline].compactMap { $0 }.min())
      }
    }
  }

  private func showProgress() {
    let seconds = (BootClock.now - began).components.seconds
    let why = state.withLock { $0.path?.explanation } ?? ""
    let text = "waiting for \(goal.rawValue), \(seconds) s (\(why))"
    try? writeAll(Array("\r\u{1b}[K\(text)".utf8), to: 2)
  }

  private func clearProgress() {
    try? writeAll(Array("\r\u{1b}[K".utf8), to: 2)
  }
}
