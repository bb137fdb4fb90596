import OverlineReferenceTerminal
import OverlineSystem
import OverlineTestKit
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// A program with a window, in a window or tmux server that has the banner.
@Suite(.ownThread) struct OuterTests {
  /// Cell for cell one banner: that of `overline run`.
  @Test func insideAWindowThereIsNoSecondBanner() throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let scene = try ProgramScene(
      rows: 12, environment: ["XDG_RUNTIME_DIR=\(folder)", "HOME=\(folder)"],
      wrapping: "exec \(LibraryWorld.executable("overline")) run -- \"$0\" \"$@\"")
    try scene.tell("monitor", "print ready", "rect")
    try scene.wait(for: "ready")
    try scene.wait(for: "rect: TerminalRect(row: 1, column: 1, rows: 12, columns: 60)")
    try scene.world.pullTheCable()
    try scene.wait("the window's banner") { $0.text[0].contains("No connection") }
    try scene.settle("printed below")
    #expect(scene.scene.text.count { $0.contains("No connection") } == 1)
    try scene.tell("toast Saved")
    try scene.wait("the window's toast") { $0.text.contains { $0.contains("Saved") } }
    try scene.world.plugTheCable()
    try scene.wait("no banner") { !$0.text[0].contains("No connection") && !$0.text[0].contains("Back online") }
    try scene.tell("present Deploying")
    try scene.wait("the window's own banner") { $0.text[0].contains("Deploying") }
    try scene.tell("dismiss")
    try scene.wait("no banner") { !$0.text[0].contains("Deploying") }
  }

  /// A stand-in for `overline` says whether the monitor drives the server, and records what it is asked.
  /// The program may ask for a banner of its own.
  @Test(arguments: [(true, "inline"), (false, "inline"), (true, "own")])
  func insideTmuxTheServerShowsTheBanner(_ isDriven: Bool, _ style: String) throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let script = """
      #!/bin/sh
      if [ "$1" = tmux ]; then echo "\(isDriven ? folder : "/elsewhere")/tmux  tmux 3.4, 1 session, 1 client, no banner"
      else echo "$@" >> \(folder)/asked; fi
      """
    _ = try Subprocess.run("tee", ["\(folder)/overline"], input: Array(script.utf8))
    _ = try Subprocess.run("chmod", ["+x", "\(folder)/overline"])
    let path = ProcessEnvironment["PATH"] ?? "/usr/bin:/bin"
    let scene = try ProgramScene(style, environment: ["TMUX=\(folder)/tmux,1,0", "PATH=\(folder):\(path)"])
    try scene.tell("present Deploying", "toast Saved", "print printed")
    try scene.wait(for: "printed")
    if isDriven, style == "inline" {
      let asked = { (try? Files.read("\(folder)/asked")).map { String(decoding: $0, as: UTF8.self) } ?? "" }
      #expect(eventually { asked().split(separator: "\n").count == 2 }, "\(asked())")
      #expect(asked().hasPrefix("banner present --background #"))
      #expect(asked().contains("toast --style success --edge top --duration 3000ms "))
      #expect(asked().contains("--message with a message -- Saved\n"))
      // Not 0, which means no limit.
      try scene.tell("brief Sent")
      #expect(eventually { asked().contains("--duration 500ms ") }, "\(asked())")
      #expect(!scene.scene.text.contains { $0.contains("Deploying") || $0.contains("Saved") })
    } else {
      try scene.wait("both here") { $0.text.last!.contains("Deploying") && $0.text[8].contains("Saved") }
      #expect(!Files.exists("\(folder)/asked"))
    }
  }
}
