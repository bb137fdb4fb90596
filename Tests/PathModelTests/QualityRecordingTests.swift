import NetworkPath
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Recorded looks at real connections, read again. `OVERLINE_LOOKS=FOLDER make soak BENCH='--only quality'` records them.
@Suite(.ownThread) struct QualityRecordingTests {
  private static let folder =
    #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Qualities"

  /// What two looks in a row have agreed on, after each look: unknown, good, moderate or poor. The way changes after the third.
  private static let levels = [
    "1-loss": "ugggggggggggggg",
    "15-loss": "ugggmmmmppppppp",
    "30-loss": "ugggmpppppppppp",
    "400-ms-from-the-beginning": "uummmmmmmmmmmmm",
    "4g-with-handovers-of-0-6-s": "ugggggggggggggg",
    "7-loss": "uggggggmmmmmmmm",
    "a-bulk-upload-bbr-0-1-s-of-queue": "ggggggggggggggg",
    "a-bulk-upload-cubic-0-1-s-of-queue": "ggggggggggggggg",
    "a-full-queue-of-2-s-bbr": "ggggmpppmgggggg",
    "a-full-queue-of-2-s-cubic": "ggggmpppmmggggg",
    "a-good-network": "ugggggggggggggg",
    "a-jump-to-1-4-s-a-vpn": "ugggmpppppppppp",
    "a-jump-to-1-4-s-ipv6": "ugggmpppppppppp",
    "a-jump-to-1-4-s": "ugggmpppppppppp",
    "a-jump-to-400-ms": "uggggmmmmmmmmmm",
    "a-single-host-far-away": "ugggggggggggggg",
    "a-vpn": "ugggggggggggggg",
    "ipv6": "ugggggggggggggg",
    "jitter-of-200-ms": "ugggggggggggggg",
    "one-of-four-hosts-loses-30": "ugggggggggggggg",
    "two-of-four-hosts-far-away": "ugggggggggggggg",
    "wi-fi-at-its-edge-bursts-of-1-s-10-loss": "ugggmmmmmmmmmmm",
    "wi-fi-bursts-of-0-2-s-1-loss": "ugggggggggggggg",
  ]

  @Test(arguments: levels.keys.sorted()) func aRecordingHasItsQuality(_ name: String) throws {
    let text = String(decoding: try Files.read("\(Self.folder)/\(name).looks"), as: UTF8.self)
    let looks = try QualityLog.looks(text)
    var meter = QualityMeter()
    let levels = looks.map { time, look in
      meter.take(look, at: time)
      return String(meter.agreed.level.name.prefix(1))
    }.joined()
    #expect(levels == Self.levels[name])
    // What is written is what was read.
    #expect(QualityLog.text(looks) == text)
  }

  @Test func eachRecordingIsRead() throws {
    let files = try Files.names(in: Self.folder).filter { $0.hasSuffix(".looks") }.map { String($0.dropLast(6)) }
    #expect(files.sorted() == Self.levels.keys.sorted())
  }
}
