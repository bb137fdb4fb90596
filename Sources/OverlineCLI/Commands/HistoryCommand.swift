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
      """)

  @Option(help: ArgumentHelp("Start time: 24h, 7d, yesterday, 2026-11-20, \"2026-11-20 21:00\".", valueName: "time"))
  var since: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      let now = WallTime.now
      var start = Since.parse("\(HistoryChart.days)d", now: now)
      if let since {
        start = Since.parse(since, now: now)
        if start == nil {
          throw CommandError(
            "--since: \(quoted(since)) is not a time in the past; \(Since.allowed)", status: .usage)
        }
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
      try show(history, from: (start ?? now).milliseconds, now: now, hasMonitor: hasMonitor)
      return .success
    }
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

  private func show(_ history: History, from start: Int64, now: WallTime, hasMonitor: Bool) throws {
    if json { return try Output.line(HistoryJSON.text(history, from: start, to: now.milliseconds)) }
    let chart = HistoryChart(history: history, now: now, capabilities: options.capabilities(isTerminal: isTerminal(1)))
    let periods = HistoryText.periods(history, from: start)
    let sum = history.sum(from: start, to: now.milliseconds)
    let since = "since \(HistoryText.moment(start))"
    if sum.availability == nil && periods.isEmpty {
      return try Output.sentence(
        hasMonitor
          ? "Nothing was recorded \(since)."
          : "No monitor was running \(since), so none saw an outage; start one with: overline monitor")
    }
    if periods.isEmpty {
      try Output.sentence("No outage \(since).")
    } else {
      for line in HistoryText.table(periods) { try Output.sentence(line) }
    }
    try Output.line("")
    let columns = WindowSize(of: 1)?.known?.columns ?? 80
    for line in ["The last 24 hours"] + chart.day(columns: columns) + ["", "The last 30 days"] + chart.month() {
      try Output.line(line)
    }
    try Output.line("")
    try Output.sentence("S\(since.dropFirst()): \(HistoryText.line(sum))")
  }
}
