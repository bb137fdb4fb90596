import Overline
import OverlineCore
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCLI

/// What `overline history` prints for others: a page, a table, and lines for a spreadsheet.
@Suite(.ownThread) struct HistoryReportTests {
  private static let day: Int64 = 86_400_000
  private static let minute: Int64 = 60_000

  /// The history of one monitor at a time, from events at minutes after the beginning.
  private struct Writer {
    let begin: Int64
    var lines: [String] = []
    var session = 1

    init(begin: Int64) { self.begin = begin }

    mutating func add(_ event: String, _ minutes: Int64, _ cause: String? = nil, via interface: String = "eth0") {
      let clock = minutes * HistoryReportTests.minute
      let fields = cause.map { "\tno-carrier\t\(interface)\t\($0)" } ?? ""
      lines.append("1\t\(event)\t1000-\(session)-0a1b2c3d\t\(begin + clock)\t\(clock + 1)\t\(clock + 1)\(fields)\t.")
      if event == "end" { session += 1 }
    }

    var bytes: [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

    func report(minutes: Range<Int64>) -> HistoryReport {
      let now = HistoryTime(wall: begin + minutes.upperBound * HistoryReportTests.minute, boot: 1, awake: 1)
      return HistoryReport(
        History(bytes, now: now) { _ in false }, from: begin + minutes.lowerBound * HistoryReportTests.minute,
        to: begin + minutes.upperBound * HistoryReportTests.minute)
    }
  }

  /// Midnight at the beginning of a year.
  private static let newYear = LocalTime(year: 2026, month: 1, day: 1).wallTime!.milliseconds

  /// Each element that is opened is closed, in order, and no text contains markup.
  private static func expectWellFormed(_ page: String, _ location: SourceLocation = #_sourceLocation) throws {
    var open: [Substring] = []
    for tag in page.matches(of: /<(?<slash>\/?)(?<name>[a-zA-Z!][a-zA-Z0-9]*)[^>]*>/).map(\.output) {
      if ["!DOCTYPE", "meta"].contains(tag.name) { continue }
      if tag.slash.isEmpty {
        open.append(tag.name)
      } else {
        #expect(open.popLast() == tag.name, sourceLocation: location)
      }
    }
    #expect(open.isEmpty, sourceLocation: location)
    #expect(!page.contains("<script"), sourceLocation: location)
    #expect(!page.contains("http://") && !page.contains("https://"), "it loads nothing", sourceLocation: location)
  }

  @Test func aYearHasTwelveMonths() throws {
    var writer = Writer(begin: Self.newYear)
    writer.add("online", 0)
    for week in Int64(0)..<52 {
      writer.add("offline", week * 7 * 1440 + 60, "offline: week \(week % 5)")
      writer.add("online", week * 7 * 1440 + 60 + week)
    }
    writer.add("end", 365 * 1440)
    let report = writer.report(minutes: 0..<365 * 1440)
    #expect(report.days().count == 365)
    #expect(report.causes.map(\.words).count == 5)
    #expect(report.longest(3).map(\.outage.awake) == [51, 50, 49].map { $0 * Self.minute })
    let page = HistoryPage.text(report)
    try Self.expectWellFormed(page)
    #expect(page.ranges(of: "<table class=\"month\">").count == 12)
    // One outage took no time: its day has it nevertheless.
    #expect(page.ranges(of: "<div class=\"day\">").count == 52)
    #expect(page.contains("<title>Network outages, 1 January 2026 to 31 December 2026</title>"))
  }

  @Test func aHundredOutagesInADayAreOneLine() throws {
    var writer = Writer(begin: Self.newYear)
    writer.add("online", 0)
    for number in Int64(0)..<100 {
      writer.add("offline", number * 14, "offline: eth0 has no carrier")
      writer.add("online", number * 14 + 1)
    }
    writer.add("end", 1440)
    let report = writer.report(minutes: 0..<1440)
    let days = report.days()
    #expect(days.map(\.segments.count) == [100])
    #expect(days[0].segments[1] == .init(kind: .offline, start: 14.0 / 1440, end: 15.0 / 1440))
    let page = HistoryPage.text(report)
    try Self.expectWellFormed(page)
    #expect(page.contains("title=\"100 outages, offline for 1 h 40 min\""))
    #expect(HistoryCSV.text(report).split(separator: "\n").count == 101)
  }

  @Test func timesThatNobodyWatchedAreGaps() throws {
    var writer = Writer(begin: Self.newYear)
    writer.add("online", 60)
    writer.add("limited", 120, "no answer")
    writer.add("online", 180)
    writer.add("end", 600)
    // An update of the program is no gap.
    writer.add("online", 600)
    writer.add("end", 700)
    writer.add("online", 1300)
    writer.add("end", 1440)
    let report = writer.report(minutes: 0..<1440)
    #expect(report.gaps.map { ($0.start - Self.newYear) / Self.minute } == [0, 700])
    #expect(report.days()[0].segments.map(\.kind) == [.unwatched, .unwatched, .limited])
    #expect(HistoryPage.text(report).contains("<p>No outage was recorded.</p>") == false, "it was limited")
    let half = writer.report(minutes: 720..<1440).days()[0].segments
    #expect(half.first == .init(kind: .outside, start: 0, end: 0.5) && half.last?.kind == .unwatched)
    let lines = HistoryCSV.text(report).split(separator: "\n").map { $0.prefix { $0 != "," } }
    #expect(lines == ["kind", "unwatched", "limited", "unwatched"])
    #expect(
      HistoryMarkdown.text(report).contains("Nothing was recorded:\n\n- 2026-01-01 00:00:00 to 2026-01-01 01:00:00\n"))
  }

