import OverlineTestThread
import Testing
@testable import OverlineCore

/// Files as power cuts, full disks and other programs leave them.
@Suite(.ownThread) struct HistoryRobustnessTests {
  private func life() -> Scenario {
    var life = Scenario()
    life.online()
    for number in 0..<4 {
      life.pass(minutes: 10)
      life.offline("eth\(number) has no carrier . . é 🚧")
      life.pass(minutes: 10)
      life.online()
    }
    life.end()
    return life
  }

  /// A shorter file yields a part of the longer one's content, and never anything else.
  @Test func aFileCutAnywhereTellsWhatIsLeft() {
    let life = life()
    let whole = life.history
    for length in 0..<life.bytes.count {
      let bytes = life.bytes[..<length]
      let history = History(bytes, now: life.now) { _ in false }
      for (cut, outage) in zip(history.outages, whole.outages) {
        #expect(cut.cause == outage.cause)
        #expect(cut == outage || cut.ending.isLost)
      }
      #expect(history.outages.count <= whole.outages.count)
      // A torn line, whose writer was killed, does not affect the next one, which begins a new line.
      let mended = History(Array(bytes) + [0x0a] + life.bytes, now: life.now) { _ in false }
      #expect(mended.outages.suffix(4).elementsEqual(whole.outages))
    }
  }

  @Test func aFileCutAtItsBeginningTellsWhatIsLeft() {
    let life = life()
    for start in 0..<life.bytes.count {
      let history = History(life.bytes[start...], now: life.now) { _ in false }
      #expect(zip(history.outages.reversed(), life.history.outages.reversed()).allSatisfy { $0 == $1 })
    }
  }

  @Test func foreignBytesAreNoRecords() {
    let life = life()
    for byte in [0x00, 0x09, 0x0a, 0x20, 0x2d, 0x2e, 0x39, 0xff] as [UInt8] {
      for index in life.bytes.indices {
        var bytes = life.bytes
        bytes[index] = byte
        _ = History(bytes, now: life.now) { _ in true }
      }
    }
    let zeros = [UInt8](repeating: 0, count: 4096)
    #expect(History(life.bytes + zeros + [0x0a] + life.bytes, now: life.now) { _ in false }.outages.count == 8)
    let huge = "1\tonline\t1-1-a\t9223372036854775807\t-9223372036854775808\t9223372036854775807\t.\n"
    #expect(History(Array(huge.utf8), now: life.now) { _ in true }.watches == [])
  }

  @Test func whatOthersWroteStaysOneLine() throws {
    let session = HistoryRecord.Session(pid: 1, start: 2, boot: "b")
    let time = HistoryTime(wall: 3, boot: 4, awake: 5)
    for text in ["", "-", ".", "a\t.", "a b", "two\nlines", "\u{1b}[31mred", "\0", String(repeating: "é", count: 1000)]
    {
      let cause = HistoryRecord.Cause(reason: text, interface: text, explanation: text)
      let line = HistoryRecord(.offline(cause, isFound: true), session: session, time: time).line
      #expect(line.count { $0 == 0x0a } == 1)
      #expect(line.count < 1000)
      let read = try #require(HistoryRecord(line: line.dropLast()))
      #expect((read.session, read.time) == (session, time))
      guard case .offline(let readCause, true) = read.event else { throw Unexpected() }
      #expect(readCause.explanation.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
    let plain = HistoryRecord.Cause(reason: "no-route", interface: nil, explanation: "there is no default route")
    let record = HistoryRecord(.offline(plain, isFound: false), session: session, time: time)
    #expect(HistoryRecord(line: record.line.dropLast()) == record)
  }

  private struct Unexpected: Error {}

  @Test func theNewestLinesAreAHistory() {
    var life = Scenario()
    life.online()
    for number in 0..<100 {
      life.pass(minutes: 1)
      life.offline("outage \(number)")
      life.pass(minutes: 1)
      life.online()
      if number % 10 == 0 {
        life.end()
        life.startAgain()
        life.online()
      }
    }
    let kept = History(History.newest(30, of: life.bytes), now: life.now) { _ in true }
    #expect(kept.outages.count == 30)
    #expect(kept.outages.elementsEqual(life.history.outages.suffix(30)))
    #expect(History.newest(1000, of: life.bytes) == life.bytes)
    // Monitors that end at once, again and again, do not fill the disk.
    for _ in 0..<1000 {
      life.startAgain()
      life.online()
      life.end()
    }
    let newest = History.newest(30, of: life.bytes)
    #expect(newest.count { $0 == 0x0a } == History.maximumLineCount(keeping: 30))
    #expect(!History.isTooLong(lines: History.maximumLineCount(keeping: 30), keeping: 30))
  }

  @Test func tenThousandOutagesAreReadInTime() {
    var life = Scenario()
    life.online()
    for _ in 0..<10_000 {
      life.pass(minutes: 1)
      life.offline()
      life.pass(minutes: 1)
      life.online()
    }
    let history = life.history
    #expect(history.outages.count == 10_000)
    #expect(history.sum(from: .min / 4, to: .max / 4).offline == 10_000 * 60_000)
    #expect(life.totals == .init(outages: 10_000, offline: 10_000 * 60_000))
  }
}
