import NetworkPath
import Overline
import OverlineCore
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCLI

@Suite(.ownThread) struct DoctorTests {
  @Test func itSaysWhatItFindsAndSucceeds() throws {
    let world = try World()
    let monitor = try world.startMonitor()
    defer { monitor.end(.terminate) }
    let doctor = try world.overline("doctor", environment: ["HOME=\(world.folder)"])
    #expect(doctor.status == 0, "\(doctor.outputText)")
    let lines = doctor.outputText.split(separator: "\n").map {
      $0.split(separator: " ", omittingEmptySubsequences: true)
    }
    #expect(lines.allSatisfy { ["ok", "note"].contains($0[0]) })
    for area in [
      "kernel", "netlink", "router", "connections", "answers", "user", "directory", "history", "monitor", "systemd",
      "configuration", "tmux", "terminal", "prompt",
    ] {
      #expect(lines.contains { $0[1] == area }, "\(area)")
    }
    #expect(doctor.outputText.contains("answers: online via eth0"))
    // Each failed check names the remedy.
    let text = try world.overline("doctor", "--json", environment: ["HOME=\(world.folder)"]).output
    let findings = try #require(try JSONValue(parsing: text).array)
    #expect(findings.count >= 10)
    #expect(findings.allSatisfy { $0["verdict"] == .string("ok") || $0["remedy"]?.string?.isEmpty == false })
  }

  @Test(
    "on a terminal: marks, hanging indents and a summary; colours only where they are wanted", arguments: [true, false])
  func theReportIsForPeople(_ hasColors: Bool) {
    var environment = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]
    if !hasColors { environment["NO_COLOR"] = "1" }
    let capabilities = TerminalCapabilities(environment: { environment[$0] }, isTerminal: true)
    let long = String(repeating: "long words ", count: 9)
    let report = DoctorReport(
      findings: [
        .ok("kernel", "good"), .note("prompt", long, "do \(long)"), .problem("tmux", "ba\u{1b}[31md", "this"),
      ],
      columns: 60, capabilities: capabilities)
    let lines = report.lines(isTerminal: true)
    #expect(lines.contains { $0.contains("\u{1b}[0;1;31m") } == hasColors)
    let plain = lines.map { $0.replacing(/\u{1b}\[[0-9;]*m/, with: "") }
    #expect(plain[0] == "  ✓  kernel         good")
    #expect(plain[1].hasPrefix("  !  prompt         long words"))
    #expect(plain[2].hasPrefix("                    words"))
    #expect(plain.contains { $0.hasPrefix("                    → do long words") })
    #expect(plain.contains { $0.hasPrefix("                      long") })
    #expect(plain.contains("  ✗  tmux           ba[31md"))
    #expect(plain.last == "1 ok, 1 note, 1 problem")
    #expect(plain.allSatisfy { $0.count <= 60 })
    #expect(report.lines(isTerminal: false)[0] == "ok       kernel         good")
    #expect(report.lines(isTerminal: false).count == 3)
  }

  @Test func aProblemIsStatusOneAndSaysWhatToDo() throws {
    let world = try World()
    try world.configure("[banner]\ngrace-dealy = \"250ms\"\n")
    let doctor = try world.overline("doctor", "--quiet")
    #expect(doctor.status == 1)
    #expect(doctor.outputText.contains("/config.toml:2:1: banner.grace-dealy: "))
    #expect(doctor.outputText.split(separator: "\n").allSatisfy { $0.hasPrefix("problem") })
    let folder = "\(world.folder)/open"
    _ = try Subprocess.run("mkdir", ["-m", "777", folder])
    let open = try Subprocess.run(
      World.executable, ["doctor", "--json"], environment: TmuxTestServer.environment + ["XDG_RUNTIME_DIR=\(folder)"])
    #expect(open.status == 1)
    let findings = try JSONValue(parsing: open.output)
    let directory = findings.array?.first { $0["area"] == .string("directory") }
    #expect(directory?["verdict"] == .string("problem"))
    #expect(directory?["text"]?.string?.contains("can be written by other users") == true)
  }

