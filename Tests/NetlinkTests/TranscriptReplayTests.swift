import Dispatch
@testable import NetworkPath
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
@testable import OverlineTranscripts
import Testing

/// Recordings, decided again without a kernel. To make a test of a reported recording, put it into `Transcripts`.
@Suite(.ownThread) struct TranscriptReplayTests {
  private static let folder =
    #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Transcripts"

  private static var files: [String] { ((try? Files.names(in: folder)) ?? []).sorted() }

  private func transcript(_ file: String) throws -> Transcript {
    try Transcript(parsing: Files.read("\(Self.folder)/\(file)"))
  }

  /// Made by a version that asked fewer questions.
  private static var olderFiles: [String] { files.filter { $0.hasSuffix("-0.1.txt") } }

  /// Needs no namespace and no privilege.
  @Test(arguments: files.filter { !olderFiles.contains($0) }) func aRecordingGivesTheSamePaths(_ file: String) throws {
    let transcript = try transcript(file)
    let replay = transcript.replay()
    #expect(replay.paths.map(TranscriptText.path) == transcript.publishedPaths)
    #expect(replay.unanswered == 0)
  }

  /// A question that was not asked then has no answer, and the paths are decided without it.
  @Test(arguments: olderFiles) func aRecordingOfAnOlderVersionGivesTheSamePaths(_ file: String) throws {
    let transcript = try transcript(file)
    let replay = transcript.replay()
    #expect(replay.paths.map(TranscriptText.path) == transcript.publishedPaths)
    #expect(replay.unanswered > 0)
  }

  /// A recording leaves out what no decision reads. The older recordings have the kernel's whole messages.
  @Test(arguments: files) func whatARecordingLeavesOutDecidesNothing(_ file: String) throws {
    let whole = try transcript(file)
    var less = whole
    for moment in less.moments.indices {
      less.moments[moment].inputs = less.moments[moment].inputs.map { input in
        if case .got(let datagram) = input { .got(RecordedMessages.kept(of: datagram)) } else { input }
      }
    }
    #expect(less.replay() == whole.replay())
  }

  @Test func everyRecordedCaseIsKept() {
    #expect(Set(RecordedCase.all.map { "\($0.name).txt" }).isSubset(of: Self.files))
  }

  /// When the decision asks other questions, or explains in other words, record again with
  /// `OVERLINE_TRANSCRIPTS=Tests/NetlinkTests/Transcripts swift test --filter recordsWhatItSees`.
  @Test(arguments: RecordedCase.all.filter { !$0.needsTunDevice }) func recordsWhatItSees(_ recorded: RecordedCase)
    throws
  {
    try record(recorded)
  }

  @Test(.needsTunDevice, arguments: RecordedCase.all.filter(\.needsTunDevice))
  func recordsWhatItSeesOfTunnels(_ recorded: RecordedCase) throws { try record(recorded) }

  private func record(_ recorded: RecordedCase) throws {
    let (text, published) = try recorded.record()
    let transcript = try Transcript(parsing: text)
    let replay = transcript.replay()
    #expect(replay.paths == published)
    #expect(replay.unanswered == 0)
    #expect(transcript.publishedPaths == published.map(TranscriptText.path))
    if let folder = ProcessEnvironment["OVERLINE_TRANSCRIPTS"] {
      try Files.replace("\(folder)/\(recorded.name).txt", with: text)
    }
  }

  /// The same code runs: damaged bytes crash neither the parser nor the replay.
  @Test(arguments: files) func aDamagedRecordingNeverCrashes(_ file: String) throws {
    let transcript = try transcript(file)
    // A simple generator, so that a failure is reproducible.
    var random: UInt64 = 0x9e37_79b9_7f4a_7c15
    func next(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % max(1, bound)
    }
    for _ in 0..<40 {
      var damaged = transcript
      for _ in 0...next(8) {
        let moment = next(damaged.moments.count)
        guard !damaged.moments[moment].inputs.isEmpty else { continue }
        let index = next(damaged.moments[moment].inputs.count)
        switch damaged.moments[moment].inputs[index] {
        case .got(var bytes):
          if next(2) == 0 { bytes.removeLast(next(bytes.count)) } else { bytes[next(bytes.count)] = UInt8(next(256)) }
          damaged.moments[moment].inputs[index] = .got(bytes)
        case .asked, .lost, .failed, .hardware, .nameservers, .refusal, .connections:
          damaged.moments[moment].inputs.remove(at: index)
        }
      }
      if next(3) == 0 { damaged.moments.remove(at: next(damaged.moments.count)) }
      _ = damaged.replay()
    }
  }

