import Dispatch
import OverlineCore
import OverlineProcess
@testable import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCLI

/// The user's commands that the monitor runs at changes.
@Suite(.ownThread) struct HookTests {
  private func configure(_ world: World, _ hooks: String, grace: String = "0s") throws {
    try world.configure(
      "[banner]\ngrace-delay = \"\(grace)\"\nhide-delay = \"100ms\"\nmotion = \"off\"\n[hooks]\n\(hooks)\n")
  }

  private func lines(_ world: World) -> [Substring] {
    String(decoding: (try? Files.read("\(world.folder)/told")) ?? [], as: UTF8.self).split(separator: "\n")
  }

  private func waitForLines(_ wanted: [Substring], _ world: World) throws {
    if !eventually({ lines(world) == wanted }) {
      throw TestKitError("waited in vain for \(wanted); there was: \(lines(world))")
    }
  }

  @Test func hooksRunAtStateChangesAndGetTheState() throws {
    let world = try World()
    let tell = { (word: String) in
      "echo \(word) $OVERLINE_STATE \\\"$OVERLINE_REASON\\\" $OVERLINE_INSET_TOP >>\(world.folder)/told"
    }
    try configure(
      world,
      "on-offline = \"\(tell("off"))\"\non-online = \"\(tell("on"))\"\non-inset = \"sleep 0.2; \(tell("inset"))\"")
    let monitor = try world.startMonitor()
    try world.pullTheCable()
    try waitForLines(["off offline no-carrier 1", "inset offline no-carrier 1"], world)
    try world.plugTheCable()
    try waitForLines(
      ["off offline no-carrier 1", "inset offline no-carrier 1", "on restored  1", "inset online  0"], world)
    #expect(monitor.errors.values == [])
    #expect(monitor.end(.terminate) == 0)
  }

  @Test("the state file is at least as new as a hook's environment")
  func theStateFileIsAsNewAsTheEnvironment() throws {
    let world = try World()
    // The state file has the same variables.
    let script = "env=$OVERLINE_SEQ; . $XDG_RUNTIME_DIR/overline/state; echo $env $OVERLINE_SEQ >>\(world.folder)/told"
    try configure(world, "on-offline = \"\(script)\"\non-online = \"\(script)\"\non-inset = \"\(script)\"")
    let monitor = try world.startMonitor()
    let watch = try world.watchWords()
    // A hook that still runs meets only the newest state, so an outage may have fewer lines than hooks.
    for _ in 0..<5 {
      let before = lines(world).count
      try world.haveOutage(watch)
      #expect(eventually { lines(world).count > before })
    }
    #expect(monitor.end(.terminate) == 0)
    for line in lines(world) {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      #expect(numbers.count == 2 && numbers[1] >= numbers[0], "\(line)")
    }
  }