  @Test func hostileTextIsText() throws {
    var writer = Writer(begin: Self.newYear)
    writer.add("online", 0)
    writer.add("offline", 10, "offline: <script>alert(1)</script> & \"quoted\" | `x` [a](b)", via: "=cmd|'/C calc'!A0")
    writer.add("online", 20)
    // A combining mark makes another character of a quote, a bar and a sign, and hides none of them.
    writer.add("offline", 30, "offline: \"\u{301},\"\u{301} |\u{301} @name", via: "=\u{301}SUM(1)")
    writer.add("online", 40)
    let report = writer.report(minutes: 0..<1440)
    let page = HistoryPage.text(report)
    try Self.expectWellFormed(page)
    let marked = try #require(HistoryCSV.text(report).split(separator: "\n").first { $0.contains("SUM") })
    #expect(marked.unicodeScalars.contains("'") && marked.utf8.count { $0 == UInt8(ascii: "\"") } == 6, "\(marked)")
    #expect(HistoryMarkdown.text(report).unicodeScalars.count { $0 == "\\" } >= 10)
    #expect(HistoryMarkdown.text(report).contains("&#64;name"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quoted&quot;"))
    let line = try #require(HistoryCSV.text(report).split(separator: "\n").first { $0.contains("script") })
    #expect(line.contains(",'=cmd|'/C calc'!A0,no-carrier,\"'=cmd|'/C calc'!A0: <script>"), "\(line)")
    #expect(line.contains("& \"\"quoted\"\""))
    #expect(HistoryMarkdown.text(report).contains(#"\<script\>alert(1)\</script\> \& "quoted" \| \`x\` \[a\](b) |"#))
  }

  @Test func nothingIsASentence() throws {
    let report = Writer(begin: Self.newYear).report(minutes: 0..<1440)
    #expect(report.days().count == 1)
    let page = HistoryPage.text(report)
    try Self.expectWellFormed(page)
    #expect(page.contains("No monitor was running in this time, so nothing was recorded."))
    #expect(HistoryMarkdown.text(report).contains(": no monitor was running."))
    #expect(HistoryCSV.text(report).split(separator: "\n").count == 2, "the header and a gap")
    var watched = Writer(begin: Self.newYear)
    watched.add("online", 0)
    watched.add("end", 1440)
    let quiet = HistoryPage.text(watched.report(minutes: 0..<1440))
    try Self.expectWellFormed(quiet)
    #expect(quiet.contains("<p>No outage was recorded.</p>") && quiet.contains("<dd>100 %</dd>"))
  }

  @Test func aPeriodEndsWhereTheUserSays() throws {
    let now = WallTime(milliseconds: Self.newYear + 10 * Self.day + 3_600_000)
    func end(_ text: String) -> Int64? { Since.parse(end: text, now: now).map { $0.milliseconds - Self.newYear } }
    #expect(end("2026-01-03") == 3 * Self.day)
    #expect(end("2026-01-03 06:00") == 2 * Self.day + 6 * 3_600_000)
    #expect(end("yesterday") == 10 * Self.day)
    #expect(end("today") == 10 * Self.day + 3_600_000)
    #expect(end("24h") == 9 * Self.day + 3_600_000)
    #expect(end("2026-02-01") == 10 * Self.day + 3_600_000)
    #expect(end("2026-02-30") == nil)
    #expect(end("soon") == nil)
  }

  @Test func theCommandPrintsEach() throws {
    let world = try World()
    let now = WallTime.now.milliseconds
    var writer = Writer(begin: now - 10 * Self.day)
    writer.add("online", 0)
    writer.add("offline", 1440, "offline: eth0 has no carrier")
    writer.add("online", 1450)
    writer.add("end", 9 * 1440)
    try Files.makePrivateDirectories("\(world.folder)/state/overline")
    try Files.replace("\(world.folder)/state/overline/history", with: writer.bytes)
    func history(_ format: String) throws -> String { try world.overline("history", "--format", format).outputText }
    #expect(try history("html").hasPrefix("<!DOCTYPE html>\n"))
    #expect(try history("markdown").contains("| 10 min | eth0 has no carrier |\n"))
    #expect(try history("csv").contains("\noffline,20"))
    #expect(try history("json").contains("\"availability\":"))
    let past = try world.overline("history", "--since", "8d", "--until", "5d").outputText
    #expect(past.hasPrefix("No outage from 20"), "\(past)")
    #expect(!past.contains("The last 24 hours"), "the charts end now")
    #expect(try world.overline("history", "--since", "10d", "--until", "5d").outputText.contains("eth0 has no carrier"))
    let wrong = try world.overline("history", "--since", "2d", "--until", "3d")
    #expect(wrong.status == 64)
    #expect(wrong.errorText.contains("the end is not after the start"))
  }
}
