internal import ArgumentParser
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem

struct WatchCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print the network's state, then a line for each change.",
    discussion: """
      Keeps running when the monitor ends or hangs: prints `unknown`, and the state as soon as a monitor answers. It notices within 35 \
      seconds that a monitor hangs, unless the state is online. The state is offline as soon as the kernel has no route; the words of bars \
      and of --format plain come with the banner, after the grace delay.
      """)

  @OptionGroup var output: FormatOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      do {
        try watch()
      } catch let error as SystemError where error.isBrokenPipe {
        // The reader has closed the pipe.
      }
      return .success
    }
  }

  /// Returns only with an error.
  private func watch() throws {
    SignalSource.ignoreBrokenPipes()
    Processor.requestShortSlices()
    let path = try options.socketPath()
    if options.socket == nil { try RuntimeDirectory.locate().prepare() }
    try Output.text(output.format.preamble)
    let measured = output.quality ? try measuredQuality() : nil
    var isUnknown = false
    var hasWarned = false
    var warning: String?
    while true {
      // Watch before the attempt to connect, so that a monitor that starts in between is not missed.
      let socket = Result { () throws(SystemError) in try SocketWatch(path) }
      if case .failure(let error) = socket, !hasWarned {
        hasWarned = true
        Output.warn(
          "\(error); \(SystemError.remedyForFileWatches); looking for a monitor every 5 seconds meanwhile")
      }
      do {
        var client = try ObserverClient(path: path)
        // The monitor formats the lines, so this process only copies them. The monitor must not write into this pipe itself to save the
        // process: a program that splices from a pipe (pv) holds the pipe's lock while its terminal is stopped, and a writer waits for that
        // lock uninterruptibly, even if it is non-blocking or killed.
        // After one time-out wait for its continuation without a limit.
        try client.follow(output.asked, isPatient: isUnknown, handingOnTo: 1) { lines in
          isUnknown = false
          try output.write(lines, measured)
        }
      } catch let error as ObserverSocketError where Self.willPass.contains(error.code) {
        if error.code == .refused || error.code == .badAnswer, error.message != warning { Output.warn("\(error)") }
        warning = error.message
        // Report this once, however often connecting fails.
        if !isUnknown { try tell(unknown: error, measured) }
        isUnknown = true
        // A monitor that accepts no client now may accept one at any time, and no file event shows when. Connecting has waited for that,
        // and waits again.
        if error.code == .timeout { continue }
        if case .success(let socket) = socket {
          // No event of the file reports the end of a want of descriptors, or of too many clients.
          let isPassing = error.code == .system || error.code == .refused
          try socket.files.wait(handingOnTo: 1, timeout: isPassing ? .seconds(30) : nil)
        } else {
          try waitUntilReadable(-1, handingOnTo: 1, timeout: .seconds(5))
        }
      }
    }
  }

  /// Reports a new socket at the monitor's path, even if the socket's folder is still missing, as between two logins.
  private final class SocketWatch {
    let files: FileWatch

    init(_ path: String) throws(SystemError) {
      var files = try FileWatch()
      try files.watch([path])
      self.files = files
    }
  }

  /// Errors that end when a monitor starts or continues.
  private static let willPass: [ObserverSocketError.Code] = [.noMonitor, .refused, .timeout, .system, .badAnswer]

  private func measuredQuality() throws -> MeasuredQuality {
    MeasuredQuality(try options.configuration().path) { [format = output.format, icon = output.icon] state in
      format.line(state, icon: icon)
    }
  }

  private func tell(unknown error: ObserverSocketError, _ measured: MeasuredQuality?) throws {
    let state = ObserverState.unknown(time: WallTime.now.rfc3339, explanation: "unknown: \(error)")
    try output.write(state, measured)
  }
}
