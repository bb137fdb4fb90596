import OverlineCore
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCLI

/// The doctor reports features that the configuration turns on and that cannot work here.
@Suite(.ownThread) struct DoctorFeatureTests {
  private func doctor(_ world: World, home: String = "/") throws -> Subprocess.Result {
    try world.namespace.inside {
      try Subprocess.run(
        World.executable, ["doctor"],
        environment: world.environment.filter { !$0.hasPrefix("HOME=") } + ["HOME=\(home)"],
        timeout: .seconds(30))
    }
  }

  /// The doctor's lines about one area, without the area.
  private func findings(_ area: String, _ world: World, home: String = "/") throws -> [String] {
    try doctor(world, home: home).outputText.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
      return words.count == 3 && words[1] == area ? "\(words[0]) \(words[2].drop { $0 == " " })" : nil
    }
  }

  private func write(_ text: String, to path: String, permissions: UInt32 = 0o700) throws {
    try Files.replace(path, with: Array(text.utf8), permissions: permissions)
  }

  @Test("what is not configured, or works, is no problem") func whatWorks() throws {
    let world = try World()
    for area in ["check", "hooks", "metrics", "path", "environment"] {
      #expect(try findings(area, world) == [], "\(area)")
    }
    let script = "\(world.folder)/a b.sh"
    try write("#!/bin/sh\n", to: script)
    try write("true\n", to: "\(world.folder)/home.sh")
    try world.configure(
      """
      [check]
      use = "mozilla"
      [path]
      targets = { office = "10.20.0.0/16" }
      ignore = ["docker*"]
      [tmux]
      reserve = "always"
      [hooks]
      on-offline = "A=1 '\(script)' x; nonexistent-after-it"
      on-online = "~/home.sh && true"
      on-limited = "$EDITOR x"
      on-inset = "if true; then nonexistent; fi"
      on-target = "nonexistent || logger $OVERLINE_TARGET"
      [metrics]
      textfile = "\(world.folder)/overline.prom"
      """)
    let home = world.folder
    #expect(
      try findings("hooks", world, home: home)
        == ["ok on-offline, on-online, on-limited, on-inset, on-target: nothing is missing"])
    #expect(
      try findings("metrics", world, home: home) == [
        "ok the figures are written to \(world.folder)/overline.prom"
      ])
    #expect(try findings("check", world).first?.hasSuffix("/curl asks detectportal.firefox.com") == true)
    #expect(try findings("path", world) == [])
    #expect(try !findings("tmux", world).contains { $0.hasPrefix("problem") })
    #expect(try doctor(world, home: home).status == 0)
    // The doctor leaves no file.
    #expect(try Files.names(in: world.folder).filter { $0.contains("prom") || $0.hasPrefix(".overline") } == [])
  }

  @Test("a hook that cannot work is a problem, with what to type") func hooks() throws {
    let world = try World()
    let folder = world.folder
    try write("echo\n", to: "\(folder)/plain", permissions: 0o600)
    try write("#!/nonexistent/python -u\n", to: "\(folder)/script")
    try world.configure(
      """
      [hooks]
      on-offline = "exec overline-nonexistent 'now'"
      on-online = "\(folder)/plain"
      on-limited = "\(folder)/script >/dev/null"
      on-inset = "if true; then"
      on-target = "true"
      """)
    let problems = try findings("hooks", world)
    #expect(problems.count == 5)
    let expected = [
      "problem on-offline cannot work: the monitor finds no overline-nonexistent in its PATH; "
        + "install it, or write its whole path in [hooks] on-offline",
      "problem on-online cannot work: \(folder)/plain is not an executable file; run: chmod +x '\(folder)/plain'",
      "problem on-limited cannot work: \(folder)/script needs /nonexistent/python, which does not exist; "
        + "correct the script's first line, or install /nonexistent/python",
      "problem on-inset cannot work: /bin/sh: ",
      "problem on-target cannot work: [path] targets names no network; name one: targets = { office = \"10.20.0.0/16\" }",
    ]
    for (problem, text) in zip(problems, expected) { #expect(problem.hasPrefix(text), "\(problem)") }
    #expect(try world.overline("doctor").status == 1)
    try world.configure("[hooks]\non-offline = \"~/gone.sh\"\n")
    #expect(
      try findings("hooks", world, home: "/nonexistent")
        == ["problem on-offline cannot work: /nonexistent/gone.sh does not exist; correct [hooks] on-offline"])
  }

  @Test("the PATH of the running monitor counts, not the doctor's") func theMonitorsPath() throws {
    let world = try World()
    let bin = "\(world.folder)/bin"
    try Files.makePrivateDirectory(bin)
    try write("#!/bin/sh\n", to: "\(bin)/overline-notify")
    try world.configure("[hooks]\non-offline = \"overline-notify\"\n[check]\nuse = \"mozilla\"\n")
    let path = "PATH=\(bin):\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")"
    let environment = { (path: String) in [path] + world.environment.filter { !$0.hasPrefix("PATH=") } }
    func look() throws -> [String] {
      try world.namespace.inside {
        try Subprocess.run(World.executable, ["doctor"], environment: environment(path)).outputText
      }.split(separator: "\n").filter { $0.contains("  hooks  ") || $0.contains("  check  ") }.map(String.init)
    }
    #expect(try look().allSatisfy { $0.hasPrefix("ok ") })
    let monitor = try world.namespace.inside {
      try TestProgram(World.executable, ["monitor"], environment: environment("PATH=/nonexistent"))
    }
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    let found = try look()
    #expect(
      found.contains {
        $0.hasSuffix(
          "on-offline cannot work: the monitor finds no overline-notify in its PATH; "
            + "write its whole path in [hooks] on-offline: \(bin)/overline-notify")
      }, "\(found)")
    #expect(
      found.contains {
        $0.contains("problem  check") && $0.contains("the monitor finds no curl in its PATH; install it (Debian: ")
      }, "\(found)")
    #expect(monitor.end(.terminate) == 0)
  }

  @Test(
    "in a service without new privileges, a hook cannot use sudo",
    .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can make a program that changes the user"))
  func privileges() throws {
    let world = try World()
    let program = "\(world.folder)/sudo"
    _ = try Subprocess.run("cp", ["/bin/true", program])
    _ = try Subprocess.run("chmod", ["4755", program])
    try world.configure("[hooks]\non-offline = \"\(program) id\"\n")
    #expect(try findings("hooks", world) == ["ok on-offline: nothing is missing"])
    let monitor = try world.namespace.inside {
      try TestProgram("setpriv", ["--no-new-privs", World.executable, "monitor"], environment: world.environment)
    }
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    #expect(
      try findings("hooks", world) == [
        "problem on-offline cannot work: \(program) gets no privileges from the monitor, whose service sets NoNewPrivileges=; "
          + "remove it from [hooks] on-offline, or run the monitor outside of the service: overline monitor"
      ])
    #expect(monitor.end(.terminate) == 0)
  }

  @Test("the metrics' file cannot be written: in a missing folder, on a full disk, in place of a folder")
  func metrics() throws {
    let world = try World()
    func look(_ file: String) throws -> [String] {
      try world.configure("[metrics]\ntextfile = \"\(file)\"\n")
      return try findings("metrics", world)
    }
    #expect(
      try look("/nonexistent/overline.prom") == [
        "problem the figures are not written: cannot write in /nonexistent: No such file or directory; "
          + "make the folder: sudo install -d -o \"$USER\" '/nonexistent'"
      ])
    try Files.makePrivateDirectory("\(world.folder)/a.prom")
    #expect(
      try look("\(world.folder)/a.prom") == [
        "problem the figures are not written: cannot write \(world.folder)/a.prom: Is a directory; "
          + "name another file in [metrics] textfile"
      ])
    #expect(try world.overline("doctor").status == 1)
    let folder = "/var/lib/prometheus/node-exporter"
    let finding = FeatureChecks.metrics(
      file: "\(folder)/overline.prom", folder: folder,
      fault: WriteFault(text: "cannot write in \(folder): Permission denied", cause: .denied), quoted: Files.quoted)
    #expect(finding.verdict == .problem)
    #expect(
      finding.remedy?.contains("sudo install -d -o \"$USER\" '/var/lib/prometheus/node-exporter-overline', and name")
        == true)
  }

  @Test("an outage that comes from [path] ignore names the interface") func ignored() throws {
    let world = try World()
    try world.configure("[path]\nignore = [\"eth*\"]\n")
    #expect(
      try findings("path", world) == [
        "note offline, since [path] ignore covers eth0, which leads to the internet; "
          + "remove it from [path] ignore if it should count"
      ])
    try world.pullTheCable()
    #expect(try eventually { try findings("path", world) == [] })
  }

  @Test("a setting for a tmux that is missing or too old is a problem") func tmux() {
    #expect(FeatureChecks.tmux(reserve: .always, version: nil)?.verdict == .problem)
    #expect(FeatureChecks.tmux(reserve: .never, version: "tmux 3.1c")?.text.contains("tmux 3.1c is too old") == true)
    for version in ["tmux 3.2", "tmux 3.5a", "tmux next-3.6", "tmux openbsd-7.4", "tmux master"] {
      #expect(FeatureChecks.tmux(reserve: .always, version: version) == nil, "\(version)")
    }
  }

  @Test(
    "only a program that surely starts first is looked for",
    arguments: [
      ("notify-send x", "notify-send"), ("  A=b C='d e' \"/x y/z\" 1", "/x y/z"), ("exec foo", "foo"), ("a;b", "a"),
      ("a>b", "a"), ("~/x.sh&", "~/x.sh"), ("a'b'\"c\" d", "abc"), ("caf\u{e9} x", "caf\u{e9}"), ("1=2 x", "1=2"),
    ])
  func first(_ line: String, _ program: String) { #expect(HookProgram.first(in: line) == program) }

  @Test(arguments: [
    "", "   ", "$X", "a || b", "`a`", "\"$a\"", "{ a; }", "(a)", "a() { b; }", "! a", "PATH=/x a", "A=$(b) c", "'a",
    ">x a",
    "[ -e x ] && y", "*", "# x", "A=1", "a\\b",
  ])
  func onlyTheShellKnows(_ line: String) { #expect(HookProgram.first(in: line) == nil) }
}
