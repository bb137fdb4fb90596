import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineWindowTestKit

/// `overline run` under a shell on a terminal, brought to a moment, with an observer and an asking client.
final class WindowScene: Sendable {
  enum Process: String, CaseIterable, Sendable {
    case window, helper, program, terminal, observer, asker
  }

  private let network: SceneNetwork
  private var world: WindowWorld { network.world }
  private let terminal: TerminalScene
  private let observer: TestProgram
  /// The client of the alert or the toast on the screen.
  private let asker: TestProgram?
  private let moment: Moment
  private let pids: [Process: Int32]

  static func promise(_ process: Process, _ fault: Fault, at moment: Moment) -> Promise? {
    // With a router, signals that end alike are one.
    if moment.hasRouter, fault == .hangUp || fault == .interrupt, process != .terminal { return nil }
    // Nothing shows yet, as when the router answers.
    if moment == .suspicious, process != .window { return nil }
    return switch (process, fault) {
    case (.asker, _) where moment != .alert && moment != .toast: nil
    // A terminal's only fault is a hang-up, after which no shell is left to receive a status.
    case (.terminal, .hangUp): .endsUnseen
    case (.terminal, _): nil
    case (.observer, _), (.asker, _), (_, .stopAndContinue): .goesOn
    case (.window, .terminate), (.program, .terminate): .ends(143)
    case (.window, .hangUp), (.program, .hangUp): .ends(129)
    case (.window, .interrupt), (.program, .interrupt): .ends(130)
    case (.window, .kill): .endsUnrestored(137)
    case (.program, .kill): .ends(137)
    // The helper's end hangs up the program's terminal.
    case (.helper, .kill): .ends(129)
    // A user must type the helper's pid to send it one of these signals. That is rare, so the test sends them at two moments only.
    case (.helper, _) where moment != .hidden && moment != .presented: nil
    // It hangs up the program, as after the end of the window.
    case (.helper, .terminate), (.helper, .hangUp): .ends(129)
    case (.helper, .interrupt): .goesOn
    }
  }

  init(at moment: Moment) throws {
    let network = try SceneNetwork(for: moment)
    let world = network.world
    self.network = network
    self.moment = moment
    // Prints enough lines to scroll: a margin that was left set would keep lines on the screen.
    let script = """
      stty sane -iutf8; stty -a >$HOME/before
      \(WindowWorld.executable) run -- \(Self.program(at: moment))
      echo $? >$HOME/status
      if [ -e $HOME/reset ]; then \(WindowWorld.executable) reset; fi
      stty -a >$HOME/after
      seq 1 40; echo END; exec cat
      """
    terminal = try world.scene(["sh", "-c", script])
    try terminal.wait(for: "READY")
    let folder = world.folder
    guard
      eventually({ Self.window(in: folder) != nil }), let window = Self.window(in: folder),
      let program = try Self.number("program", in: folder), let helper = parent(of: program)
    else { throw TestKitError("there is no window with a program") }
    let environment = world.environment + ["OVERLINE_SOCKET=\(folder)/overline/window-\(window).sock"]
    func start(_ arguments: [String]) throws -> TestProgram {
      try world.namespace.inside { try TestProgram(WindowWorld.executable, arguments, environment: environment) }
    }
    observer = try start(["watch", "--format", "json", "--socket", "\(folder)/overline/window-\(window).sock"])
    try observer.lines.wait("the first state") { !$0.isEmpty }
    var pids: [Process: Int32] = [.window: window, .helper: helper, .program: program, .observer: observer.pid]
    switch moment {
    case .alert:
      let program = try start(["alert", "Question?", "--button", "Yes", "--button", "No"])
      asker = program
      do { try terminal.wait(for: "Question?") } catch {
        throw TestKitError("\(error)\nthe command printed \(program.errors.values)")
      }
    case .toast:
      let owner = try TestProgram("sleep", ["1000"], environment: environment)
      asker = owner
      try world.ask(window, ["toast", "Message!", "--duration", "0", "--while", "\(owner.pid)"])
      try terminal.wait(for: "Message!")
    default: asker = nil
    }
    if let asker { pids[.asker] = asker.pid }
    self.pids = pids
    try moment.reach(network, observer: observer)
    switch moment {
    case .silent: try terminal.wait(for: "No connection")
    case .stalled: try terminal.wait(for: "Limited connection")
    case .waiting:
      terminal.type("a\r")
      try terminal.wait(for: "cat: last answer")
    case .hidden, .grace, .presenting, .presented, .fading, .restored, .hiding, .suspicious, .toast, .alert: break
    }
  }

  /// The program copies what is typed: to the screen, or to a server behind the router.
  private static func program(at moment: Moment) -> String {
    let begin = "echo $$ >$HOME/program; echo READY"
    guard moment == .waiting else { return "sh -c '\(begin); exec cat'" }
    let server = "/dev/tcp/\(RoutedNetwork.far[0])/\(EchoServer.port)"
    return "bash -c 'exec 3<>\(server); stty -echo; \(begin); exec cat >&3'"
  }

