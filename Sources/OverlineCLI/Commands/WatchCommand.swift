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
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    var teller = Teller(format: output.format)
    while true {
      // Made before the attempt, so that a monitor that starts in between is not missed.
      let directory = try DirectoryWatch(folder.isEmpty ? "." : folder)
      do {
        try follow(path, &teller)
      } catch let error as ObserverSocketError where [.noMonitor, .refused, .system, .badAnswer].contains(error.code) {
        if error.code == .refused || error.code == .badAnswer { Output.complain("\(error)") }
        try teller.tell(unknown: error)
        try directory.wait()
      }
    }
  }

  /// Tells each state until the monitor ends.
  private func follow(_ path: String, _ teller: inout Teller) throws {
    var client = try ObserverClient(path: path)
    while let line = try client.nextLine() { try teller.tell(line) }
  }
}

/// Writes states as lines, in one format.
private struct Teller {
  let format: ObserverFormat
  private var last: String?
  private var isUnknown = false

  init(format: ObserverFormat) { self.format = format }

  mutating func tell(_ line: [UInt8]) throws {
    isUnknown = false
    // A line of the protocol is JSON already.
    if format == .json { return try Output.line(String(decoding: line, as: UTF8.self)) }
    try tell(ObserverState(jsonLine: line))
  }

  /// Once, however often the monitor is missed.
  mutating func tell(unknown error: ObserverSocketError) throws {
    if !isUnknown { try tell(ObserverState.unknown(time: WallTime.now.rfc3339, explanation: "unknown: \(error)")) }
    isUnknown = true
  }

  private mutating func tell(_ state: ObserverState) throws {
    let text = format.string(state)
    // What a format does not tell, such as a phase, is no change to it.
    if text != last { try Output.line(text) }
    last = text
  }
}