  /// A recording of sockets that failed: unknown, never an outage, and back.
  @Test func failuresAreReplayedToo() throws {
    let order = 1.littleEndian == 1 ? "little-endian" : "big-endian"
    let text = """
      overline-transcript 1 \(order)
      0.000000000 deadline
      0.000000001 not-opened
      0.100000000 deadline
      0.100000001 opened
      0.100000002 dumped
      0.300000001 deadline
      0.300000002 opened
      error 105
      1.000000000 read

      """
    let replay = try Transcript(parsing: Array(text.utf8)).replay()
    #expect(!replay.paths.map(\.isKnown).contains(true))
    #expect(
      replay.paths.map(\.explanation) == [
        "unknown: the sockets could not be opened; trying again",
        "unknown: cannot read the kernel's tables: No data available; trying again",
        "unknown: cannot read from the kernel: No buffer space available; trying again",
      ])
    #expect(replay.unanswered > 0)
  }

  /// The kernel takes no filter for the decision's networks: no path is decided, and the sockets are opened again.
  @Test func aRefusedFilterIsReplayed() throws {
    var transcript = try transcript("K1-carrier.txt")
    let look = try #require(transcript.moments.firstIndex { $0.event == .watcher(.evaluated) })
    transcript.moments[look].inputs = [.failed(errno: 12)]
    #expect(
      transcript.replay().paths.first?.explanation
        == "unknown: cannot attach a socket filter: Cannot allocate memory; trying again")
  }

  /// As above, while old announcements are discarded before the tables are read.
  @Test func anErrorBeforeTheTablesIsReplayed() throws {
    var transcript = try transcript("K1-carrier.txt")
    let dump = try #require(transcript.moments.firstIndex { $0.event == .watcher(.dumped) })
    transcript.moments[dump].inputs = [.failed(errno: 5)]
    #expect(
      transcript.replay().paths.first?.explanation
        == "unknown: cannot read from the kernel: Input/output error; trying again")
  }

  /// The socket fails during a look, at any question: the result from the other answers is not published, and all questions
  /// are asked again on other sockets.
  @Test(
    arguments: ["K1-carrier.txt", "K25-tunnel.txt"], [[], [.failed(errno: 5)], [.lost]] as [[WatcherInput]])
  func anUnansweredQuestionPublishesNoPath(_ file: String, _ instead: [WatcherInput]) throws {
    var transcript = try transcript(file)
    // The nameserver is the path's own probe destination: the same question again, as the last of a look.
    for (index, moment) in transcript.moments.enumerated() {
      guard let list = moment.inputs.firstIndex(of: .nameservers([])) else { continue }
      transcript.moments[index].inputs[list] = .nameservers([Nameserver(RouteProbe.destinations(.ipv4)[0])])
      transcript.moments[index].inputs += moment.inputs[..<2]
    }
    // The last look finds the same state as the first.
    let dump = try #require(transcript.moments.first { $0.event == .watcher(.dumped) })
    let published = try #require(transcript.moments.lastIndex { if case .published = $0.event { true } else { false } })
    transcript.moments.removeSubrange(published...)
    let look = try #require(transcript.moments.last)
    #expect(look.event == .watcher(.evaluated))
    let before = transcript.replay().paths
    #expect(before.map(\.supportsDNS) == [true, false, true])
    transcript.moments.removeLast()
    let later = look.time + .milliseconds(100)
    let again: [Transcript.Moment] = [
      .init(time: later, event: .watcher(.deadlinePassed)), .init(time: later, event: .watcher(.opened(true))),
      .init(time: later, event: .watcher(.dumped), inputs: dump.inputs),
      .init(time: later, event: .watcher(.evaluated), inputs: look.inputs),
    ]
    let answers = look.inputs.indices.filter { if case .got = look.inputs[$0] { true } else { false } }
    #expect(answers.count >= 4)
    for answer in answers {
      var failed = look
      failed.inputs.replaceSubrange(answer...answer, with: instead)
      let replay = Transcript(options: transcript.options, moments: transcript.moments + [failed] + again).replay()
      #expect(replay.paths == before)
      // Without the answer about a VPN's mark the failed look also asks for the routes of the link, once per family.
      #expect(replay.unanswered <= (file == "K25-tunnel.txt" ? 2 : 0))
    }
  }

  /// Half a table is not accepted as the whole (`NLMSG_DONE` with an errno).
  @Test func aDumpThatTheKernelGaveUpIsAFailure() throws {
    var transcript = try transcript("K1-carrier.txt")
    let dump = try #require(transcript.moments.firstIndex { $0.event == .watcher(.dumped) })
    for (index, item) in transcript.moments[dump].inputs.enumerated() {
      guard case .got(var bytes) = item, bytes[4] == 3 else { continue }
      // -EMSGSIZE
      bytes.replaceSubrange(16..<20, with: MessageBytes.bytes(Int32(-90)))
      transcript.moments[dump].inputs[index] = .got(bytes)
    }
    #expect(transcript.replay().paths.first?.isKnown == false)
  }

  /// Announcements came faster than they could be read, before the tables were: the watcher waits, and reports no failure (`ENOBUFS`).
  @Test func aFloodThatIsNotCaughtUpWithIsWaitedFor() throws {
    var transcript = try transcript("K1-carrier.txt")
    let before = transcript.replay().paths
    let dump = try #require(transcript.moments.firstIndex { $0.event == .watcher(.dumped) })
    let time = transcript.moments[dump].time
    for index in transcript.moments.indices[dump...] { transcript.moments[index].time += .seconds(1) }
    transcript.moments.insert(
      contentsOf: [
        .init(time: time, event: .watcher(.dumped), inputs: [.failed(errno: 105)]),
        .init(time: time + .milliseconds(100), event: .watcher(.deadlinePassed)),
      ], at: dump)
    let replay = transcript.replay()
    #expect(replay.paths == before)
    #expect(replay.unanswered == 0)
  }

  /// A question that was asked twice at one time, such as an interrupted dump's, gets both of its answers, in order.
  @Test func aRepeatedQuestionGetsItsOwnAnswers() throws {
    var transcript = try transcript("K1-carrier.txt")
    let before = transcript.replay().paths
    let dump = try #require(transcript.moments.firstIndex { $0.event == .watcher(.dumped) })
    let whole = transcript.moments[dump].inputs
    // The first answer is marked as interrupted (NLM_F_DUMP_INTR), and contains no address.
    var first: [WatcherInput] = []
    for item in whole {
      guard case .got(var bytes) = item else {
        first.append(item)
        continue
      }
      if bytes[4] == 20 { continue }
      bytes[6] |= 0x10
      first.append(.got(bytes))
    }
    transcript.moments[dump].inputs = first
    transcript.moments.insert(.init(time: .zero, event: .watcher(.dumped), inputs: whole), at: dump + 1)
    #expect(transcript.replay().paths == before)
    transcript.moments.remove(at: dump + 1)
    for inputs in [first + whole, whole + first] {
      transcript.moments[dump].inputs = inputs
      #expect(transcript.replay().paths == before)
    }
  }

  @Test func theRecorderStopsAtItsLimitWithAWholeLine() throws {
    let text = Recorder<[UInt8]>()
    let stops = Recorder<String>()
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let recorder = TranscriptRecorder(limit: 6_000, write: { text.record($0) }, onStop: { stops.record($0) })
    let paths = Recorder<NWPath>()
    let watcher = PathWatcher(
      queue: .init(label: "test.limit"), resolverConfiguration: "/nonexistent", recorder: recorder,
      open: { () throws(NetlinkError) in try inside(namespace) }, onPath: { paths.record($0) })
    try watcher.start()
    defer { watcher.cancel() }
    try paths.wait("the first path") { $0.count == 1 }
    for round in 1...6 {
      try namespace.ip("link set eth0p \(round % 2 == 0 ? "up" : "down")")
      // The watcher goes on.
      try paths.wait("a change") { $0.count > round }
    }
    try stops.wait("the end of it") { $0.count == 1 }
    let bytes = text.values.flatMap(\.self)
    #expect(bytes.count <= 30_000)
    #expect(try !Transcript(parsing: bytes).publishedPaths.isEmpty)
  }
}
