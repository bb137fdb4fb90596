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
      In tmux, in every window and in other programs with the library. History, metrics and status go on, and each format of status says \
      that Overline is paused. An alert shows nevertheless: a command waits for its answer. `overline resume` ends the pause.

      A Swift program that already shows a banner keeps it until it shows something new. Hours of each day go into [quiet] hours of the \
      configuration.
      """)

  @Argument(help: ArgumentHelp("How long: 90 (seconds), 30m, 1h or 2d.", valueName: "duration"))
  var length: String?

  @Option(help: ArgumentHelp("The end: 18:00, or \"2026-11-30 18:00\".", valueName: "time"))
  var until: String?

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if (length == nil) == (until == nil) {
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
          throw CommandError("\(quoted(length)) is not a duration; allowed are 90, 30m, 1h and 2d", status: .usage)
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
      try QuietReader(directory).write(.pause(until: time))
      if !options.quiet { try Output.sentence("Paused until \(QuietReader.words(time, at: now.milliseconds)).") }
      return .success
    }
  }
}

struct ResumeCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "End a pause, or today's hours of quiet.",
    discussion: "A banner of an outage that goes on shows at once.")

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      let directory = try RuntimeDirectory.locate()
      try directory.prepare()
      let reader = QuietReader(directory)
      let hours = try options.configuration().quiet.hours
      guard let period = reader.period(hours: hours), period.start <= BootClock.now else {
        if !options.quiet { Output.warn("nothing is paused") }
        return .success
      }
      try reader.resume()
      // Without the pause it may still be quiet by the clock: these hours end now.
      if let rest = reader.period(hours: hours), rest.start <= BootClock.now {
        try reader.resume(until: WallTime(rfc3339: rest.time)?.milliseconds ?? 0)
      }
      if !options.quiet { try Output.sentence("Resumed.") }
      return .success
    }
  }
}
