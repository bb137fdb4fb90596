internal import ArgumentParser
internal import ObserverProtocol
internal import ObserverSocket
internal import POSIX

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Say what the network is, then each change, a line each.",
    discussion: "Goes on when the monitor ends, says `unknown` meanwhile, and connects again by itself.")

  @OptionGroup var output: FormatOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      do {
        try watch()
      } catch let error as SystemError where error.isBrokenPipe {
        // Whoever read us has seen enough.
      }
      return .success
    }
  }

  /// Returns only by an error.
  private func watch() throws {
    SignalSource.ignoreBrokenPipes()
    let path = try options.socketPath()
    if options.socket == nil { try RuntimeDirectory.locate().prepare() }
    try Output.text(output.format.preamble)
    var isUnknown = false
    while true {
      // A monitor lets go of a pipe that takes nothing, and can go on when it does, or when its reader has gone: then we are done.
      try waitUntilWritable(1)
      // Made before the attempt, so that a monitor that starts in between is not missed.
      let directory = try DirectoryWatch(Files.folder(of: path))
      do {
        var client = try ObserverClient(path: path)
        // The monitor writes the lines: nothing is parsed on a line's way.
        try client.follow(output.format, to: 1) { isUnknown = false }
      } catch let error as ObserverSocketError where Self.willPass.contains(error.code) {
        if error.code == .refused || error.code == .badAnswer { Output.complain("\(error)") }
        // Once, however often the monitor is missed.
        if !isUnknown { try tell(unknown: error) }
        isUnknown = true
        // One that takes nobody may do so again at any time, and no file tells when; connecting has waited for it, and does again.
        if error.code != .timeout { try directory.wait() }
      }
    }
  }

  /// A monitor that starts, or goes on, may put an end to these.
  private static let willPass: [ObserverSocketError.Code] = [.noMonitor, .refused, .timeout, .system, .badAnswer]

  private func tell(unknown error: ObserverSocketError) throws {
    let state = ObserverState.unknown(time: WallTime.now.rfc3339, explanation: "unknown: \(error)")
    try Output.write(output.format.line(state))
  }
}
