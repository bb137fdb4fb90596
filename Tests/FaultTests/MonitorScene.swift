import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineWindowTestKit

/// `overline monitor` with a real tmux server and its client, brought to a moment.
final class MonitorScene: Sendable {
  enum Process: String, CaseIterable, Sendable {
    case monitor, guardian, server, client, observer
  }

  private let network: SceneNetwork
  private var world: WindowWorld { network.world }
  private let server: TmuxTestServer
  private let client: TestTerminal
  private let before: String
  private let monitor: TestProgram
  private let observer: TestProgram
  private let pids: [Process: Int32]

  /// Nil where there is no such process, or where the outcome depends only on tmux.
  static func promise(_ process: Process, _ fault: Fault, at moment: Moment) -> Promise? {
    // The alert is a popup drawn by a process of its own, independent of any monitor. A monitor has no program.
    if moment == .alert || moment == .waiting { return nil }
    // A simulation of the monitor kills and stops the others at any moment.
    if [.server, .client, .observer].contains(process), ![.hidden, .presented, .toast].contains(moment) { return nil }
    return switch (process, fault) {
    case (.guardian, _) where [.hidden, .grace, .suspicious].contains(moment): nil
    case (.monitor, .terminate), (.monitor, .interrupt): .ends(0)
    case (.monitor, .kill): .ends(137)
    // Without a terminal, the monitor reads its configuration again.
    case (.monitor, .hangUp), (.monitor, .stopAndContinue): .goesOn
    case (.guardian, _), (.server, _), (.client, _), (.observer, _): .goesOn
    }
  }

  init(at moment: Moment) throws {
    let network = try SceneNetwork(for: moment)
    let world = network.world
    self.network = network
    // A folder of its own, which can vanish without the configuration.
    try Files.makePrivateDirectory(Self.runtime(of: world))
    let server = try TmuxTestServer(configuration: ["set -g status-interval 0"])
    self.server = server
    client = try server.attach()
    before = try Self.settings(of: server)
    func start(_ arguments: String...) throws -> TestProgram {
      try world.namespace.inside {
        try TestProgram(WindowWorld.executable, arguments, environment: Self.environment(of: world))
      }
    }
    let monitor = try start("monitor")
    self.monitor = monitor
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    try Self.overline(world, "tmux", "attach", "--server", server.socket)
    observer = try start("watch", "--format", "json")
    try observer.lines.wait("the first state") { !$0.isEmpty }
    if moment == .toast {
      try Self.overline(world, "toast", "Message!", "--duration", "0", "--while", "\(ProcessEnvironment.processID)")
      try client.wait(for: "Message!")
    }
    var pids = [Process.monitor: monitor.pid, .server: server.pid, .client: client.pid, .observer: observer.pid]
    func findGuardian() throws {
      _ = try eventually {
        let children = try Subprocess.run("pgrep", ["-P", "\(monitor.pid)", "-f", "guardian"]).outputText
        pids[.guardian] = Int32(children.filter(\.isNumber))
        return pids[.guardian] != nil
      }
    }
    // It ends with the banner's last frame.
    try moment.reach(network, observer: observer) { if moment == .hiding { try findGuardian() } }
    // The observer may learn of the banner before tmux has drawn it.
    if [.presented, .silent].contains(moment) { try client.wait(for: "No connection") }
    if moment == .stalled { try client.wait(for: "Limited connection") }
    if moment == .restored { try client.wait(for: "Back online") }
    if pids[.guardian] == nil, Self.promise(.guardian, .kill, at: moment) != nil { try findGuardian() }
    self.pids = pids
  }

  func check(_ promise: Promise, when fault: Fault, meets process: Process) throws {
    guard let pid = pids[process] else { throw TestKitError("there is no \(process)") }
    fault.strike(pid)
    switch promise {
    case .goesOn:
      // tmux decides which faults end its server: all of these, but not a hang-up.
      let endsServer = process == .server && [.terminate, .interrupt, .kill].contains(fault)
      if endsServer, !eventually({ !isServerThere }) { throw TestKitError("the server does not end") }
      try goOn()
      let status = monitor.end(.terminate)
      guard status == 0 else { throw TestKitError("the monitor's status is \(status)") }
      try checkEnd()
    case .endsUnseen, .endsForTheNext: throw TestKitError("no promise for one fault of a monitor")
    case .ends(let status), .endsUnrestored(let status):
      let found = endStatus(of: monitor.pid)
      guard found == status else { throw TestKitError("the monitor's status is \(found)") }
      try checkEnd(isKilled: fault == .kill)
    }
  }

  private func goOn() throws {
    try network.plug()
    let isBack = try eventually {
      let words = try overline("status", "--format", "prompt")
      return ["online", "restored"].contains(words)
    }
    guard isBack else { throw TestKitError("the monitor does not go on") }
    // The next outage gets its banner if there is a server to show it.
    guard isServerThere else { return }
    try world.configure(Moment.presented.configuration)
    try overline("reload")
    try network.pull()
    guard try eventually({ try Self.settings(of: server).contains("No connection") }) else {
      throw TestKitError("the next outage has no banner: \(try Self.settings(of: server))")
    }
  }

