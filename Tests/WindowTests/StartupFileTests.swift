import OverlineSystem
import OverlineTestKit
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// `overline run` in a shell's startup file: for a banner in every terminal.
@Suite(.ownThread) struct StartupFileTests {
  struct Shell: CustomTestStringConvertible {
    var name: String
    var startupFile: String
    var testDescription: String { name }

    static let all = [
      Shell(name: "bash", startupFile: ".bashrc"), Shell(name: "zsh", startupFile: ".zshrc"),
      Shell(name: "fish", startupFile: "fish/config.fish"),
    ]

    /// The line from the guide.
    func lineOfTheGuide() throws -> String {
      let text = try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/EveryTerminal.md").text
      let file = startupFile.split(separator: "/").last!
      let lines = text.split(separator: "\n").filter { $0.contains("exec overline run") && $0.hasSuffix(file) }
      return String(try #require(lines.first).drop { $0 == " " })
    }
  }

  private static func start(
    _ shell: Shell, _ line: String, in world: WindowWorld, environment more: [String] = []
  ) throws -> TerminalScene {
    try Files.makePrivateDirectory("\(world.folder)/fish")
    _ = try world.file(shell.startupFile, line + "\n")
    let folder = WindowWorld.executable.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    let path = ProcessEnvironment["PATH"] ?? "/usr/bin:/bin"
    return try world.scene(
      [shell.name, "-i"],
      environment: ["PATH=\(folder):\(path)", "SHELL=/usr/bin/\(shell.name)"] + more)
  }

  private static func type(_ terminal: TerminalScene, _ line: String, expecting answer: String) throws {
    // A starting shell discards what was typed before it reads: type again until it answers.
    guard
      eventually({
        terminal.type(line + "\n")
        return eventually(within: .seconds(2)) { terminal.text.contains { $0.hasPrefix(answer) } }
      })
    else { throw TestKitError("\(line) has no answer; there is:\n\(terminal.text.joined(separator: "\n"))") }
  }

  @Test("the guide's line starts one window, and the shell in it works", arguments: Shell.all)
  func theLineOfTheGuide(_ shell: Shell) throws {
    let world = try WindowWorld()
    let terminal = try Self.start(shell, try shell.lineOfTheGuide(), in: world)
    try Self.type(terminal, "echo o''k", expecting: "ok")
    try Self.type(terminal, "test -n \"$OVERLINE_WINDOW\" && echo in''side", expecting: "inside")
    try world.pullTheCable()
    try terminal.waitForBanner()
  }

  @Test("without a window the shell with the guide's line reads its startup file", arguments: Shell.all)
  func theLineWithoutAWindow(_ shell: Shell) throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
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

  @Test("the guide's lines start no window in a shell that runs one command", arguments: Shell.all.prefix(2))
  func oneCommand(_ shell: Shell) throws {
    let world = try WindowWorld()
    _ = try world.file(shell.startupFile, try shell.lineOfTheGuide() + "\n")
    let terminal = try world.start(
      shell.name, ["-ic", "echo \"window <$OVERLINE_WINDOW>\""], environment: ["ZDOTDIR=\(world.folder)"])
    try terminal.wait(for: "window <>")
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
