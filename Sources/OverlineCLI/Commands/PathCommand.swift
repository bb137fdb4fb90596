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
      Asks the kernel; no monitor has to run. Only a running monitor can know that a router is silent: its word counts while the kernel \
      asks that router in vain. Its word counts for a tunnel too: it may have seen the link under the tunnel at work. Exits with 1 when offline.

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
      for line in Self.lines(path, basis, monitor) { try Output.sentence(line) }
    }
    return path.status == .unsatisfied ? .offline : .success
  }

  /// The explanation, then the facts behind it.
  private static func lines(_ path: NWPath, _ basis: NWPath.Basis, _ monitor: RunningMonitor?) -> [String] {
    var rows = [("status", path.statusName)]
    if let reason = path.reason { rows.append(("reason", reason.rawValue)) }
    for (index, interface) in path.availableInterfaces.enumerated() {
      rows.append(
        (index == 0 ? "interfaces" : "", "\(interface.name) (\(interface.type.rawValue), index \(interface.index))"))
    }
    if !path.gateways.isEmpty { rows.append(("gateways", path.gateways.map(\.addressText).joined(separator: ", "))) }
    let facts = basis.routers.map { gateway, entry in "\(gateway.address) \(entry?.words ?? "has not been asked yet")" }
    for (index, fact) in facts.sorted().enumerated() { rows.append((index == 0 ? "routers" : "", fact)) }
    for (index, tunnel) in basis.tunnels.enumerated() {
      rows.append((index == 0 ? "tunnels" : "", "\(tunnel.name) \(tunnel.report.words)"))
    }
    switch basis.connections {
    case .success(let look): rows.append(("connections", look.words))
    case .failure(let error): rows.append(("connections", "unknown: \(error)"))
    case nil: break
    }
    if let limitation = path.limitation { rows.append(("limited", limitation.explanation)) }
    if !basis.refusedDatagrams.isEmpty {
      let families = basis.refusedDatagrams.map { $0 == .ipv4 ? "IPv4" : "IPv6" }.joined(separator: " and ")
      rows.append(("UDP", "this machine refuses it by \(families) (QUIC cannot be used); TCP is not refused"))
    }
    rows.append(("IPv4", path.supportsIPv4 ? "yes" : "no"))
    rows.append(("IPv6", path.supportsIPv6 ? "yes" : "no"))
    rows.append(("DNS", path.supportsDNS ? "yes" : "no"))
    if path.isExpensive { rows.append(("expensive", "yes")) }
    if path.isConstrained { rows.append(("constrained", "yes")) }
    for (index, target) in path.targets.enumerated() { rows.append((index == 0 ? "targets" : "", target.explanation)) }
    if let monitor { rows.append(("monitor", monitor.words)) }
    let table = rows.map { name, value in
      "  " + name + String(repeating: " ", count: 12 - name.count) + value
    }
    return [path.explanation] + table
  }
}
