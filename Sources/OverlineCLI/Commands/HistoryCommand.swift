internal import ArgumentParser
internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem

struct HistoryCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List outages: when, how long, why.",
    discussion: """
      Lists the outages that a monitor saw; no monitor has to run now. Below them are the last 24 hours as a strip, the last 30 days as \
      a calendar, and the totals. Time asleep does not count.

      For others: --format html prints a page to print or to send to a provider, markdown a table, csv a line for each outage. For example: \
      overline history --since 2026-11-01 --until 2026-11-30 --format html >outages.html
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, csv, markdown, html
  }

  @Option(help: ArgumentHelp("Start time: 24h, 7d, yesterday, 2026-11-20, \"2026-11-20 21:00\".", valueName: "time"))
  var since: String?

  @Option(help: ArgumentHelp("End time, in the same forms; a date means its end.", valueName: "time"))
  var until: String?

  @Option(help: ArgumentHelp("The output format.", valueName: "format"))
  var format: Format?

  @Flag(help: "The same as --format json.")
  var json = false

  @OptionGroup var options: CommonOptions

  mutating func validate() throws {
    if json, let format, format != .json { throw ValidationError("say either --json or --format \(format.rawValue)") }
    if json { format = .json }
  }

  func run() throws {
    try finish {
      let now = WallTime.now
      let end = try time(until, "--until") { Since.parse(end: $0, now: now) } ?? now
      let start =
        try time(since, "--since") { Since.parse($0, now: now) }
        ?? WallTime(milliseconds: end.milliseconds - Int64(HistoryChart.days) * 86_400_000)
      if end <= start {
        throw CommandError("the end is not after the start: see --since and --until", status: .usage)
      }
      guard let place = HistoryPlace.own else {
        throw CommandError("no history can be found: \(UserFolders().homeFault)")
      }
      let (history, isRecording) = try read(place)
      let hasMonitor = Self.hasMonitor
      if hasMonitor && !isRecording && !options.quiet {
        do throws(SystemError) {
          try place.checkWriting()
        } catch {
          Output.warn("the running monitor cannot write the history: \(place.explanation(of: error))")
        }
      }
      try show(history, from: start.milliseconds, to: end.milliseconds, now: now, hasMonitor: hasMonitor)
      return .success
    }
  }

  /// Nil without a text.
  private func time(_ text: String?, _ option: String, _ parse: (String) -> WallTime?) throws -> WallTime? {
    guard let text else { return nil }
    guard let time = parse(text) else {
      throw CommandError("\(option): \(quoted(text)) is not a time in the past; \(Since.allowed)", status: .usage)
    }
    return time
  }

  /// Only a running monitor has a state file. One that cannot write that either, as on a full disk, answers at its socket.
  private static var hasMonitor: Bool {
    guard let directory = try? RuntimeDirectory.locate() else { return false }
    if StateFile.read(directory.state) != nil { return true }
    return (try? ObserverClient.status(path: directory.socket)) != nil
  }

  /// The history, and whether the monitor that wrote its last line still runs.
  private func read(_ place: HistoryPlace) throws -> (history: History, isRecording: Bool) {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      bytes = try Files.read(place.file, limit: HistoryPlace.maximumFileSize)
    } catch {
      if !error.isNoSuchFile { throw CommandError(place.explanation(of: error)) }
    }
    var isRecording = false
    let history = History(bytes, now: .now) { session in
      // Called for the last monitor only.
      isRecording = session.isAlive
      return isRecording
    }
    return (history, isRecording)
  }

  private func show(_ history: History, from start: Int64, to end: Int64, now: WallTime, hasMonitor: Bool) throws {
    switch format ?? .text {
    case .text: try showText(history, from: start, to: end, now: now, hasMonitor: hasMonitor)
    case .json: try Output.line(HistoryJSON.text(history, from: start, to: end))
    case .csv: try Output.line(HistoryCSV.text(HistoryReport(history, from: start, to: end)))
    case .markdown: try Output.line(HistoryMarkdown.text(HistoryReport(history, from: start, to: end)))
    case .html: try Output.line(HistoryPage.text(HistoryReport(history, from: start, to: end)))
    }
  }

  private func showText(_ history: History, from start: Int64, to end: Int64, now: WallTime, hasMonitor: Bool) throws {
    let isPast = end < now.milliseconds
    // After the clock was set back there may be outages of the future.
    let periods = HistoryText.periods(history, from: start, to: isPast ? end : .max)
    let sum = history.sum(from: start, to: end)
    let span = isPast ? "from \(HistoryText.span(start, end))" : "since \(HistoryText.moment(start))"
    if sum.availability == nil && periods.isEmpty {
      return try Output.sentence(
        hasMonitor
          ? "Nothing was recorded \(span)."
          : "No monitor was running \(span), so none saw an outage; start one with: overline monitor")
    }
    if periods.isEmpty {
      try Output.sentence("No outage \(span).")
    } else {
      for line in HistoryText.table(periods) { try Output.sentence(line) }
    }
    try Output.line("")
    // The charts end now.
    if !isPast { try showCharts(history, now: now) }
    try Output.sentence("\(span.prefix(1).uppercased() + span.dropFirst()): \(HistoryText.line(sum))")
  }

  private func showCharts(_ history: History, now: WallTime) throws {
    let chart = HistoryChart(history: history, now: now, capabilities: options.capabilities(isTerminal: isTerminal(1)))
    let columns = WindowSize(of: 1)?.known?.columns ?? 80
    for line in ["The last 24 hours"] + chart.day(columns: columns) + ["", "The last 30 days"] + chart.month() {
      try Output.line(line)
    }
    try Output.line("")
  }
}
