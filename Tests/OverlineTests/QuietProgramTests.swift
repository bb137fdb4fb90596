import Overline
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// Programs with the library while their user wants quiet.
@Suite(.ownThread) struct QuietProgramTests {
  /// The README's program, without a network. It prints a line each second.
  private func start(_ folder: String, in namespace: NetworkNamespace) throws -> TerminalScene {
    try namespace.inside {
      try TerminalScene(
        [BuiltProgram.path("OverlineReadmeExample")],
        environment: TmuxTestServer.environment + ["XDG_RUNTIME_DIR=\(folder)", "TERM=xterm-256color"])
    }
  }

  @Test func aPauseHidesTheBannerAndTheToasts() throws {
    let namespace = try NetworkNamespace()
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let loud = try start(folder, in: namespace)
    try loud.wait(for: "No connection")
    try Files.makePrivateDirectories("\(folder)/overline")
    let note = QuietNote(pause: BootClock.wallMilliseconds + 3_600_000)
    try Files.replace("\(folder)/overline/\(QuietFile.name)", with: Array(note.text.utf8))
    let quiet = try start(folder, in: namespace)
    try quiet.wait(for: "page 5")
    let shown = String(decoding: quiet.output, as: UTF8.self)
    #expect(!shown.contains("No connection") && !shown.contains("The first pages"), "\(shown)")
  }
}
