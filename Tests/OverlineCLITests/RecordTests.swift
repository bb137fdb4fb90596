import FoundationEssentials
import NetworkPath
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineTranscripts
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

  /// Alias, alternative names, label, hardware addresses and the settings of a tunnel, at the start and in announcements: the user could
  /// not find them in hexadecimal before sending the file.
  @Test func aRecordingHasOnlyWhatItsHeadLists() throws {
    let world = try World()
    try world.namespace.ip(
      "link set eth0 alias secret-alias", "link property add dev eth0 altname secret-altname",
      "link set eth0p address 02:5e:c2:e7:00:01", "link set eth0p alias secret-peer",
      "addr add 192.0.2.77/24 dev eth0 label eth0:secret", "link add dum0 type veth peer name dum1",
      "link set dum0 address 02:5e:c2:e7:00:02 alias secret-dummy", "link set dum0 up",
      "link add vx0 type vxlan id 7 dstport 4789 remote 203.0.113.99", "link set vx0 up",
      "neigh replace 192.0.2.1 lladdr 02:5e:c2:e7:00:03 dev eth0 nud reachable")
    let file = "\(world.folder)/report"
    let recording = try world.start("path", "--record", file)
    try recording.lines.first("the path") { $0.hasPrefix("online via eth0") }
    // Announced while it records.
    try world.namespace.ip(
      "link set dum0 alias secret-later", "link property add dev dum0 altname secret-second",
      "addr add 198.51.100.7/24 dev dum0 label dum0:secret")
    try world.pullTheCable()
    try recording.lines.first("its end") { $0.hasPrefix("offline: default via") }
    #expect(recording.end(.interrupt) == 1)
    let bytes = try Files.read(file)
    let transcript = try Transcript(parsing: bytes)
    #expect(transcript.replay().paths.map(TranscriptText.path) == transcript.publishedPaths)
    #expect(transcript.replay().unanswered == 0)
    let text = String(decoding: bytes, as: UTF8.self)
    let head = text.split(separator: "\n").filter { $0.hasPrefix("#") }.joined(separator: "\n")
    for listed in ["dum0, dum1, eth0, eth0p, lo, vx0", "192.0.2.77", "198.51.100.7", "routers: 192.0.2.1\n"] {
      #expect(head.contains(listed), "\(head)")
    }
    let hidden = [Array("secret".utf8), [0x02, 0x5e, 0xc2, 0xe7, 0x00], [203, 0, 113, 99]]
    for bytes in hidden {
      for written in Self.spellings(of: bytes) { #expect(!text.contains(written), "\(written)") }
    }
    // The search finds what is there: the interface's name, in hexadecimal.
    #expect(Self.spellings(of: Array("dum0".utf8)).contains { text.contains($0) && $0 != "dum0" })
  }

  /// Bytes in clear, in hexadecimal, and in Base64 at each of its three offsets.
  private static func spellings(of bytes: [UInt8]) -> [String] {
    let hexadecimal = bytes.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    let base64 = (0..<3).map { offset in
      let text = Array(Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString())
      // Without the characters that the neighbouring bytes change.
      return String(text[(offset == 0 ? 0 : offset + 1)..<((offset + bytes.count) * 8 / 6)])
    }
    let clear = bytes.allSatisfy { (0x20..<0x7f).contains($0) } ? [String(decoding: bytes, as: UTF8.self)] : []
    return clear + [hexadecimal] + base64
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