  /// With and without the directory in it.
  @Test("a full or read-only runtime directory is a problem, and a state directory a note")
  func whatCannotBeWrittenIsNamed() throws {
    let world = try World()
    let (run, state) = ("\(world.folder)/run", "\(world.folder)/state")
    let script = """
      look() { \(World.executable) doctor; }
      mkdir \(run) \(state); mount -t tmpfs -o size=16k,mode=700 tmpfs \(run); mount -t tmpfs -o ro tmpfs \(state)
      export XDG_RUNTIME_DIR=\(run); look; ls -A \(run)
      dd if=/dev/zero of=\(run)/fill bs=1k 2>/dev/null; look
      mkdir -m 700 \(run)/overline; look
      rm \(run)/fill; mount -o remount,bind,ro \(run); look
      umount \(state); mkdir -m 700 \(state)/overline; look; ls -A \(state)/overline
      """
    let result = try world.namespace.inside {
      try Subprocess.run(
        "unshare", ["--mount", "sh", "-c", script], environment: world.environment, timeout: .seconds(60))
    }
    let lines = result.outputText.split(separator: "\n").map(String.init)
    let directories = lines.filter { $0.contains("  directory  ") }
    #expect(
      directories == [
        "ok       directory      \(run)/overline does not exist yet",
        "problem  directory      cannot write in \(run): No space left on device; free some space in \(run)",
        "problem  directory      cannot write in \(run)/overline: No space left on device; "
          + "free some space in \(run)/overline",
        "problem  directory      cannot write in \(run)/overline: Read-only file system; "
          + "make \(run)/overline writable for you, or set XDG_RUNTIME_DIR to another directory",
        "problem  directory      cannot write in \(run)/overline: Read-only file system; "
          + "make \(run)/overline writable for you, or set XDG_RUNTIME_DIR to another directory",
      ])
    let histories = lines.filter { $0.contains("  history  ") }
    let note = "note     history        outages are not recorded: cannot write in \(state): Read-only file system; "
    #expect(histories.prefix(4).allSatisfy { $0.hasPrefix(note) }, "\(histories)")
    #expect(histories.last == "ok       history        outages are recorded in \(state)/overline/history")
    // The look leaves no file.
    #expect(!lines.contains { $0.hasPrefix(".overline") })
  }

  @Test(arguments: [
    ("6.1.0-13-amd64", Finding.Verdict.ok), ("5.3", .ok), ("5.2.1", .note), ("4.19.0", .note), ("x", .note),
  ])
  func theKernel(_ release: String, _ verdict: Finding.Verdict) {
    #expect(SystemChecks.kernel(release: release).verdict == verdict)
  }

  @Test func aKernelThatListsNoSockets() {
    let refused = NetlinkError(code: 95, attempt: "list TCP sockets")
    let denied = NetlinkError(code: 1, attempt: "open a netlink socket")
    #expect(SystemChecks.router(opened: .success(())).verdict == .ok)
    #expect(SystemChecks.router(opened: .failure(denied)).remedy?.contains("[check]") == true)
    #expect(SystemChecks.connections(opened: .success(())).verdict == .ok)
    #expect(SystemChecks.connections(opened: .failure(denied)).remedy?.contains("tcp_diag") == true)
    #expect(SystemChecks.answers(listed: .success(()), hasChildren: true).verdict == .ok)
    #expect(SystemChecks.answers(listed: .failure(refused), hasChildren: true).remedy?.contains("tcp_diag") == true)
    #expect(SystemChecks.answers(listed: .success(()), hasChildren: false).verdict == .note)
  }

  @Test func anotherVersionOfTheMonitorIsNoted() {
    let state = ObserverState.unknown(time: "", explanation: "unknown: x")
    let check = { (version: String?) in
      MonitorChecks.monitor(.success(.init(state: state, pid: 7, version: version)), isAdvised: false, version: "2.0.0")
        .verdict
    }
    #expect(check("2.0.0") == .ok && check(nil) == .ok && check("1.9.0") == .note)
    #expect(
      MonitorChecks.monitor(.success(nil), isAdvised: false, version: "2.0.0").remedy
        == "start one with: overline monitor")
  }

  @Test func theService() {
    #expect(MonitorChecks.service(unit: "/u", isActive: true).verdict == .ok)
    #expect(MonitorChecks.service(unit: "/u", isActive: false).remedy?.contains("systemctl --user enable") == true)
    #expect(MonitorChecks.service(unit: nil, isActive: false).text.contains("not installed"))
    #expect(MonitorChecks.service(unit: nil, isActive: nil).text.contains("no systemd user session"))
  }

  @Test func tmuxSettings() {
    let findings = { (terminal: String, attachment: ScreenChecks.TmuxFacts.Attachment?) in
      ScreenChecks.tmux(
        version: "tmux 3.3a",
        server: .success(
          .init(version: "tmux 3.3a", options: ["default-terminal": terminal, "status": "on"], attachment: attachment)))
    }
    #expect(findings("tmux-256color", .attached).map(\.verdict) == [.ok])
    #expect(findings("tmux-256color", .unknown).map(\.verdict) == [.note])
    #expect(findings("tmux-256color", .failed("cannot")).map(\.text) == ["cannot"])
    #expect(findings("tmux-256color", .failed("cannot")).map(\.verdict) == [.problem])
    #expect(findings("screen", .attached).map(\.verdict) == [.ok, .note])
    #expect(findings("xterm", nil).map(\.verdict) == [.note, .note])
    #expect(ScreenChecks.tmux(version: nil, server: nil).map(\.verdict) == [.note])
  }

  @Test func terminals() {
    let verdicts = { (variables: [String: String]) in
      ScreenChecks.terminal(environment: { variables[$0] }, isTerminal: true).map(\.verdict)
    }
    #expect(verdicts(["TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"]) == [.ok])
    #expect(verdicts(["TERM": "xterm-256color", "LANG": "C"]) == [.ok, .note, .note])
    #expect(verdicts(["TERM": "dumb"]) == [.problem])
    #expect(verdicts([:]) == [.problem])
  }

  @Test func prompts() {
    func finding(_ startup: String?, snippet: String? = "/x/overline.zsh") -> Finding {
      ScreenChecks.prompt(
        .init(shell: "zsh", startupFile: "/home/me/.zshrc", startup: startup, snippet: snippet), shell: "zsh")
    }
    #expect(finding("source /x/overline.zsh\n").verdict == .ok)
    #expect(
      finding("source /x/overline.bash\n").remedy
        == "in /home/me/.zshrc: source /x/overline.zsh (its first lines explain the rest)")
    #expect(finding(nil, snippet: nil).remedy == "make install, or the Debian package, installs it")
    #expect(ScreenChecks.prompt(nil, shell: "dash").text == "there is no snippet for dash")
  }

  /// The printed path can be typed as it is, wherever the program is.
  @Test func theSnippetIsFoundWhereverTheProgramIs() throws {
    let world = try World()
    func remedy(_ program: String) throws -> String {
      let doctor = try Subprocess.run(
        program, ["doctor"],
        environment: world.environment.filter { !$0.hasPrefix("SHELL=") && !$0.hasPrefix("HOME=") }
          + ["SHELL=/bin/bash", "HOME=\(world.folder)"])
      return doctor.outputText.split(separator: "\n").first { $0.contains(" prompt ") }.map(String.init) ?? ""
    }
    // In the clone.
    #expect(
      try remedy(World.executable).contains(
        "; in \(world.folder)/.bashrc: source \(InstalledPrefix.config)/prompt/overline.bash ("))
    let prefix = try InstalledPrefix()
    #expect(
      try remedy("\(prefix.path)/bin/overline").contains("source \(prefix.path)/share/overline/prompt/overline.bash ("))
    // The program without its other files, in any folder.
    _ = try Subprocess.run("cp", [World.executable, "\(world.folder)/overline-alone"])
    #expect(try remedy("\(world.folder)/overline-alone").contains("; make install, or the Debian package, installs it"))
  }

  /// No monitor can listen there, and restarting one would not help.
  @Test func whatIsInTheSocketsPlaceIsNamed() throws {
    let world = try World()
    try Files.makePrivateDirectory("\(world.folder)/overline")
    let socket = "\(world.folder)/overline/monitor.sock"
    #expect(try Subprocess.run("mkfifo", [socket]).status == 0)
    let words = "\(socket) is there already and is not a socket but a named pipe; remove it by hand"
    let doctor = try world.overline("doctor")
    #expect(doctor.status == 1)
    #expect(doctor.outputText.contains("monitor        \(words)\n"))
    let monitor = try world.start("monitor")
    try monitor.errors.first("what is in the way") { $0.contains(words) }
  }

  /// Inside tmux, as users run it.
  @Test func insideTmuxItAsksTheServer() throws {
    let world = try World()
    let monitor = try world.startMonitor()
    defer { monitor.end(.terminate) }
    let server = try TmuxTestServer()
    let inside = ["TMUX=\(server.socket),1,0"]
    #expect(
      try world.overline("doctor", environment: inside).outputText.contains("the monitor does not know of this server"))
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    #expect(try world.overline("doctor", environment: inside).outputText.contains("and the monitor drives this server"))
  }
}
