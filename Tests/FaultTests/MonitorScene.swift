import OverlineSystem
import OverlineTestKit
import OverlineWindowTestKit

/// `overline monitor` with a real tmux server and its client, brought to a moment.
final class MonitorScene: Sendable {
  enum Process: String, CaseIterable, Sendable {
    case monitor, guardian, server, client, observer
  }

  private let world: WindowWorld
  private let server: TmuxTestServer
  private let client: TestTerminal
  private let before: String
  private let monitor: TestProgram
  private let observer: TestProgram
  private let pids: [Process: Int32]

  /// Nil where there is no such process, or where the outcome depends only on tmux.
  static func promise(_ process: Process, _ fault: Fault, at moment: Moment) -> Promise? {
    // The alert is a popup drawn by a process of its own, independent of any monitor.
    if moment == .alert { return nil }
    return switch (process, fault) {
    case (.guardian, _) where [.hidden, .grace].contains(moment): nil
    case (.monitor, .terminate), (.monitor, .interrupt): .ends(0)
    case (.monitor, .kill): .ends(137)
    // Without a terminal, the monitor reads its configuration again.
    case (.monitor, .hangUp), (.monitor, .stopAndContinue): .goesOn
    case (.guardian, _), (.server, _), (.client, _), (.observer, _): .goesOn
    }
  }

  init(at moment: Moment) throws {
    let world = try WindowWorld()
    self.world = world
    try world.configure(moment.configuration)
    let server = try TmuxTestServer(configuration: ["set -g status-interval 0"])
    self.server = server
    client = try server.attach()
    before = try Self.settings(of: server)
    func start(_ arguments: String...) throws -> TestProgram {
      try world.namespace.inside {
        try TestProgram(WindowWorld.executable, arguments, environment: world.environment)
      }
    }
    let monitor = try start("monitor")
    self.monitor = monitor
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    try world.overline("tmux", "attach", "--server", server.socket)
    observer = try start("watch", "--format", "json")
    try observer.lines.wait("the first state") { !$0.isEmpty }
    if moment == .toast {
      try world.overline("toast", "Message!", "--duration", "0", "--while", "\(ProcessEnvironment.processID)")
      try client.wait(for: "Message!")
    }
    try moment.reach(pull: world.pullTheCable, plug: world.plugTheCable, observer: observer)
    // The observer may learn of the banner before tmux has drawn it.
    if moment == .presented { try client.wait(for: "No connection") }
    if moment == .restored { try client.wait(for: "Back online") }
    var pids = [Process.monitor: monitor.pid, .server: server.pid, .client: client.pid, .observer: observer.pid]
    if Self.promise(.guardian, .kill, at: moment) != nil {
      _ = try eventually {
        let children = try Subprocess.run("pgrep", ["-P", "\(monitor.pid)", "-f", "guardian"]).outputText
        pids[.guardian] = Int32(children.filter(\.isNumber))
        return pids[.guardian] != nil
      }
    }
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
    case .endsUnseen: throw TestKitError("a monitor's end is always seen")
    case .ends(let status), .endsUnrestored(let status):
      let found = endStatus(of: monitor.pid)
      guard found == status else { throw TestKitError("the monitor's status is \(found)") }
      try checkEnd(isKilled: fault == .kill)
    }
  }

  private func goOn() throws {
    try world.plugTheCable()
    let isBack = try eventually {
      let words = try world.overline("status", "--format", "prompt")
      return ["online", "restored"].contains(words)
    }
    guard isBack else { throw TestKitError("the monitor does not go on") }
    // The next outage gets its banner if there is a server to show it.
    guard isServerThere else { return }
    try world.configure(Moment.presented.configuration)
    try world.overline("reload")
    try world.pullTheCable()
    guard try eventually({ try Self.settings(of: server).contains("No connection") }) else {
      throw TestKitError("the next outage has no banner: \(try Self.settings(of: server))")
    }
  }

  private func checkEnd(isKilled: Bool = false) throws {
    Signal.kill.send(to: observer.pid)
    if isServerThere {
      // Windows without a client keep their size.
      let client = try server.attach()
      defer { withExtendedLifetime(client) {} }
      guard try eventually({ try Self.settings(of: server) == before }) else {
        throw TestKitError("tmux keeps \(try Self.settings(of: server))\nbefore:\n\(before)")
      }
    }
    guard try eventually({ try processes(in: world.folder).isEmpty }) else {
      throw TestKitError("left are \(try processes(in: world.folder))")
    }
    // The lock and the list of tmux servers stay for the next monitor. A state file that stays names a process that has ended.
    let names = Set(try Files.names(in: "\(world.folder)/overline")).subtracting(["config.toml", "lock", "tmux"])
    guard names.isSubset(of: isKilled ? ["monitor.sock", "state"] : []) else {
      throw TestKitError("left in the runtime directory: \(names)")
    }
    // And the next monitor starts.
    let next = try world.namespace.inside {
      try TestProgram(WindowWorld.executable, ["monitor"], environment: world.environment)
    }
    try next.lines.wait("the next monitor's first line") { !$0.isEmpty }
    guard next.end(.terminate) == 0 else { throw TestKitError("the next monitor does not end") }
  }

  private var isServerThere: Bool { Files.linkTarget("/proc/\(server.pid)/exe") != nil }

  private static func settings(of server: TmuxTestServer) throws -> String {
    try server.source(
      "show -g", "show-environment -g", "show-environment -gh", "list-sessions -F '#{session_name}'",
      "display -p '#{pane_height}'")
  }
}

extension WindowWorld {
  /// Runs `overline` to its end and returns its output.
  @discardableResult
  fileprivate func overline(_ arguments: String...) throws -> String {
    try namespace.inside {
      try Subprocess.run(Self.executable, arguments, environment: environment, timeout: .seconds(30)).outputText
    }
  }
}
