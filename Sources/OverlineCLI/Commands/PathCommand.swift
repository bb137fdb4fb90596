internal import ArgumentParser
internal import NetworkPath
internal import Overline
internal import OverlineCore
internal import OverlineSystem

struct PathCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print the kernel's route to the internet, and why.",
    discussion: """
      Asks the kernel; no monitor has to run. A running monitor has watched for longer, so it is asked too whether a router is silent or a \
      tunnel dead. Exits with 1 when offline.

      If your network has no internet and should not count as offline, name its networks: online-means in [path] of the configuration.

      With --record it keeps running until Ctrl-C, prints each new path, and records the kernel's messages in a new file. When overline \
      is wrong about your network, record it and attach the file to your report: it replays exactly. The file is text. It contains \
      the names, IP addresses and routes of your interfaces, your routers and your nameservers, and nothing that you send or receive. Its \
      first lines list them.
      """)

  @Flag(help: "Print one JSON object, as status and watch do.")
  var json = false

  @Option(
    help: ArgumentHelp("Keep running, and record the kernel's messages in a new file.", valueName: "file"),
    completion: .file())
  var record: String?

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      let pathOptions = try options.configuration().path
      guard let record else {
        let monitor = RunningMonitor(options)
        let (path, basis) = try NWPath.currentWithBasis(options: pathOptions, word: monitor?.word(pathOptions))
        return try say(path, basis, monitor)
      }
      let say = say
      return try PathRecording.run(file: record, options: pathOptions, isQuiet: options.quiet) {
        try say($0, NWPath.Basis(), nil)
      }
    }
  }

  private func say(_ path: NWPath, _ basis: NWPath.Basis, _ monitor: RunningMonitor?) throws -> ExitStatus {
    if json {
      try Output.line(ObserverState.straight(from: path).json)
    } else if !options.quiet {
      for line in Self.lines(path, basis, monitor, try options.configuration().path) { try Output.sentence(line) }
    }
    return path.status == .unsatisfied ? .offline : .success
  }

  /// The explanation, then the facts behind it.
  private static func lines(
    _ path: NWPath, _ basis: NWPath.Basis, _ monitor: RunningMonitor?, _ options: PathOptions
  ) -> [String] {
    var facts = PathFacts()
    facts.add("status", path.statusName)
    facts.add("reason", path.reason?.rawValue)
    facts.add("interfaces", path.availableInterfaces.map { "\($0.name) (\($0.type.word), index \($0.index))" })
    facts.add("gateways", path.gateways.isEmpty ? nil : path.gateways.map(\.addressText).joined(separator: ", "))
    facts.addVPNs(path.tunnels.map(\.explanation))
    facts.add("tunnels", basis.tunnels.filter(\.report.isDoubtful).map { "\($0.name) \($0.report.words)" })
    facts.addAnswers(basis, silent: monitor?.silentRouters(options) ?? [:])
    facts.add("limited", path.limitation?.explanation)
    if !basis.refusedDatagrams.isEmpty {
      let families = basis.refusedDatagrams.map { $0 == .ipv4 ? "IPv4" : "IPv6" }.joined(separator: " and ")
      facts.add("UDP", "this machine refuses it by \(families) (QUIC cannot be used); TCP is not refused")
    }
    facts.add("IPv4", path.supportsIPv4 ? "yes" : "no")
    facts.add("IPv6", path.supportsIPv6 ? "yes" : "no")
    facts.add("DNS", path.supportsDNS ? "yes" : "no")
    facts.add("expensive", path.isExpensive ? "yes" : nil)
    facts.add("constrained", path.isConstrained ? "yes" : nil)
    facts.add("targets", path.targets.map(\.explanation))
    facts.add("online if", options.onlineMeans.isEmpty ? nil : "a route to \(options.onlineNames)")
    facts.add("monitor", monitor?.words)
    return [path.explanation] + facts.lines
  }
}
