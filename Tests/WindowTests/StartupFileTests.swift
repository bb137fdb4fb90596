import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// `overline run` in a shell's startup file: for a banner in every terminal.
@Suite(.ownThread) struct StartupFileTests {
  struct Shell: CustomTestStringConvertible {
    var name: String
    var startupFile: String
    var testDescription: String { name }
    /// The login shell reads the startup file too, if only because a user's profile does.
    var login: String { name == "bash" ? "bash --login" : "\(name) -l" }

    static let all = [
      Shell(name: "bash", startupFile: ".bashrc"), Shell(name: "zsh", startupFile: ".zshrc"),
      Shell(name: "fish", startupFile: "fish/config.fish"),
    ]

    /// The line from the guide.
    func lineOfTheGuide() throws -> String {
      let text = try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/EveryTerminal.md").text
      let file = startupFile.split(separator: "/").last!
      let lines = text.split(separator: "\n").filter { $0.contains("startup/window.\(name)") && $0.hasSuffix(file) }
      return String(try #require(lines.first).drop { $0 == " " })
    }
  }

  /// What lies in the place of the program.
  enum Program: CaseIterable {
    case working, missing, foreign, withoutLibrary, tooNew, crashing

    /// Words that the shell prints; nil if the program runs.
    var complaint: String? {
      switch self {
      case .working: nil
      case .missing: "there is no "
      case .foreign: "Exec format error"
      case .withoutLibrary: "error while loading shared libraries: libfoo.so.1"
      case .tooNew: "version GLIBC_2.99 not found"
      case .crashing: "exit status 139"
      }
    }

    /// Puts the program and the files to source below the home of `world`, as `make install PREFIX=~/.local` does.
    func install(in world: WindowWorld) throws {
      let prefix = "\(world.folder)/.local"
      try Files.makePrivateDirectories("\(prefix)/share/overline")
      try Files.makePrivateDirectories("\(prefix)/bin")
      let config = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/config"
      _ = try Subprocess.run("cp", ["-r", "\(config)/startup", "\(prefix)/share/overline"])
      let program = "\(prefix)/bin/overline"
      switch self {
      case .working: _ = try Subprocess.run("ln", ["-s", WindowWorld.executable, program])
      case .missing: return
      case .foreign:
        var bytes = try Files.read("/bin/true")
        // The machine's number in the ELF header.
        bytes[18] ^= 0xff
        try Files.replace(program, with: bytes, permissions: 0o755)
      case .withoutLibrary:
        try script(program, "echo \"$0: \(complaint!): cannot open shared object file\" >&2; exit 127")
      case .tooNew: try script(program, "echo \"$0: /lib/libc.so.6: \(complaint!) (required by $0)\" >&2; exit 1")
      case .crashing: try script(program, "kill -SEGV $$")
      }
    }

    private func script(_ program: String, _ text: String) throws {
      try Files.replace(program, with: Array("#!/bin/sh\n\(text)\n".utf8), permissions: 0o755)
    }
  }

  /// With the program in PATH.
  private static func start(
    _ shell: Shell, _ line: String, in world: WindowWorld, environment more: [String] = []
  ) throws -> TerminalScene {
    let folder = WindowWorld.executable.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    let path = ProcessEnvironment["PATH"] ?? "/usr/bin:/bin"
    return try start("\(shell.name) -i", shell, line, in: world, environment: ["PATH=\(folder):\(path)"] + more)
  }

  /// Without the program in PATH.
  private static func start(
    _ command: String, _ shell: Shell, _ line: String, in world: WindowWorld, environment more: [String] = []
  ) throws -> TerminalScene {
    try start(command.split(separator: " ").map(String.init), shell, line, in: world, environment: more)
  }

