import OverlineProcess
import OverlineReferenceTerminal
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// Terminals open a new tab in the working directory of the process that they started: the window.
@Suite(.ownThread) struct DirectoryTests {
  @Test(arguments: [true, false]) func theWindowFollowsItsShell(_ isOffline: Bool) throws {
    let world = try WindowWorld()
    if isOffline { try world.pullTheCable() }
    let window = try world.window("sh")
    try window.wait(for: "$")
    let directory = { Files.linkTarget("/proc/\(window.pid)/cwd") }
    for name in ["/usr/share", "/usr", "/"] {
      window.type("cd \(name)\n")
      #expect(eventually { directory() == name })
    }
    // Not another job's: a script that leaves a file system may unmount it.
    window.type("sh -c 'cd /usr; echo MOVED; read line'\n")
    try window.wait("the script") { $0.text.contains { $0.hasSuffix("MOVED") } }
    window.type("key")
    try window.wait("its echo") { $0.text.contains { $0.hasPrefix("key") } }
    #expect(directory() == "/")
    window.type("\ncd /usr/share; sleep 0.2; cd /usr\n")
    #expect(eventually { directory() == "/usr" })
  }

  /// The window reads its configuration again from where it was.
  @Test func aRelativeConfigurationIsFoundAgain() throws {
    let world = try WindowWorld()
    let file = try world.file("window.toml", "[banner.offline]\ntitle = \"First\"\n")
    let window = try world.scene([
      "sh", "-c", "cd \(Files.folder(of: file)); exec \(WindowWorld.executable) run --config window.toml sh",
    ])
    try window.wait(for: "$")
    window.type("cd /usr\n")
    #expect(eventually { Files.linkTarget("/proc/\(window.pid)/cwd") == "/usr" })
    try Files.replace(file, with: Array("[banner.offline]\ntitle = \"Second\"\n".utf8))
    try world.pullTheCable()
    // The banner that shows changes with the file too.
    try window.wait(for: "Second")
  }
}