  /// The guide's lines, with a program in place of the desktop's.
  @Test("on-target runs once for each target that a VPN takes with it, and at their return") func theGuidesTargetHook()
    throws
  {
    let world = try World()
    let guide = try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/Hooks.md")
    let block = try #require(guide.blocks.first { $0.language == "toml" && $0.text.contains("on-target") }?.text)
    let program = "\(world.folder)/notify-send"
    try Files.replace(
      program, with: Array("#!/bin/sh\necho \"$1|$2|$OVERLINE_TARGETS\" >>\(world.folder)/told\n".utf8),
      permissions: 0o700)
    let grace = "banner.grace-delay = \"0s\"\n"
    let configuration = grace + block.replacing("notify-send", with: program) + "\n"
    try world.configure(configuration)
    // Routes of their own, as a VPN adds them.
    try world.namespace.ip("route add 10.20.0.0/16 via 192.0.2.1", "route add 192.168.7.9 via 192.0.2.1")
    let monitor = try world.startMonitor()
    #expect(try world.overline("path").outputText.contains("office"))
    try world.namespace.ip("route del 10.20.0.0/16", "route replace unreachable 192.168.7.9")
    let lost: [Substring] = [
      "office: default-route|office (10.20.0.0/16) is not reachable: only the default route leads there|",
      "nas: unreachable|nas (192.168.7.9/32) is not reachable: ",
    ]
    #expect(eventually { lost.allSatisfy { line in lines(world).contains { $0.hasPrefix(line) } } }, "\(lines(world))")
    #expect(lines(world).count == 2)
    // A reload that removes a target and adds it again.
    try world.configure(grace)
    try monitor.lines.first("the reload") { $0.hasSuffix("the configuration was read again") }
    let before = monitor.lines.values.count
    try world.configure(configuration)
    try monitor.lines.first("the reload", from: before) { $0.hasSuffix("the configuration was read again") }
    #expect(
      try eventually {
        try world.overline("status", "--format", "env").outputText.contains("\nOVERLINE_TARGETS='nas=0 office=0'\n")
      })
    try world.namespace.ip("route add 10.20.0.0/16 via 192.0.2.1")
    #expect(eventually { lines(world).count == 3 })
    #expect(lines(world).last?.hasPrefix("office: reachable|") == true)
    #expect(lines(world).last?.hasSuffix("|nas=0 office=1") == true)
    #expect(monitor.end(.terminate) == 0)
    #expect(lines(world).count == 3)
  }

  @Test("a run that waits is replaced by a later one about the same target only") func waitingRuns() throws {
    let world = try World()
    let queue = DispatchQueue(label: "overline.test.hook")
    let said = Recorder<String>()
    let runner = HookRunner(.target, queue: queue, say: { said.record($0) }, warn: { said.record($0) })
    func run(_ word: String, _ target: String) {
      runner.run(
        "echo \(word); until [ -e \(world.folder)/go ]; do sleep 0.05; done", environment: world.environment,
        about: target)
    }
    queue.sync { run("first", "office") }
    try said.wait("the first run") { $0 == ["on-target: first"] }
    queue.sync {
      run("old", "nas")
      run("lab", "lab")
      run("office", "office")
      run("new", "nas")
    }
    try Files.replace("\(world.folder)/go", with: [])
    try said.wait("one run for each") { $0 == ["first", "lab", "office", "new"].map { "on-target: \($0)" } }
    #expect(eventually { queue.sync { runner.nextDeadline } == nil })
    #expect(said.values.count == 4)
  }

  @Test func aHookRunsOnceAtATimeWithTheNewestState() throws {
    let world = try World()
    let queue = DispatchQueue(label: "overline.test.hook")
    let said = Recorder<String>()
    let runner = HookRunner(.online, queue: queue, say: { said.record($0) }, warn: { said.record($0) })
    func run(_ number: Int) {
      let script = "echo $OVERLINE_SEQ; until [ -e \(world.folder)/go ]; do sleep 0.05; done; echo end"
      runner.run(script, environment: world.environment + ["OVERLINE_SEQ=\(number)"])
    }
    queue.sync { run(1) }
    try said.wait("the first run") { $0 == ["on-online: 1"] }
    queue.sync { for number in 2...5 { run(number) } }
    try Files.replace("\(world.folder)/go", with: [])
    try said.wait("one run for all that happened meanwhile") {
      $0 == ["1", "end", "5", "end"].map { "on-online: \($0)" }
    }
    // None of the earlier states is pending.
    queue.sync { run(6) }
    try said.first("the next run") { $0 == "on-online: 6" }
    #expect(eventually { queue.sync { runner.nextDeadline } == nil })
    #expect(said.values == ["1", "end", "5", "end", "6", "end"].map { "on-online: \($0)" })
  }

  @Test func theOutputIsLoggedAndNoProcessIsLeft() throws {
    let world = try World()
    let script =
      "printf 'one\\\\n\\\\033[31mtwo'; echo wrong >&2; ls /proc/self/fd | wc -l; sleep 1000 & echo $! >\(world.folder)/pid; exit 3"
    try configure(world, "on-offline = \"\(script)\"")
    let monitor = try world.startMonitor()
    try world.pullTheCable()
    try monitor.errors.first("its status") { $0 == "overline: on-offline: ended with status 3" }
    let said = monitor.lines.values.filter { $0.contains("on-offline: ") }.map { $0.dropFirst("00:00:00  ".count) }
    // 0, 1, 2, and the descriptor that ls uses.
    #expect(said.contains("on-offline: one"))
    #expect(said.contains { $0.hasSuffix("wrong") })
    #expect(said.contains("on-offline: 4"))
    #expect(!monitor.lines.values.joined().contains("\u{1b}"))
    let pid = String(decoding: try Files.read("\(world.folder)/pid"), as: UTF8.self).dropLast()
    #expect(eventually { Files.linkTarget("/proc/\(pid)/exe") == nil })
    let children = try Subprocess.run("ps", ["--ppid", "\(monitor.pid)", "-o", "pid="])
    #expect(children.outputText == "")
  }

  /// In a container the hard limit may be a billion, and programs that close all possible descriptors would take hours.
  @Test func aHookHasALowDescriptorLimit() throws {
    let world = try World()
    try configure(world, "on-offline = \"ulimit -Sn >>\(world.folder)/told\"")
    let monitor = try world.namespace.inside {
      try TestProgram(
        "sh", ["-c", "ulimit -Hn; ulimit -Sn 1024; exec \(World.executable) monitor"], environment: world.environment)
    }
    try monitor.lines.wait("the monitor's first line") { $0.count > 1 }
    let hard = Int(monitor.lines.values[0]) ?? .max
    try world.pullTheCable()
    #expect(eventually { lines(world).count == 1 })
    #expect(lines(world).first.flatMap { Int($0) } == min(hard, 4096))
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func aHookThatPrintsForEverIsKilled() throws {
    let world = try World()
    try configure(world, "on-offline = \"yes\"")
    let monitor = try world.startMonitor()
    try world.pullTheCable()
    try monitor.errors.first("why it was ended") { $0.hasSuffix("on-offline: prints too much, and is ended") }
    #expect(try world.overline("status").status == 1)
    #expect(eventually { (try? Subprocess.run("ps", ["--ppid", "\(monitor.pid)", "-o", "pid="]))?.outputText == "" })
    #expect(monitor.lines.values.count < 20)
  }

  /// The test passes the time to the runner, and does not wait for it.
  @Test func aHookIsKilledAfterHalfAMinuteWithItsChildren() throws {
    let world = try World()
    let queue = DispatchQueue(label: "overline.test.hook")
    let said = Recorder<String>()
    let warnings = Recorder<String>()
    let runner = HookRunner(.offline, queue: queue, say: { said.record($0) }, warn: { warnings.record($0) })
    let before = BootClock.now
    queue.sync {
      runner.run("sleep 1000 & echo $!; trap '' TERM; wait", environment: world.environment)
      runner.run("echo next", environment: world.environment)
    }
    let pid = try said.first("its child") { $0.hasPrefix("on-offline: ") }.dropFirst("on-offline: ".count)
    let deadline = try #require(queue.sync { runner.nextDeadline })
    #expect((.seconds(30) ..< .seconds(40)).contains(deadline - before))
    queue.sync { runner.handle(.deadlineReached, at: deadline - .milliseconds(1)) }
    #expect(queue.sync { runner.nextDeadline } == deadline)
    #expect(Files.linkTarget("/proc/\(pid)/exe") != nil)
    queue.sync { runner.handle(.deadlineReached, at: deadline) }
    try warnings.wait("why") { $0 == ["on-offline: did not end within 30 seconds, and was ended"] }
    #expect(eventually { Files.linkTarget("/proc/\(pid)/exe") == nil })
    try said.first("what waited") { $0 == "on-offline: next" }
    #expect(eventually { queue.sync { runner.nextDeadline } == nil })
    #expect(warnings.values.count == 1)
  }

  @Test func onlySoMuchOutputIsTaken() {
    var output = HookOutput()
    #expect(output.take(Array("one\ntw".utf8)) == ["one"])
    #expect(output.take(Array("o\n\n".utf8)) == ["two"])
    #expect(output.take([UInt8](repeating: 97, count: 2000) + [0x0a]).first?.count == 500)
    #expect(output.take([UInt8](repeating: 98, count: 1 << 20)) == [])
    #expect(output.isFull)
    #expect(output.take(Array("more\n".utf8)) == [])
    var chatty = HookOutput()
    #expect(chatty.take(Array(String(repeating: "x\n", count: 1000).utf8)).count == 100)
  }
}

extension HookRunner {
  fileprivate func run(_ command: String, environment: [String], about topic: String? = nil) {
    handle(.due(HookMachine.Job(command: command, environment: environment, topic: topic)))
  }
}
