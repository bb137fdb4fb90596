import NetworkPath
import OverlineTestThread
import OverlineTranscripts
import Testing

/// The text form of a recording.
@Suite(.ownThread) struct TranscriptTests {
  private let order = 1.littleEndian == 1 ? "little-endian" : "big-endian"

  private func parse(_ text: String) throws -> Transcript { try Transcript(parsing: Array(text.utf8)) }

  private var whole: Transcript {
    get throws {
      let options = PathOptions(
        ignored: [try InterfaceGlob("docker*"), try InterfaceGlob("50%")], constrained: [try InterfaceGlob("é?")],
        targets: [try PathTarget(name: "office", network: "10.20.0.0/16"), try PathTarget("2001:db8::7")],
        families: [.ipv6], interface: "eth\u{1b}")
      return Transcript(
        options: options,
        moments: [
          .init(time: .zero, event: .watcher(.deadlinePassed)),
          .init(time: .nanoseconds(1), event: .watcher(.opened(false))),
          .init(time: .nanoseconds(2), event: .published("unknown no-netlink = unknown: why")),
          .init(time: .milliseconds(100), event: .watcher(.opened(true))),
          .init(
            time: .milliseconds(101), event: .watcher(.dumped),
            inputs: [.asked([0x20, 0xff]), .got([1]), .got([0]), .lost, .failed(errno: 105)]),
          .init(
            time: .seconds(12_345), event: .watcher(.evaluated),
            inputs: [
              .hardware("", InterfaceHardware()),
              .hardware(
                "a%\u{1b}ü", InterfaceHardware(hasDevice: true, hasWirelessPhy: true, deviceType: "wlan")),
              .nameservers([Nameserver("192.0.2.53")!, Nameserver("2001:db8::53")!, Nameserver("fe80::1%a b")!]),
              .nameservers([]), .refusal(.ipv6),
            ]),
          .init(time: .seconds(12_345), event: .watcher(.readable)),
          .init(time: .seconds(12_346), event: .watcher(.clockStepped)),
          .init(time: .seconds(12_346), event: .watcher(.resolverChanged)),
        ])
    }
  }

  private func text(_ transcript: Transcript) -> String {
    TranscriptText.header(transcript.options) + transcript.moments.map(TranscriptText.lines).joined()
  }

  @Test func whatWasWrittenIsReadBack() throws {
    let text = try text(whole)
    #expect(try parse(text) == whole)
    #expect(text.utf8.allSatisfy { $0 == 0x0a || 0x20..<0x7f ~= $0 })
  }

  /// The user reads the summary before sending the file.
  @Test func theSummaryNamesWhatTheUserConfigured() throws {
    let settings = [
      "ignored docker*", "expensive wwan*", "constrained usb0", "target office 10.20.0.0/16",
      "online-means 10.3.4.0/24",
    ]
    let text = "overline-transcript 1 \(order)\n" + settings.map { $0 + "\n" }.joined() + "0.000000000 deadline\n"
    let line = try #require(try parse(text).summary.first { $0.contains("settings of [path]") })
    #expect(line.hasSuffix(": 10.3.4.0/24, docker*, office (10.20.0.0/16), usb0, wwan*"), "\(line)")
  }

  @Test func commentsAndEmptyLinesAreForPeople() throws {
    let transcript = try parse("overline-transcript 1 \(order)\n# why\n\n0.000000000 deadline\n")
    #expect(transcript.moments == [.init(time: .zero, event: .watcher(.deadlinePassed))])
  }

  @Test(arguments: [
    ("", 1, "is empty"), ("\n", 1, "is not the beginning"), ("overline-transcript 2 little-endian\n", 1, "version"),
    ("overline-transcript 1 middle-endian\n", 1, "byte order"), ("overline-transcript 1\n", 1, "beginning"),
    ("OK\n0.000000000 deadline", 2, "cut short"), ("OK\ngot 00\n", 2, "belong to an event that is missing"),
    ("OK\n\nhello\n", 3, "unknown word"), ("OK\n0.000000000 exploded\n", 2, "unknown event"),
    ("OK\n0.000000000\n", 2, "no event"), ("OK\n0 deadline\n", 2, "in seconds"),
    ("OK\n99999999999999999999.000000000 deadline\n", 2, "in seconds"), ("OK\n1.5 deadline\n", 2, "in seconds"),
    ("OK\n2.000000000 read\n1.000000000 read\n", 3, "earlier"), ("OK\ngot 0\n", 2, "hexadecimal"),
    ("OK\nask 0g\n", 2, "hexadecimal"), ("OK\ngot\n", 2, "hexadecimal"), ("OK\ngot \n", 2, "hexadecimal"),
    ("OK\nerror -5\n", 2, "errno"), ("OK\nerror 99999999999\n", 2, "errno"), ("OK\nhardware\n", 2, "name"),
    ("OK\nhardware %1\n", 2, "name"), ("OK\nhardware eth0 engine\n", 2, "device"),
    ("OK\nnameservers x\n", 2, "addresses"), ("OK\nignored a/b\n", 2, "pattern"), ("OK\nignored\n", 2, "pattern"),
    ("OK\ntarget x\n", 2, "network"), ("OK\ntarget x 10.20.0.1/16\n", 2, "network"),
    ("OK\nfamilies ipx\n", 2, "ipv4"),
    ("OK\n\u{0}\n", 2, "unknown word"),
  ])
  func saysWhatIsWrongAndWhere(_ text: String, _ line: Int, _ words: String) {
    let error = #expect(throws: TranscriptError.self) {
      try parse(text.replacing("OK", with: "overline-transcript 1 \(order)"))
    }
    #expect(error?.line == line)
    #expect(error?.message.contains(words) == true, "\(error?.description ?? "")")
  }

  /// Every prefix of a recording either parses or is an error at one of its lines.
  @Test func aTextThatIsCutAnywhereNeverCrashes() throws {
    let bytes = Array(try text(whole).utf8)
    for count in bytes.indices {
      do { _ = try Transcript(parsing: bytes[..<count]) } catch {
        #expect(1...bytes.count ~= error.line)
      }
    }
  }

  @Test func aPathInWordsIsOneLineWithoutControlCharacters() {
    let path = NWPath(
      status: .satisfied, explanation: "online via \u{1b}[31m\n",
      availableInterfaces: [NWInterface(name: "\u{1b}[31m", index: 2, type: .wiredEthernet)],
      gateways: [.hostPort(host: .ipv4(IPv4Address("192.0.2.1")!), port: .any)],
      supportsIPv4: true)
    #expect(
      TranscriptText.path(path)
        == "satisfied - %1b[31m:2:wired via:192.0.2.1 ipv4 = online via %1b[31m%0a")
  }
}
