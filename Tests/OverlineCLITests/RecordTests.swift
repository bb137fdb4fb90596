import NetworkPath
import OverlineSystem
import OverlineTestKit
import OverlineTestThread
import Testing

/// `overline path --record FILE`, as for a report that overline is wrong about a network.
@Suite(.ownThread) struct RecordTests {
  @Test func recordsUntilItIsEndedWhatCanBeReplayed() throws {
    let world = try World()
    let file = "\(world.folder)/report"
    let recording = try world.start("path", "--record", file)
    try recording.errors.first("what it will hold") { $0.contains("addresses of your interfaces") }
    try recording.lines.first("the path") { $0.hasPrefix("online via eth0") }
    try world.pullTheCable()
    try recording.lines.first("its end") { $0.hasPrefix("offline: default via") }
    #expect(recording.end(.interrupt) == 1)
    #expect(try Files.attributes(file).permissions == 0o600)
    let bytes = try Files.read(file)
    let summary = String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().prefix {
      $0.hasPrefix("# ")
    }
    #expect(summary.contains("#   interfaces: eth0, eth0p, lo"))
    #expect(summary.contains { $0.hasPrefix("#   addresses of this machine: 127.0.0.1, 192.0.2.2, ") }, "\(summary)")
    #expect(summary.contains("#   routers: 192.0.2.1"))
    #expect(summary.suffix(2).map { $0.contains("unsatisfied") } == [false, true])
    let transcript = try Transcript(parsing: bytes)
    let replay = transcript.replay()
    #expect(replay.paths.map(\.status) == [.satisfied, .unsatisfied])
    #expect(replay.paths.map(TranscriptText.path) == transcript.publishedPaths)
    #expect(replay.unanswered == 0)
  }

  /// The configuration's ignored interfaces are part of the recorded decision.
  @Test func recordsWhatTheConfigurationSays() throws {
    let world = try World()
    try world.configure("[path]\nignore = [\"eth*\"]\n")
    let recording = try world.start("path", "--json", "-q", "--record", "\(world.folder)/report")
    try recording.lines.first("the path") { $0.contains("\"reason\":\"ignored\"") }
    #expect(recording.end(.terminate) == 1)
    #expect(recording.errors.values.isEmpty)
    let transcript = try Transcript(parsing: Files.read("\(world.folder)/report"))
    #expect(transcript.replay().paths.map(\.reason) == [.ignored])
  }

  @Test(
    "on a full disk one error names the file, and no empty file stays",
    arguments: [
      (["path", "-q", "--record"], "cannot go on recording to FILE: cannot write: No space left on device"),
      (["config", "init", "--config"], "cannot write FILE: No space left on device"),
    ])
  func aFullDiskIsOneError(_ command: [String], _ error: String) throws {
    let world = try World()
    let file = "\(world.folder)/full/report"
    let script = """
      cd \(world.folder); mkdir full; mount -t tmpfs -o size=16k tmpfs full; dd if=/dev/zero of=full/fill bs=1k 2>/dev/null
      \(World.executable) \(command.joined(separator: " ")) \(file); echo $?; ls full
      """
    let result = try world.namespace.inside {
      try Subprocess.run(
        "unshare", ["--mount", "sh", "-c", script], environment: world.environment, timeout: .seconds(30))
    }
    #expect(result.errorText == "overline: \(error.replacing("FILE", with: file))\n")
    #expect(result.outputText == "2\nfill\n")
  }

  /// Neither a file nor a link's target is overwritten.
  @Test func aFileThatIsThereIsLeftAlone() throws {
    let world = try World()
    try Files.replace("\(world.folder)/precious", with: [0x31])
    _ = try Subprocess.run("ln", ["-s", "precious", "\(world.folder)/link"])
    _ = try Subprocess.run("ln", ["-s", "nothing", "\(world.folder)/dangling"])
    for name in ["precious", "link", "dangling"] {
      let refused = try world.overline("path", "--record", "\(world.folder)/\(name)")
      #expect(refused.status == 2)
      #expect(refused.errorText == "overline: cannot make \(world.folder)/\(name): File exists\n")
    }
    #expect(try Files.read("\(world.folder)/precious") == [0x31])
    #expect(!Files.exists("\(world.folder)/nothing"))
  }
}