  private func checkEnd(isKilled: Bool = false, isRestoredByTheNext: Bool = false) throws {
    Signal.kill.send(to: observer.pid)
    if !isRestoredByTheNext { try checkServer() }
    guard try eventually({ try processes(in: runtime).isEmpty }) else {
      throw TestKitError("left are \(try processes(in: runtime))")
    }
    // The lock and the list of tmux servers stay for the next monitor. A state file that stays names a process that has ended.
    var names = Set((try? Files.names(in: "\(runtime)/overline")) ?? []).subtracting(["lock", "tmux"])
    // A kill may come before a new state file has got its name.
    if isKilled { names = names.filter { !$0.hasPrefix("state.") } }
    guard names.isSubset(of: isKilled ? ["monitor.sock", "state", "quiet"] : []) else {
      throw TestKitError("left in the runtime directory: \(names)")
    }
    // And the next monitor starts.
    let next = try world.namespace.inside {
      try TestProgram(WindowWorld.executable, ["monitor"], environment: Self.environment(of: world))
    }
    try next.lines.wait("the next monitor's first line") { !$0.isEmpty }
    if isRestoredByTheNext, !(try eventually({ try overline("tmux", "status").contains(server.socket) })) {
      throw TestKitError("the next monitor does not find the tmux server")
    }
    guard next.end(.terminate) == 0 else { throw TestKitError("the next monitor does not end") }
    if isRestoredByTheNext { try checkServer() }
  }

  /// tmux has its old options.
  private func checkServer() throws {
    if isServerThere {
      // Windows without a client keep their size.
      let client = try server.attach()
      defer { withExtendedLifetime(client) {} }
      guard try eventually({ try Self.settings(of: server) == before }) else {
        throw TestKitError("tmux keeps \(try Self.settings(of: server))\nbefore:\n\(before)")
      }
    }
  }

  private var isServerThere: Bool { Files.linkTarget("/proc/\(server.pid)/exe") != nil }

  private static func settings(of server: TmuxTestServer) throws -> String {
    try server.source(
      "show -g", "show", "show-hooks -g", "show-environment -g", "show-environment -gh",
      "list-sessions -F '#{session_name}'",
      "display -p '#{pane_height}'")
  }
}

extension MonitorScene {
  private static func runtime(of world: WindowWorld) -> String { "\(world.folder)/run" }
  private var runtime: String { Self.runtime(of: world) }

  private static func environment(of world: WindowWorld) -> [String] {
    world.environment(with: ["XDG_RUNTIME_DIR=\(runtime(of: world))"])
  }

  /// Runs `overline` to its end and returns its output.
  @discardableResult
  private static func overline(_ world: WindowWorld, _ arguments: String...) throws -> String {
    try run(world, arguments)
  }

  @discardableResult
  private func overline(_ arguments: String...) throws -> String { try Self.run(world, arguments) }

  private static func run(_ world: WindowWorld, _ arguments: [String]) throws -> String {
    try world.namespace.inside {
      try Subprocess.run(
        WindowWorld.executable, arguments, environment: environment(of: world), timeout: .seconds(30)
      ).outputText
    }
  }
}

// MARK: - Two faults

extension MonitorScene {
  /// What is struck at the same time as the monitor, by SIGKILL or by its removal.
  enum Companion: String, CaseIterable, Sendable {
    case guardian = "guardian and monitor"
    case server = "tmux and monitor"
    case directory = "runtime directory and monitor"
  }

  static func promise(withMonitor companion: Companion, _ fault: Fault, at moment: Moment) -> Promise? {
    guard [.presented, .restored, .toast, .silent].contains(moment) else { return nil }
    // The monitor's own fault is the only one that matters with a router.
    if moment == .silent && fault != .kill { return nil }
    let alone = promise(.monitor, fault, at: moment)
    return companion == .guardian && fault == .kill ? .endsForTheNext(137) : alone
  }

  func check(_ promise: Promise, when fault: Fault, meetsMonitorAnd companion: Companion) throws {
    guard let guardian = pids[.guardian] else { throw TestKitError("there is no guardian") }
    switch companion {
    case .guardian: Signal.kill.send(to: guardian)
    case .server: Signal.kill.send(to: server.pid)
    case .directory:
      // Renamed first: rm(1) fails if the monitor replaces a file meanwhile.
      let removed = "\(runtime).removed"
      guard try Subprocess.run("mv", [runtime, removed]).status == 0 else { throw TestKitError("mv") }
      guard try Subprocess.run("rm", ["-rf", removed]).status == 0 else { throw TestKitError("rm") }
      try Files.makePrivateDirectory(runtime)
    }
    fault.strike(monitor.pid)
    if companion == .server, !eventually({ !isServerThere }) { throw TestKitError("the server does not end") }
    switch promise {
    case .goesOn:
      try goOn()
      guard monitor.end(.terminate) == 0 else { throw TestKitError("the monitor's status is not 0") }
      try checkEnd()
    case .ends(let status), .endsForTheNext(let status):
      let found = endStatus(of: monitor.pid)
      guard found == status else { throw TestKitError("the monitor's status is \(found)") }
      try checkEnd(isKilled: fault == .kill, isRestoredByTheNext: promise == .endsForTheNext(status))
    case .endsUnseen, .endsUnrestored: throw TestKitError("no promise of a monitor")
    }
  }
}
