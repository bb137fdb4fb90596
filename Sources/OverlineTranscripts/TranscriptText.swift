package import NetworkPath

/// The text form of a ``Transcript``: one item per line, words with one space between them, bytes in hexadecimal.
///
///     overline-transcript 1 little-endian
///     ignored docker*                            (also: expensive, constrained, interface)
///     target office 10.20.0.0/16                 (then: any-route)
///     online-means 10.3.4.0/24                   a route there decides, in place of one to the internet
///     families ipv4                              (both, when there is no such line)
///     assume online                              no outage is reported
///     silence                                    routers that do not answer count as an outage
///     classic                                    only the claims of version 0.2 are made
///     answers                                    connections without answers are reported
///     sent                                       unsent packets are reported
///     kick                                       a router may be asked: an outage lasts until it answers
///     # the lines without a time belong to the next line with a time
///     0.000000000 deadline                       (also: opened, not-opened, clock, resolver)
///     ask 1400…                                  a netlink message to the kernel
///     got 5c00…                                  a datagram from it (also: lost, error ERRNO)
///     0.000310000 dumped
///     hardware eth0 device devtype=wlan phy80211 the data of sysfs
///     nameservers 192.0.2.53 fe80::1%25eth0
///     refused ipv4                               this machine refuses connections
///     0.000420000 evaluated
///     0.000420000 told unsatisfied no-carrier …  the published path; a replay must publish the same
///     2.000000000 read                           (also: neighbours; routers: their entries were read; answered: a silent host)
///     connections whole count=12                 a look at the TCP connections (also: connections failed)
///     3.000000000 looked                         (also: counted, the packets that tunnels have received)
///
/// Times are seconds since the first line that has one. In words, bytes that are white space, control characters, not ASCII or `%` are
/// written as `%` and two hexadecimal digits; an empty word is a single `%`.
package enum TranscriptText {
  static let name = "overline-transcript"
  static let version = "1"
  /// Netlink uses the byte order of its machine.
  static let byteOrder = 1.littleEndian == 1 ? "little-endian" : "big-endian"

  /// The first lines.
  package static func header(_ options: PathOptions) -> String {
    var text = "\(name) \(version) \(byteOrder)\n"
    for (word, globs) in [
      ("ignored", options.ignored), ("expensive", options.expensive), ("constrained", options.constrained),
    ] {
      for glob in globs { text += "\(word) \(self.word(glob.pattern))\n" }
    }
    for target in options.targets {
      text += "target \(word(target.name)) \(target.network.address)/\(target.network.length)"
      text += target.byRoute == .any ? " any-route\n" : "\n"
    }
    for network in options.onlineMeans { text += "online-means \(network.address)/\(network.length)\n" }
    if options.assumption != .nothing { text += "assume \(options.assumption.rawValue)\n" }
    if options.families != AddressFamily.allCases {
      text += (["families"] + options.families.map(word)).joined(separator: " ") + "\n"
    }
    if let interface = options.interface { text += "interface \(word(interface))\n" }
    if options.detectsSilence { text += "silence\n" }
    if options.isClassic { text += "classic\n" }
    if options.detectsNoAnswers { text += "answers\n" }
    if options.detectsNotSent { text += "sent\n" }
    if options.mayKick { text += "kick\n" }
    return text
  }

  package static func lines(_ moment: Transcript.Moment) -> String {
    var text = ""
    for input in moment.inputs { text += line(input) + "\n" }
    return text + "\(time(moment.time)) \(words(moment.event))\n"
  }

  /// What a replay must publish again: a path's decision in one line.
  package static func path(_ path: NWPath) -> String {
    var words = [path.statusName, path.reason?.rawValue ?? "-"]
    words += path.availableInterfaces.map { "\(word($0.name)):\($0.index):\($0.type.word)" }
    words += path.gateways.map { "via:\($0.addressText)" }
    let flags = [
      ("ipv4", path.supportsIPv4), ("ipv6", path.supportsIPv6), ("dns", path.supportsDNS),
      ("expensive", path.isExpensive), ("constrained", path.isConstrained),
    ]
    words += flags.filter(\.1).map(\.0)
    words += path.targets.map { target in
      "target:\(word(target.name)):\(target.statusName):\(target.reason?.rawValue ?? "-")"
        + (target.isByDefaultRoute ? ":default-route" : "")
    }
    if let noAnswers = path.noAnswers { words.append("no-answers:\(noAnswers.connections):\(noAnswers.hosts)") }
    if let notSent = path.notSent { words.append("not-sent:\(notSent.connections):\(notSent.hosts)") }
    // Escaped, so that a name in the sentence cannot send control sequences to the terminal that prints it.
    let sentence = path.explanation.split(separator: " ").map { word(String($0)) }
    return (words + ["="] + sentence).joined(separator: " ")
  }

  private static func line(_ input: WatcherInput) -> String {
    switch input {
    case .asked(let bytes): "ask \(hexadecimal(bytes))"
    case .got(let bytes): "got \(hexadecimal(bytes))"
    case .lost: "lost"
    case .failed(let errno): "error \(errno)"
    case .hardware(let interface, let hardware):
      (["hardware", word(interface)] + (hardware.hasDevice ? ["device"] : [])
        + (hardware.hasWirelessPhy ? ["phy80211"] : [])
        + (hardware.deviceType.map { ["devtype=\(word($0))"] } ?? [])).joined(separator: " ")
    case .nameservers(let servers): (["nameservers"] + servers.map { word($0.description) }).joined(separator: " ")
    case .refusal(let family): "refused \(word(family))"
    case .connections(let look): (["connections"] + (look?.transcriptWords ?? ["failed"])).joined(separator: " ")
    }
  }

  private static func words(_ event: Transcript.Event) -> String {
    switch event {
    case .watcher(let event): word(event)
    case .published(let path): "told \(path)"
    }
  }

  private static func word(_ event: WatcherEvent) -> String {
    switch event {
    case .deadlinePassed: "deadline"
    case .readable: "read"
    case .clockStepped: "clock"
    case .resolverChanged: "resolver"
    case .opened(let isOpen): isOpen ? "opened" : "not-opened"
    case .dumped: "dumped"
    case .evaluated: "evaluated"
    case .neighboursReadable: "neighbours"
    case .routersRead: "routers"
    case .connectionsLooked: "looked"
    case .packetsCounted: "counted"
    case .hostAnswered: "answered"
    }
  }

  static func time(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let digits = String(attoseconds / 1_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: 9 - digits.count) + digits
  }

  private static let digits = Array("0123456789abcdef".utf8)

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func word(_ family: AddressFamily) -> String { family == .ipv4 ? "ipv4" : "ipv6" }

  static func word(_ text: String) -> String {
    if text.isEmpty { return "%" }
    var word: [UInt8] = []
    for byte in text.utf8 {
      if byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "%") {
        word.append(byte)
      } else {
        word += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: word, as: UTF8.self)
  }
}
