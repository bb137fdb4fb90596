internal import ArgumentParser
internal import NetworkPath
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

struct QualityCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "quality",
    abstract: "Print how good the connection is: slow, or lossy.",
    discussion: """
      Sends nothing, and needs no monitor: the kernel knows the round trips of your machine's TCP connections, and how much of their data \
      is sent again. The answer takes 3 seconds, or up to 30 if data is being lost or the first looks disagree. Use the slow program \
      meanwhile: a connection without traffic tells nothing. Programs that use only UDP do not show.

      "poor" is a round trip of 1 second or longer, or 10 % of the data sent again; "moderate" is 0.3 seconds, or 3 %. A program behind the \
      semicolon is worse than the connection itself: its server is far, or the way to it is bad.

      Exits with 1 when offline.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @Option(help: ArgumentHelp("The output format.", valueName: "format"))
  var format = Format.text

  @Flag(help: "The same as --format json.")
  var json = false

  @Flag(help: "Look every 5 seconds until Ctrl-C, and print a line each time.")
  var watch = false

  @OptionGroup var options: CommonOptions

  mutating func validate() throws { if json { format = .json } }

  func run() throws {
    try finish {
      SignalSource.ignoreBrokenPipes()
      let watch = try NWPath.QualityWatch(options: options.configuration().path)
      do {
        return self.watch ? try follow(watch) : try ask(watch)
      } catch let error as SystemError where error.isBrokenPipe {
        return .success
      }
    }
  }

  private func ask(_ watch: borrowing NWPath.QualityWatch) throws -> ExitStatus {
    var inquiry = QualityInquiry()
    var programs = SocketHolders()
    while true {
      let (path, look) = try watch.look()
      guard let look else { return try sayOffline(path) }
      guard let pause = inquiry.take(look, names: programs.names(of: look), at: BootClock.now) else { break }
      try waitUntilReadable(-1, handingOnTo: 1, timeout: pause)
    }
    try say(inquiry.answer, isTable: true)
    return .success
  }

  /// Returns only with an error.
  private func follow(_ watch: borrowing NWPath.QualityWatch) throws -> ExitStatus {
    var meter = QualityMeter()
    var programs = ProgramQualities()
    var holders = SocketHolders()
    var hasLooked = false
    while true {
      let (path, look) = try watch.look()
      if let look {
        meter.take(look, at: BootClock.now)
        programs.take(look, names: holders.names(of: look), at: BootClock.now)
        // The first look has nothing to compare with.
        if hasLooked { try say(QualityAnswer(meter.agreed, programs), isTable: false) }
        hasLooked = true
      } else {
        (meter, programs) = (QualityMeter(), ProgramQualities())
        _ = try sayOffline(path)
      }
      try waitUntilReadable(-1, handingOnTo: 1, timeout: QualityMachine.interval)
    }
  }

  private func say(_ answer: QualityAnswer, isTable: Bool) throws {
    switch format {
    case .json: try Output.line(answer.json)
    case .text: for line in isTable ? answer.lines : [answer.sentence] { try Output.sentence(line) }
    }
  }

  private func sayOffline(_ path: NWPath) throws -> ExitStatus {
    try say(QualityAnswer(without: path), isTable: false)
    return path.status == .unsatisfied ? .offline : .success
  }
}

/// The user's programs by the inodes of their sockets. Reading `/proc` costs more than a look, so it is read for new sockets only.
private struct SocketHolders {
  private var known: [UInt32: String] = [:]

  mutating func names(of look: QualityLook) -> [UInt32: String] {
    let wanted = Set(look.samples.map(\.inode))
    if !wanted.isSubset(of: known.keys) {
      // Without the right to look at a process its sockets have no name, and are not looked for again.
      for inode in wanted where known[inode] == nil { known[inode] = "" }
      // The process that has opened a socket before those to which it has passed it.
      for pid in ProcessStatus.all.sorted() {
        let held = ProcessStatus.sockets(of: pid).filter { wanted.contains($0) && known[$0]?.isEmpty == true }
        guard !held.isEmpty, let name = ProcessStatus(of: pid)?.name else { continue }
        for inode in held { known[inode] = name }
      }
    }
    known = known.filter { wanted.contains($0.key) }
    return known.filter { !$0.value.isEmpty }
  }
}