  private static func start(
    _ command: [String], _ shell: Shell, _ line: String, in world: WindowWorld, environment more: [String] = []
  ) throws -> TerminalScene {
    try Files.makePrivateDirectory("\(world.folder)/fish")
    _ = try world.file(shell.startupFile, line + "\n")
    _ = try world.file(".bash_profile", ". ~/.bashrc\nLATER=read\n")
    _ = try world.file(".zlogin", "LATER=read\n")
    return try world.scene(
      command, environment: ["SHELL=/usr/bin/\(shell.name)"] + more)
  }

  static func type(_ terminal: TerminalScene, _ line: String, expecting answer: String) throws {
    // A starting shell discards what was typed before it reads: type again until it answers.
    guard
      eventually({
        terminal.type(line + "\n")
        return eventually(within: .seconds(2)) { terminal.text.contains { $0.hasPrefix(answer) } }
      })
    else { throw TestKitError("\(line) has no answer; there is:\n\(terminal.text.joined(separator: "\n"))") }
  }

  /// Whether the terminal shows a message. It may occupy several rows, which lack the space where one ends.
  private static func shows(_ terminal: TerminalScene, _ words: String) -> Bool {
    terminal.text.joined().replacing(" ", with: "").contains(words.replacing(" ", with: ""))
  }

  @Test("the guide's line starts one window, and the shell in it works", arguments: Shell.all)
  func theLineOfTheGuide(_ shell: Shell) throws {
    for command in ["\(shell.name) -i", shell.login] {
      let world = try WindowWorld()
      try Program.working.install(in: world)
      let terminal = try Self.start(command, shell, try shell.lineOfTheGuide(), in: world)
      try Self.type(terminal, "echo o''k", expecting: "ok")
      try Self.type(terminal, "test -n \"$OVERLINE_WINDOW\" && echo in''side", expecting: "inside")
      try world.pullTheCable()
      try terminal.waitForBanner()
    }
  }

