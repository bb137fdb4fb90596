internal import NetworkPath

extension Transcript {
  /// The names and addresses in the recording, and its paths, one per line, to check before the file is sent.
  package var summary: [String] {
    let replay = replay()
    var nameservers: Set<Nameserver> = []
    var routers = Set(replay.paths.flatMap(\.gateways).map(\.addressText))
    var looks = 0
    var paths: [String] = []
    for moment in moments {
      if case .published(let path) = moment.event { paths.append("  \(TranscriptText.time(moment.time)) \(path)") }
      for input in moment.inputs {
        switch input {
        case .nameservers(let servers): nameservers.formUnion(servers)
        case .connections: looks += 1
        // Also a router that no path names, such as one under a tunnel.
        case .got(let datagram): routers.formUnion(MessageParser.routers(in: datagram).map(\.description))
        case .asked, .lost, .failed, .hardware, .refusal: break
        }
      }
    }
    func list(_ words: some Sequence<String>) -> String {
      let words = Set(words)
      return words.isEmpty ? "none" : words.sorted().joined(separator: ", ")
    }
    return [
      "Read this before you send the file. Of the kernel's messages it contains what decides a path:",
      "  interfaces: \(list(replay.interfaces.map(TranscriptText.word)))",
      "  addresses of this machine: \(list(replay.addresses.map(\.description)))",
      "  routers: \(list(routers))",
      "  nameservers: \(list(nameservers.map { TranscriptText.word($0.description) }))",
      "  routes of these interfaces, such as one to the server of a VPN, the other ends of tunnels, and the marks of routing rules",
      "  settings of [path]: \(list(settings))",
      "  counts from \(looks) looks at the TCP connections, without the addresses of other hosts",
      "  counts of the packets that the interfaces have received",
      "It contains no hardware addresses, no names of wireless networks, and no aliases, alternative names and labels.",
      "It contains these paths, after so many seconds:",
    ] + paths
  }

  private var settings: [String] {
    (options.ignored + options.expensive + options.constrained).map { TranscriptText.word($0.pattern) }
      + options.targets.map { "\(TranscriptText.word($0.name)) (\($0.network.address)/\($0.network.length))" }
      + options.onlineMeans.map { "\($0.address)/\($0.length)" }
  }

  /// Adds the summary to a text form, as comments after its first line. Throws if the text is no transcript.
  package static func summarized(_ text: [UInt8]) throws(TranscriptError) -> [UInt8] {
    let summary = try Transcript(parsing: text).summary
    let end = text.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.endIndex
    return text[..<end] + summary.flatMap { Array("# \($0)\n".utf8) } + text[end...]
  }
}
