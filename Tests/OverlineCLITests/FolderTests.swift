import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The user's folders: relative paths in the environment, and folders that a program of root has left.
@Suite(.ownThread) struct FolderTests {
  private func variables(_ world: World, _ more: String...) -> [String] {
    world.environment.filter { !$0.hasPrefix("XDG_") && !$0.hasPrefix("HOME=") }
      + ["XDG_RUNTIME_DIR=\(world.folder)"] + more
  }

  /// Runs a script in a folder of its own. `overline` is the program.
  private func run(_ script: String, _ world: World, _ environment: [String]) throws -> Subprocess.Result {
    let here = "\(world.folder)/here"
    try Files.makePrivateDirectory(here)
    return try world.namespace.inside {
      try Subprocess.run(
        "sh", ["-c", "cd \(here); overline() { \(World.executable) \"$@\"; }; \(script)"], environment: environment,
        timeout: .seconds(60))
    }
  }

  @Test("a relative HOME is an error of whatever needs the home, and nothing is written below the working directory")
  func aRelativeHome() throws {
    let world = try World()
    let environment = variables(world, "HOME=rel", "XDG_CONFIG_HOME=relative", "XDG_STATE_HOME=.")
    let fault = "HOME (rel) is not an absolute path; set it to your home directory"
    for (command, status, message) in [
      ("config path", 2, "no configuration can be found: \(fault), or name a file with --config"),
      ("config init", 2, "no configuration can be found: \(fault), or name a file with --config"),
      ("config show", 78, "no configuration can be found: \(fault), or name a file with --config"),
      ("path", 78, "no configuration can be found: \(fault), or name a file with --config"),
      ("monitor", 78, "no configuration can be found: \(fault), or name a file with --config"),
      ("history", 2, "no history can be found: \(fault)"),
    ] as [(String, Int32, String)] {
      let result = try run("overline \(command)", world, environment)
      #expect(result.status == status, "\(command)")
      #expect(result.errorText == "overline: \(message)\n", "\(command)")
    }
    // A program in a window matters more than the window's settings.
    #expect(try run("overline run -- true", world, environment).status == 0)
    let doctor = try run("overline doctor", world, environment)
    #expect(doctor.status == 1)
    for line in [
      "problem  configuration  no configuration can be found: \(fault)",
      "note     history        outages are not recorded: \(fault)",
      "note     environment    HOME (rel) is not an absolute path, so it is ignored; ",
      "note     environment    XDG_CONFIG_HOME (relative) is not an absolute path, so it is ignored; ",
      "note     environment    XDG_STATE_HOME (.) is not an absolute path, so it is ignored; ",
    ] { #expect(doctor.outputText.contains(line), "\(line)") }
    // A named file needs no home; the history says why it records nothing.
    try world.configure("")
    let monitor = try world.namespace.inside {
      try TestProgram(
        "sh",
        [
          "-c",
          "cd \(world.folder)/here; exec \(World.executable) monitor --config \(world.folder)/overline/config.toml",
        ],
        environment: environment)
    }
    try monitor.errors.first("the history's fault") { $0.hasSuffix("outages cannot be recorded: \(fault)") }
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    #expect(monitor.end(.terminate) == 0)
    #expect(try Files.names(in: "\(world.folder)/here") == [])
  }

  @Test("relative XDG variables are ignored: the home counts") func relativeVariables() throws {
    let world = try World()
    let environment = variables(world, "HOME=\(world.folder)/me", "XDG_CONFIG_HOME=rel", "XDG_STATE_HOME=rel")
    let path = try run("overline config path", world, environment)
    #expect(path.outputText == "\(world.folder)/me/.config/overline/config.toml\n")
    #expect(try run("overline config init", world, environment).status == 0)
    #expect(Files.exists("\(world.folder)/me/.config/overline/config.toml"))
    let monitor = try world.namespace.inside {
      try TestProgram(
        "sh", ["-c", "cd \(world.folder)/here; exec \(World.executable) monitor"], environment: environment)
    }
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    #expect(eventually { Files.exists("\(world.folder)/me/.local/state/overline/history") })
    #expect(monitor.end(.terminate) == 0)
    #expect(try Files.names(in: "\(world.folder)/here") == [])
  }

  /// As `sudo -E overline monitor` leaves them: the folders that root made, and the command that gives them back.
  @Test(
    "a history of root's, in the user's home, names the command that gives it back",
    .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can give a folder away"),
    arguments: [
      ("mkdir -p .local/state; chown -R 65534 .local; mkdir -m 700 .local/state/overline", ".local/state/overline"),
      ("mkdir -m 700 -p .local/state/overline", ".local"),
      (
        "mkdir -p .local/state/overline; touch .local/state/overline/history.lock; chown -R 65534 .local; chown 0 .local/state/overline/history.lock; chmod 600 .local/state/overline/history.lock",
        ".local/state/overline/history.lock"
      ),
    ])
  func filesOfRoot(_ before: String, _ part: String) throws {
    let world = try World()
    let home = "\(world.folder)/it's me"
    let script =
      "chmod 711 \(world.folder); install -m 755 \(World.executable) \(world.folder)/program; mkdir -m 700 '\(world.folder)/run' \"$0\"; cd \"$0\"; \(before); chown 65534 \"$0\" '\(world.folder)/run'"
    #expect(try Subprocess.run("sh", ["-ec", script, home]).status == 0)
    let environment =
      variables(world, "HOME=\(home)").filter { !$0.hasPrefix("XDG_") } + ["XDG_RUNTIME_DIR=\(world.folder)/run"]
    let quoted = "\(world.folder)/it'\\''s me/\(part)"
    let advice =
      "\(home)/\(part) belongs to user 0, not to you (65534); run: sudo chown -R 65534:65534 '\(quoted)'"
    let user = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "\(world.folder)/program"]
    let monitor = try world.namespace.inside {
      try TestProgram("setpriv", user + ["monitor"], environment: environment)
    }
    try monitor.errors.first("the remedy") {
      $0.hasPrefix("overline: the history cannot be written: ")
        && $0.hasSuffix("\(advice); the monitor goes on without")
    }
    func overline(_ command: String) throws -> Subprocess.Result {
      try world.namespace.inside { try Subprocess.run("setpriv", user + [command], environment: environment) }
    }
    let doctor = try overline("doctor").outputText.split(separator: "\n").first { $0.contains("  history  ") }
    #expect(doctor?.hasPrefix("note     history        outages are not recorded: ") == true)
    #expect(doctor?.hasSuffix(advice) == true, "\(doctor ?? "")")
    let history = try overline("history").errorText
    #expect(history.contains(advice), "\(history)")
    // The command mends it.
    let command = try #require(advice.split(separator: "sudo ").last)
    #expect(try Subprocess.run("sh", ["-c", String(command)]).status == 0)
    try world.pullTheCable()
    #expect(eventually { Files.exists("\(home)/.local/state/overline/history") })
    #expect(try overline("doctor").outputText.contains("ok       history        outages are recorded in \(home)"))
    #expect(monitor.end(.terminate) == 0)
  }

  @Test(
    "a configuration of root's, in the user's home, names that command too",
    .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can give a folder away"))
  func aConfigurationOfRoot() throws {
    let world = try World()
    let home = "\(world.folder)/me"
    let script =
      "chmod 711 \(world.folder); install -m 755 \(World.executable) \(world.folder)/program; mkdir -m 700 \(home); cd \(home); mkdir -m 700 .config; HOME=\(home) \(World.executable) config init; chown 65534 . .config"
    #expect(try Subprocess.run("sh", ["-ec", script], environment: variables(world)).status == 0)
    let check = try Subprocess.run(
      "setpriv",
      ["--reuid", "65534", "--regid", "65534", "--clear-groups", "\(world.folder)/program", "config", "check"],
      environment: variables(world, "HOME=\(home)"))
    #expect(check.status == 78)
    #expect(
      check.outputText.hasSuffix(
        "Permission denied: \(home)/.config/overline belongs to user 0, not to you (65534); "
          + "run: sudo chown -R 65534:65534 '\(home)/.config/overline'\n"), "\(check.outputText)")
  }
}