  @Test(
    "a login shell in a window reads the files of a login, with what stands after the guide's line",
    arguments: Shell.all, [[], ["TERM=dumb"]])
  func aLoginShell(_ shell: Shell, _ environment: [String]) throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      try Program.working.install(in: world)
      var line = try shell.lineOfTheGuide()
      if shell.name == "fish" { line += "\nstatus is-login; and set -g LATER read" }
      for (command, answer) in [(shell.login, "later:read."), ("\(shell.name) -i", "later:.")] {
        let terminal = try Self.start(command, shell, line, in: world, environment: environment)
        try Self.type(terminal, "echo \"later:$LATER.\"", expecting: answer)
      }
    }
  }

  @Test("the shell that reads the guide's line is the one in the window, whatever SHELL says", arguments: Shell.all)
  func anotherShell(_ shell: Shell) throws {
    for other in ["/usr/sbin/nologin", "/bin/sh"] {
      let world = try WindowWorld()
      try withExtendedLifetime(world) {
        try Program.working.install(in: world)
        let terminal = try Self.start(
          "\(shell.name) -i", shell, try shell.lineOfTheGuide(), in: world, environment: ["SHELL=\(other)"])
        try Self.type(
          terminal, "test -n \"$OVERLINE_WINDOW\" && readlink /proc/\(shell.name == "fish" ? "$fish_pid" : "$$")/exe",
          expecting: try Subprocess.run("realpath", ["/usr/bin/\(shell.name)"]).outputText.filter { $0 != "\n" })
      }
    }
  }

  @Test("a shell in a window whose variables are lost starts no second window", arguments: Shell.all)
  func aShellWithoutVariables(_ shell: Shell) throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      try Program.working.install(in: world)
      let line = try shell.lineOfTheGuide() + "\nalias hail='echo startup file read'"
      let terminal = try Self.start("\(shell.name) -i", shell, line, in: world)
      try Self.type(terminal, "test -n \"$OVERLINE_WINDOW\" && echo in''side", expecting: "inside")
      terminal.type("env -u OVERLINE_WINDOW -u OVERLINE_SOCKET \(shell.name) -i\n")
      try Self.type(terminal, "hail", expecting: "startup file read")
      try Self.type(terminal, "echo window-$OVERLINE_WINDOW", expecting: "window-none")
    }
  }

  @Test(
    "a shell with options of its own stays as it is",
    arguments: [
      ("bash", ["--init-file", "RC"]), ("bash", ["-x"]), ("zsh", ["-o", "errreturn"]), ("fish", ["-C", "set -g X 5"]),
      ("fish", ["--private"]), ("fish", ["-ic", "cat"]),
    ])
  func aShellWithOptions(_ name: String, _ options: [String]) throws {
    let shell = try #require(Shell.all.first { $0.name == name })
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      try Program.working.install(in: world)
      let terminal = try Self.start(
        [name] + options.map { $0 == "RC" ? "\(world.folder)/.bashrc" : $0 }, shell, try shell.lineOfTheGuide(),
        in: world)
      if options.contains("cat") {
        try Self.type(terminal, "the command runs", expecting: "the command runs")
        #expect(eventually { terminal.text.filter { $0.hasPrefix("the command runs") }.count > 1 })
      } else {
        try Self.type(
          terminal, "echo \"window:$OVERLINE_WINDOW.$X\"", expecting: options.contains("-C") ? "window:.5" : "window:.")
      }
    }
  }

  @Test(
    "a program that cannot run leaves the shell, which prints the reason", arguments: Shell.all,
    Program.allCases.filter { $0 != .working })
  func aBrokenProgram(_ shell: Shell, _ program: Program) throws {
    for command in ["\(shell.name) -i", shell.login] {
      let world = try WindowWorld()
      try withExtendedLifetime(world) {
        try program.install(in: world)
        let line = try shell.lineOfTheGuide() + "\nalias hail='echo startup file read'"
        let terminal = try Self.start(command, shell, line, in: world)
        try Self.type(terminal, "hail", expecting: "startup file read")
        #expect(Self.shows(terminal, "overline: no window: ") && Self.shows(terminal, program.complaint ?? ""))
        #expect(Self.shows(terminal, "remove its line from your shell's startup file"))
      }
    }
  }

  @Test("without the files of an installation the guide's line does nothing", arguments: Shell.all)
  func uninstalled(_ shell: Shell) throws {
    for command in ["\(shell.name) -i", shell.login] {
      let world = try WindowWorld()
      try withExtendedLifetime(world) {
        let terminal = try Self.start(command, shell, try shell.lineOfTheGuide(), in: world)
        try Self.type(terminal, "echo o''k", expecting: "ok")
        #expect(!terminal.text.joined().contains("overline"))
      }
    }
  }

  @Test("the file that is sourced finds the program in PATH too", arguments: Shell.all)
  func theProgramInPath(_ shell: Shell) throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      try Program.missing.install(in: world)
      let terminal = try Self.start(shell, try shell.lineOfTheGuide(), in: world)
      try Self.type(terminal, "test -n \"$OVERLINE_WINDOW\" && echo in''side", expecting: "inside")
    }
  }

  @Test(
    "strict options, aliases and functions of the user change nothing", arguments: Shell.all,
    [Program.working, .missing])
  func strictShells(_ shell: Shell, _ program: Program) throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      try program.install(in: world)
      let first =
        shell.name == "fish"
        ? "function overline; false; end; function sh; false; end"
        : "set -euC; alias sh=false timeout=false; overline() { false; }"
      let terminal = try Self.start("\(shell.name) -i", shell, "\(first)\n\(try shell.lineOfTheGuide())", in: world)
      try Self.type(
        terminal, "env | grep -c ^OVERLINE_WINDOW= | sed s/^/windows:/",
        expecting: program == .working ? "windows:1" : "windows:0")
    }
  }

  @Test("a program that does not answer leaves the shell, at once after Ctrl-C", arguments: Shell.all, [true, false])
  func aHangingProgram(_ shell: Shell, _ isInterrupted: Bool) throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      try Program.missing.install(in: world)
      let script = "#!/bin/sh\necho $$ >\(world.folder)/started\nexec sleep 1000\n"
      try Files.replace("\(world.folder)/.local/bin/overline", with: Array(script.utf8), permissions: 0o755)
      let terminal = try Self.start("\(shell.name) -i", shell, try shell.lineOfTheGuide(), in: world)
      if isInterrupted {
        #expect(eventually { Files.exists("\(world.folder)/started") })
        terminal.type("\u{3}")
      }
      try Self.type(terminal, "echo o''k", expecting: "ok")
      #expect(Self.shows(terminal, "does not answer within 5 seconds") != isInterrupted)
    }
  }

  @Test("the guide's command for profiles starts a window, or the shell", arguments: Program.allCases)
  func theCommandOfProfiles(_ program: Program) throws {
    let page = try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/EveryTerminal.md").text
    let commands = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap {
      $0.firstMatch(of: /overline -V [^"'`]+/).map { String($0.output) }
    }
    #expect(commands.count >= 7 && Set(commands).count == 1, "\(commands)")
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      try program.install(in: world)
      let path = "\(world.folder)/.local/bin:/usr/bin:/bin"
      let terminal = try world.scene(["sh", "-c", commands[0]], environment: ["PATH=\(path)", "SHELL=/bin/bash"])
      try Self.type(
        terminal, "echo window-${OVERLINE_WINDOW:+in}", expecting: program == .working ? "window-in" : "window-")
      #expect(terminal.text.contains { $0 == "window-" } == (program != .working))
      if let complaint = program.complaint, program != .missing, program != .crashing {
        #expect(Self.shows(terminal, complaint))
      }
    }
  }

  @Test("without a window the shell with the guide's line reads its startup file", arguments: Shell.all)
  func theLineWithoutAWindow(_ shell: Shell) throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      try Program.working.install(in: world)
      let line = try shell.lineOfTheGuide() + "\nalias hail='echo startup file read'"
      let terminal = try Self.start(shell, line, in: world, environment: ["TERM=dumb"])
      try Self.type(terminal, "hail", expecting: "startup file read")
      #expect(!terminal.text.joined().contains("without its startup files"))
    }
  }

  @Test("without descriptors the program runs, and the reason is printed", arguments: 4...20)
  func withoutDescriptors(_ limit: Int) throws {
    let world = try WindowWorld()
    let scene = try world.scene(
      ["sh", "-c", "ulimit -n \(limit); exec $RUN echo ran"], environment: ["RUN=\(WindowWorld.executable) run --"])
    #expect(try scene.end() == 0)
    #expect(scene.text.contains("ran") && scene.text.joined().contains("(ulimit -n)"))
  }

  @Test("inside tmux the guide's line does nothing", arguments: Shell.all)
  func theLineInsideTmux(_ shell: Shell) throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      try Program.working.install(in: world)
      let terminal = try Self.start(
        shell, try shell.lineOfTheGuide(), in: world, environment: ["TMUX=/nonexistent,1,0"])
      try Self.type(terminal, "test -z \"$OVERLINE_WINDOW\" && echo out''side", expecting: "outside")
      #expect(!terminal.text.contains { $0.contains("no window") })
    }
  }

  @Test("a run without a program inside tmux starts the usual shell")
  func theUsualShellInsideTmux() throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      let bash = Shell.all[0]
      let terminal = try Self.start(bash, "startup=re''ad", in: world, environment: ["TMUX=/nonexistent,1,0"])
      try Self.type(terminal, "unset startup; overline run", expecting: "")
      try Self.type(terminal, "echo startup file $startup", expecting: "startup file read")
      #expect(!terminal.text.joined().contains("without its startup files"))
    }
  }

  @Test("a run that is typed inside tmux says what shows the banner there, and a profile's run says nothing")
  func theWayInTmux() throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      let inside = ["TMUX=/nonexistent,1,0"]
      let typed = try Self.start(Shell.all[0], "", in: world, environment: inside)
      try Self.type(typed, "overline run", expecting: "overline: no window inside tmux")
      // The message occupies two rows or more.
      let text = typed.text.joined().filter { $0 != " " }
      #expect(text.contains("`overlinetmuxattach`") && text.contains("/overline.tmux`in.tmux.conf"))
      for command in [["overline", "run"], ["sh", "-c", "overline run; :"], ["bash", "-c", "exec overline run"]] {
        let folder = WindowWorld.executable.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let path = "PATH=\(folder):\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")"
        let profile = try world.scene(command, environment: [path, "SHELL=/usr/bin/bash"] + inside)
        try Self.type(profile, "echo o''k", expecting: "ok")
        #expect(!profile.text.joined().contains("no window"), "\(command)")
      }
    }
  }

  @Test(
    "where no window can be made the shell starts without one",
    arguments: [
      ("exec overline run --config /nonexistent", "/nonexistent"),
      ("ulimit -n 5; exec overline run", "no window: cannot"),
      ("exec overline run --shell bash", "--shell bash: not the whole path of a program; starting /"),
      ("export SHELL=/nonexistent; [[ $OVERLINE_WINDOW ]] || exec overline run", ""),
    ])
  func noWindow(_ line: String, _ words: String) throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      let terminal = try Self.start(Shell.all[0], line, in: world)
      try Self.type(terminal, "echo o''k", expecting: "ok")
      if !words.isEmpty { #expect(terminal.text.joined().contains(words)) }
      #expect(!terminal.text.joined().contains("command not found"))
    }
  }

  @Test(
    "the guide's lines start no window in a shell that runs one command",
    arguments: [("bash", "-ic"), ("zsh", "-ic"), ("bash", "-c"), ("fish", "-c")])
  func oneCommand(_ name: String, _ option: String) throws {
    let world = try WindowWorld()
    try Program.working.install(in: world)
    let shell = try #require(Shell.all.first { $0.name == name })
    try Files.makePrivateDirectory("\(world.folder)/fish")
    _ = try world.file(shell.startupFile, "echo startup file read\n\(try shell.lineOfTheGuide())\n")
    // A command of sshd: there bash reads its startup file.
    let terminal = try world.start(
      name, [option, "echo \"window <$OVERLINE_WINDOW>\""],
      environment: ["ZDOTDIR=\(world.folder)", "SSH_CLIENT=192.0.2.1 5 22", "SHLVL=0"])
    try terminal.wait(for: "startup file read")
    try terminal.wait(for: "window <>")
  }

  /// `SHELL` is a program of the user's, as of tmux's `default-shell`, which no option keeps from running the command again.
  @Test func aShellThatIsAScriptLeavesAUsableShell() throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      let script = try world.file("wrapper", "#!/bin/sh\nexec \(WindowWorld.executable) run\n")
      _ = try Subprocess.run("chmod", ["+x", script])
      let terminal = try world.scene([WindowWorld.executable, "run"], environment: ["SHELL=\(script)"])
      try Self.type(terminal, "echo o''k", expecting: "ok")
      #expect(terminal.text.joined().contains("starting /bin/sh without its startup files"))
    }
  }

  @Test("a line without conditions leaves a usable shell", arguments: Shell.all, [[], ["TMUX=/nonexistent,1,0"]])
  func aLineWithoutConditions(_ shell: Shell, _ environment: [String]) throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      let terminal = try Self.start(shell, "exec overline run", in: world, environment: environment)
      try Self.type(terminal, "echo o''k", expecting: "ok")
      // The message may occupy two of the terminal's rows.
      #expect(terminal.text.joined().contains("without its startup files"))
      #expect(!terminal.text.joined().contains("not found"))
    }
  }
}
