internal import ArgumentParser
internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem

struct PauseCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Be quiet for a while: no banner and no toast.",
    discussion: """
      This holds in tmux, in every window and in other programs with the library. History, metrics and status go on, and each format of \
      status says that Overline is paused. An alert shows nevertheless: a command waits for its answer. `overline resume` ends the pause, \
      and a later pause replaces it.

      A Swift program that already shows a banner keeps it until it shows something new. For a time of every day, set hours in \
      [quiet] of the configuration: the monitor follows them.
      """)

  @Argument(help: ArgumentHelp("How long: 90 (seconds), 30m, 1h or 2d.", valueName: "duration"))
  var length: String?

  @Option(help: ArgumentHelp("The end: 18:00, or \"2026-11-30 18:00\".", valueName: "time"))
  var until: String?

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if length != nil, until != nil { throw ValidationError("say either a duration or --until") }
    if length == nil, until == nil {
      throw ValidationError("say for how long: overline pause 1h, or --until 18:00")
    }
  }

  func run() throws {
    try finish {
      let now = WallTime.now
      let end: WallTime?
      if let length {
        end = Since.length(length).map { WallTime(milliseconds: now.milliseconds + $0) }
        if end == nil {
          throw CommandError(
            "\(quoted(length)) is not a duration; allowed are 90, 30m, 1.5h and 2d, and --until 18:00 for a time",
            status: .usage)
        }
      } else {
        end = Since.parse(next: until ?? "", now: now)
        if end == nil {
          throw CommandError(
            "--until: \(quoted(until ?? "")) is not a time to come; allowed are 18:00, 2026-11-30 and \"2026-11-30 18:00\"",
            status: .usage)
        }
      }
      let directory = try RuntimeDirectory.locate()
      try directory.prepare()
      let time = (end ?? now).milliseconds
      let reader = QuietReader(directory)
      try reader.pause(until: time)
      if let monitor = RunningMonitor(options), monitor.isOlderThanPauses {
        Output.warn(
          "the running monitor is of an earlier version and does not pause; start it again, and open new windows")
      }
      if options.quiet { return .success }
      let words = QuietReader.words(time, at: now.milliseconds)
      // A pause that ends in the hours of the configuration is followed by them.
      let whole = try options.period(reader)?.words ?? words
      try Output.sentence(
        whole == words ? "Paused until \(words)." : "Paused until \(words), and by [quiet] hours until \(whole).")
      return .success
    }
  }
}

struct ResumeCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "End a pause; without one, the hours of [quiet] until they begin again.",
    discussion: "A banner of an outage that goes on shows at once.")

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      let directory = try RuntimeDirectory.locate()
      try directory.prepare()
      let reader = QuietReader(directory)
      guard let period = try options.period(reader), period.start <= BootClock.now else {
        if !options.quiet { Output.warn("nothing is paused") }
        return .success
      }
      let wasPaused = reader.isPaused
      if wasPaused { try reader.endPause() }
      // Without the pause it may still be quiet by the clock.
      guard let rest = try options.period(reader), rest.start <= BootClock.now else {
        if !options.quiet { try Output.sentence("Resumed.") }
        return .success
      }
      if !wasPaused { try reader.endHours(until: WallTime(rfc3339: rest.time)?.milliseconds ?? 0) }
      if !options.quiet {
        try Output.sentence(
          wasPaused
            ? "The pause has ended. By [quiet] hours it stays quiet until \(rest.words); overline resume ends that too."
            : "Resumed, until the hours of [quiet] begin again.")
      }
      return .success
    }
  }
}

extension CommonOptions {
  /// The current time of quiet, or the next one. Without a monitor nothing follows the hours of [quiet], and a monitor that was killed has
  /// left in the file what windows still obey.
  fileprivate func period(_ reader: QuietReader) throws -> QuietPeriod? {
    guard RunningMonitor(self)?.exists == true else { return reader.period() }
    return reader.period(hours: try configuration().quiet.hours)
  }
}
