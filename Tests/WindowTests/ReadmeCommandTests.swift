import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// A newcomer copies the README's commands into an interactive shell.
@Suite(.ownThread) struct ReadmeCommandTests {
  private typealias Shell = StartupFileTests.Shell

  /// What would change this machine, or needs a network, does nothing.
  private static let standIns = ["tar", "sudo", "git", "make", "systemctl"]

  @Test("each command of the README works in an interactive shell", arguments: StartupFileTests.Shell.all)
  func theCommandsWork(_ shell: StartupFileTests.Shell) throws {
    let world = try WindowWorld()
    try withExtendedLifetime(world) {
      try world.namespace.ip("route add 10.20.0.0/16 via 192.0.2.1")
      try StartupFileTests.Program.working.install(in: world)
      let bin = "\(world.folder)/.local/bin"
      // A file of its own: the program looks for what is installed beside it.
      _ = try Subprocess.run(
        "sh",
        ["-c", "rm \"$2\"; ln \"$1\" \"$2\" || cp \"$1\" \"$2\"", "sh", WindowWorld.executable, "\(bin)/overline"])
      for folder in ["overline", "overline-0-linux", "fish"] {
        try Files.makePrivateDirectories("\(world.folder)/\(folder)")
      }
      for link in Self.standIns.map({ "\(bin)/\($0)" }) + ["\(world.folder)/overline-0-linux/install.sh"] {
        _ = try Subprocess.run("ln", ["-s", "/bin/true", link])
      }
      for name in ["overline-0-linux.tar.gz", "overline_0_all.deb", shell.startupFile] { _ = try world.file(name, "") }
      let path = "\(bin):\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")"
      let terminal = try world.scene(
        [shell.name, "-i"], environment: ["PATH=\(path)", "SHELL=/usr/bin/\(shell.name)"])
      try StartupFileTests.type(terminal, "cd && echo o''k", expecting: "ok")

      let blocks = try MarkdownDocument("README.md").blocks.filter { ["console", "sh"].contains($0.language) }
      let lines = blocks.flatMap { $0.text.split(separator: "\n") }
      #expect(lines.count > 10)
      for (number, line) in lines.enumerated() {
        terminal.type(line + "\n")
        // These two read what is typed.
        if line == "overline demo" {
          #expect(eventually { terminal.text.contains { $0.contains("q quits") } }, "\(terminal.text)")
          terminal.type("q")
          try StartupFileTests.type(terminal, "echo demo o''ver", expecting: "demo over")
          continue
        }
        if line == "overline run" {
          let inside = "test -n \"$OVERLINE_WINDOW\" && echo in''side"
          try StartupFileTests.type(terminal, inside, expecting: "inside")
          terminal.type("exit\n")
          try StartupFileTests.type(terminal, "test -z \"$OVERLINE_WINDOW\" && echo out''side", expecting: "outside")
          continue
        }
        terminal.type("echo \"line \(number): $\(shell.name == "fish" ? "status" : "?").\"\n")
        let answer = "line \(number): "
        #expect(eventually { terminal.text.contains { $0.hasPrefix(answer) } })
        #expect(terminal.text.contains("\(answer)0."), "\(line)\n\(terminal.text.joined(separator: "\n"))")
      }
    }
  }

  /// What the guide's tests do with the guide's lines is then true of the README's.
  @Test("the README's lines for startup files are the guide's")
  func theLinesOfStartupFiles() throws {
    let guide = try MarkdownDocument.guide().dropFirst().flatMap(\.blocks).flatMap { $0.text.split(separator: "\n") }
    let blocks = try MarkdownDocument("README.md").blocks.filter {
      ["bash", "zsh", "fish", "tmux"].contains($0.language)
    }
    #expect(blocks.count >= 5)
    for line in blocks.flatMap({ $0.text.split(separator: "\n") }) {
      #expect(guide.contains { $0.hasPrefix(line) }, "\(line)")
    }
  }

  /// An interactive zsh gives a comment to the command, as words.
  @Test("no command of the README or the guide has a comment behind it")
  func noComments() throws {
    for document in try MarkdownDocument.guide() {
      for block in document.blocks where ["console", "sh"].contains(block.language) {
        #expect(!block.text.contains(/(^|\s)#/), "\(document.path): \(block.text)")
      }
    }
  }
}