  func check(_ promise: Promise, when fault: Fault, meets process: Process) throws {
    if case .endsUnrestored = promise { _ = try world.file("reset", "") }
    if process == .terminal { terminal.hangUp() } else { fault.strike(pids[process]!) }
    switch promise {
    case .goesOn:
      if process == .asker, fault != .stopAndContinue {
        try terminal.waitUntilGone("Question?")
        try terminal.waitUntilGone("Message!")
      }
      try goOnAndEnd()
      // Another program may have drawn on the screen meanwhile: the text below a box is unknown then.
      try checkEnd(0, leavesText: process == .window && [.toast, .alert].contains(moment))
    case .endsUnseen: break
    case .endsForTheNext: throw TestKitError("no promise of a window")
    case .ends(let status): try checkEnd(status, leavesText: false)
    case .endsUnrestored(let status): try checkEnd(status, leavesText: true)
    }
    terminal.hangUp()
    // An observer waits for the next monitor to answer. The client of an alert gets an error.
    Signal.kill.send(to: observer.pid)
    if moment == .toast, let asker { Signal.kill.send(to: asker.pid) }
    let left = { try processes(in: self.world.folder) }
    guard try eventually({ try left().isEmpty }) else { throw TestKitError("left are \(try left())") }
    let names = try Files.names(in: "\(world.folder)/overline").filter { $0 != "config.toml" }
    // After a kill the window's socket remains until a command finds that it does not answer.
    let isKilled = promise == .endsUnrestored(137)
    guard names.isEmpty || (isKilled && names == ["window-\(pids[.window]!).sock"]) else {
      throw TestKitError("left in the runtime directory: \(names)")
    }
  }

  /// The network is back, and everything is as before; then a key ends the program, as a user would.
  private func goOnAndEnd() throws {
    try network.plug()
    let socket = "\(world.folder)/overline/window-\(pids[.window]!).sock"
    let states = ["online", "restored"]
    let isBack = try eventually {
      let words = try world.ask(pids[.window]!, ["status", "--format", "prompt", "--socket", socket])
      return states.contains { words.text.hasPrefix($0) }
    }
    guard isBack else { throw TestKitError("the window does not go on") }
    terminal.type("echo\r")
    // An alert has the keyboard until it is answered.
    if let asker, terminal.text.contains(where: { $0.contains("Question?") }) {
      Signal.kill.send(to: asker.pid)
      try terminal.waitUntilGone("Question?")
    }
    guard
      eventually({
        terminal.type("\u{4}")
        return eventually(within: .milliseconds(200)) { Files.exists("\(world.folder)/status") }
      })
    else { throw TestKitError("the program does not end:\n\(terminal.text.joined(separator: "\n"))") }
  }

  private func checkEnd(_ status: Int32, leavesText: Bool) throws {
    try terminal.wait(for: "END")
    let found = try Self.number("status", in: world.folder)
    guard found == status else { throw TestKitError("the status is \(String(describing: found)), not \(status)") }
    guard try Files.read("\(world.folder)/before") == Files.read("\(world.folder)/after") else {
      throw TestKitError(
        "the terminal's settings are \(try Subprocess.run("diff", ["before", "after"].map { "\(world.folder)/\($0)" }).outputText)"
      )
    }
    let (mouse, cursor, isAlternate) = terminal.look { ($0.mouse, $0.cursor, $0.isAlternate) }
    guard mouse == .none, cursor.isVisible, !isAlternate else { throw TestKitError("modes are left: \(cursor)") }
    let lines = terminal.scrollback + terminal.text
    guard terminal.scrollback.contains("1") else { throw TestKitError("a margin is left:\n\(lines)") }
    let words = ["No connection", "Back online", "Limited connection", "last answer", "Question?", "Message!"]
    if !leavesText, let line = lines.first(where: { line in words.contains { line.contains($0) } }) {
      throw TestKitError("the screen keeps \(line)")
    }
  }

  private static func window(in folder: String) -> Int32? {
    let names = (try? Files.names(in: "\(folder)/overline")) ?? []
    let name = names.first { $0.hasPrefix("window-") && $0.hasSuffix(".sock") }
    return name.flatMap { Int32($0.dropFirst(7).dropLast(5)) }
  }

  private static func number(_ name: String, in folder: String) throws -> Int32? {
    Int32(String(decoding: try Files.read("\(folder)/\(name)"), as: UTF8.self).filter(\.isNumber))
  }
}

extension WindowWorld {
  /// Runs `overline ARGUMENTS` as if from inside the window of a process.
  @discardableResult
  fileprivate func ask(_ window: Int32, _ arguments: [String]) throws -> (status: Int32, text: String) {
    let environment = environment + ["OVERLINE_SOCKET=\(folder)/overline/window-\(window).sock"]
    let result = try Subprocess.run(Self.executable, arguments, environment: environment, timeout: .seconds(30))
    return (result.status, result.outputText)
  }
}
