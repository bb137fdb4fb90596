extension Transcript {
  /// The names and addresses in the recording, and its paths, one per line, to check before the file is sent.
  package var summary: [String] {
    let replay = replay()
    var nameservers: Set<AnyIPAddress> = []
    var looks = 0
    var paths: [String] = []
    for moment in moments {
      if case .published(let path) = moment.event { paths.append("  \(TranscriptText.time(moment.time)) \(path)") }
      for input in moment.inputs {
        switch input {
        case .nameservers(let addresses): nameservers.formUnion(addresses)
        case .connections: looks += 1
        case .asked, .got, .lost, .failed, .hardware: break
        }
      }
    }
    func list(_ words: some Sequence<String>) -> String {
      let words = Set(words)
      return words.isEmpty ? "none" : words.sorted().joined(separator: ", ")
    }
    return [
      "Read this before you send the file. It contains the kernel's messages with",
      "  interfaces: \(list(replay.interfaces.map(TranscriptText.word)))",
      "  addresses of this machine: \(list(replay.addresses.map(\.description)))",
      "  routers: \(list(replay.paths.flatMap(\.gateways).map(\.addressText)))",
      "  nameservers: \(list(nameservers.map(\.description)))",
      "  hardware addresses of these interfaces and routers",
      "  routes of these interfaces, such as one to the server of a VPN, and the other ends of tunnels",
      "  counts from \(looks) looks at the TCP connections, without the addresses of other hosts",
      "and these paths, after so many seconds:",
    ] + paths
  }

  /// Adds the summary to a text form, as comments after its first line. Throws if the text is no transcript.
  package static func summarized(_ text: [UInt8]) throws(TranscriptError) -> [UInt8] {
    let summary = try Transcript(parsing: text).summary
    let end = text.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.endIndex
    return text[..<end] + summary.flatMap { Array("# \($0)\n".utf8) } + text[end...]
  }
}
