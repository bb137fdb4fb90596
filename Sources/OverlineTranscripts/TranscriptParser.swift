internal import NetworkPath

extension Transcript {
  /// Reads the text form. The text is not trusted: any input gives a transcript or an error.
  package init(parsing text: some Collection<UInt8>) throws(TranscriptError) {
    var parser = TranscriptParser()
    var line: [UInt8] = []
    for byte in text {
      if byte != UInt8(ascii: "\n") {
        line.append(byte)
        continue
      }
      try parser.take(line)
      line.removeAll(keepingCapacity: true)
    }
    if !line.isEmpty { throw parser.error("is cut short: it has no end", line: parser.line + 1) }
    self = try parser.end()
  }
}

/// Reads a transcript line by line.
private struct TranscriptParser {
  private(set) var line = 0
  private var transcript = Transcript()
  private var hasHeader = false
  private var inputs: [WatcherInput] = []
  private var time = Duration.zero

  private typealias Word = ArraySlice<UInt8>

  mutating func take(_ bytes: [UInt8]) throws(TranscriptError) {
    line += 1
    let words = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let first = Self.text(words[0])
    guard hasHeader else { return try takeHeader(words) }
    guard !bytes.isEmpty, bytes[0] != UInt8(ascii: "#") else { return }
    if bytes[0] >= UInt8(ascii: "0"), bytes[0] <= UInt8(ascii: "9") { return try takeMoment(words) }
    switch first {
    case "ignored": transcript.options.ignored.append(try glob(words))
    case "expensive": transcript.options.expensive.append(try glob(words))
    case "constrained": transcript.options.constrained.append(try glob(words))
    case "target": transcript.options.targets.append(try target(words))
    case "online-means":
      guard words.count == 2, let network = try? PathTarget(Self.text(words[1])).network else {
        throw error("\"online-means\" takes a network")
      }
      transcript.options.onlineMeans.append(network)
    case "assume":
      guard words.count == 2, let assumption = PathOptions.Assumption(rawValue: Self.text(words[1])) else {
        throw error("\"assume\" takes a word")
      }
      transcript.options.assumption = assumption
    case "families": transcript.options.families = try families(words)
    case "interface":
      guard words.count == 2, let name = Self.word(words[1]) else { throw error("\"interface\" takes a name") }
      transcript.options.interface = name
    case "answers": transcript.options.detectsNoAnswers = true
    case "sent": transcript.options.detectsNotSent = true
    case "kick": transcript.options.mayKick = true
    case "silence": transcript.options.detectsSilence = true
    case "classic": transcript.options.isClassic = true
    case "ask": inputs.append(.asked(try bytesOfMessage(words)))
    case "got": inputs.append(.got(try bytesOfMessage(words)))
    case "lost": inputs.append(.lost)
    case "error":
      guard words.count == 2, let errno = Int32(Self.text(words[1])), errno > 0 else {
        throw error("\"error\" takes an errno")
      }
      inputs.append(.failed(errno: errno))
    case "hardware": inputs.append(try hardware(words))
    case "nameservers":
      var servers: [Nameserver] = []
      for word in words.dropFirst() {
        guard let server = Self.word(word).flatMap({ Nameserver($0) }) else {
          throw error("\"nameservers\" takes addresses")
        }
        servers.append(server)
      }
      inputs.append(.nameservers(servers))
    case "refused":
      guard words.count == 2, let family = Self.family(words[1]) else { throw error("\"refused\" takes ipv4 or ipv6") }
      inputs.append(.refusal(family))
    case "connections": inputs.append(.connections(try look(words)))
    default: throw error("begins with an unknown word")
    }
  }

  func end() throws(TranscriptError) -> Transcript {
    guard hasHeader else { throw error("is empty", line: 1) }
    guard inputs.isEmpty else { throw error("the last lines belong to an event that is missing") }
    return transcript
  }

  func error(_ message: String, line: Int? = nil) -> TranscriptError {
    TranscriptError(line: line ?? self.line, message: message)
  }

  private mutating func takeHeader(_ words: [Word]) throws(TranscriptError) {
    guard words.count == 3, Self.text(words[0]) == TranscriptText.name else {
      throw error("is not the beginning of a transcript (\(TranscriptText.name) \(TranscriptText.version) …)")
    }
    guard Self.text(words[1]) == TranscriptText.version else {
      throw error("has an unknown version; this program reads version \(TranscriptText.version)")
    }
    guard Self.text(words[2]) == TranscriptText.byteOrder else {
      throw error("is from a machine with another byte order; this one is \(TranscriptText.byteOrder)")
    }
    hasHeader = true
    // Older recordings do not have the routers' entries.
    transcript.options.detectsSilence = false
    transcript.options.detectsNoAnswers = false
    transcript.options.detectsNotSent = false
    // In older recordings no outage waits for its router.
    transcript.options.mayKick = false
  }

  private mutating func takeMoment(_ words: [Word]) throws(TranscriptError) {
    guard let time = Self.time(words[0]) else { throw error("must begin with a time in seconds, such as 1.000000000") }
    if time < self.time { throw error("is earlier than the line before") }
    self.time = time
    guard words.count > 1 else { throw error("has a time but no event") }
    let event: Transcript.Event
    switch Self.text(words[1]) {
    case "deadline": event = .watcher(.deadlinePassed)
    case "read": event = .watcher(.readable)
    case "clock": event = .watcher(.clockStepped)
    case "resolver": event = .watcher(.resolverChanged)
    case "opened": event = .watcher(.opened(true))
    case "not-opened": event = .watcher(.opened(false))
    case "dumped": event = .watcher(.dumped)
    case "evaluated": event = .watcher(.evaluated)
    case "neighbours": event = .watcher(.neighboursReadable)
    case "routers": event = .watcher(.routersRead)
    case "looked": event = .watcher(.connectionsLooked)
    case "counted": event = .watcher(.packetsCounted)
    case "answered": event = .watcher(.hostAnswered)
    case "told": event = .published(words.dropFirst(2).map(Self.text).joined(separator: " "))
    default: throw error("has an unknown event after its time")
    }
    transcript.moments.append(Transcript.Moment(time: time, event: event, inputs: inputs))
    inputs = []
  }

  private func glob(_ words: [Word]) throws(TranscriptError) -> InterfaceGlob {
    guard words.count == 2, let pattern = Self.word(words[1]), let glob = try? InterfaceGlob(pattern) else {
      throw error("\"\(Self.text(words[0]))\" takes a pattern for interface names")
    }
    return glob
  }

  private func target(_ words: [Word]) throws(TranscriptError) -> PathTarget {
    guard words.count == 3 || words.count == 4 && Self.text(words[3]) == "any-route" else {
      throw error("\"target\" takes a name, a network, and any-route if any route will do")
    }
    let route = words.count == 4 ? PathTarget.Route.any : .own
    let name = Self.text(words[1])
    let network = Self.text(words[2])
    // A target without a given name is named after its network.
    if let target = try? PathTarget(network, byRoute: route), target.name == name { return target }
    guard let target = try? PathTarget(name: name, network: network, byRoute: route) else {
      throw error("\"target\" takes a name and a network")
    }
    return target
  }

  private func families(_ words: [Word]) throws(TranscriptError) -> [AddressFamily] {
    var families: [AddressFamily] = []
    for word in words.dropFirst() {
      guard let family = Self.family(word) else { throw error("\"families\" takes ipv4 and ipv6") }
      families.append(family)
    }
    return families
  }

  private static func family(_ word: Word) -> AddressFamily? {
    AddressFamily.allCases.first { TranscriptText.word($0) == text(word) }
  }

  private func bytesOfMessage(_ words: [Word]) throws(TranscriptError) -> [UInt8] {
    guard words.count == 2, let bytes = Self.bytes(words[1]), !bytes.isEmpty else {
      throw error("\"\(Self.text(words[0]))\" takes bytes in hexadecimal, two digits each")
    }
    return bytes
  }

  private func hardware(_ words: [Word]) throws(TranscriptError) -> WatcherInput {
    guard words.count > 1, let name = Self.word(words[1]) else { throw error("\"hardware\" takes a name") }
    var hardware = InterfaceHardware()
    for word in words.dropFirst(2) {
      let text = Self.text(word)
      if text == "device" {
        hardware.hasDevice = true
      } else if text == "phy80211" {
        hardware.hasWirelessPhy = true
      } else if text.hasPrefix("devtype="), let type = Self.word(word.dropFirst(8)) {
        hardware.deviceType = type
      } else {
        throw error("\"hardware\" takes device, phy80211 and devtype=TYPE")
      }
    }
    return .hardware(name, hardware)
  }

  private func look(_ words: [Word]) throws(TranscriptError) -> ConnectionLook? {
    let words = words.dropFirst().map(Self.text)
    if words == ["failed"] { return nil }
    guard let look = ConnectionLook(transcriptWords: words) else {
      throw error("\"connections\" takes failed, or numbers")
    }
    return look
  }

  // MARK: Words

  private static func text(_ word: Word) -> String { String(decoding: word, as: UTF8.self) }

  private static func time(_ word: Word) -> Duration? {
    let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    // Ten digits of seconds are three centuries.
    guard parts.count == 2, 1...10 ~= parts[0].count, parts[1].count == 9 else { return nil }
    guard let seconds = UInt64(text(parts[0])), let nanoseconds = UInt64(text(parts[1])) else { return nil }
    return .seconds(seconds) + .nanoseconds(nanoseconds)
  }

  /// The bytes of pairs of hexadecimal digits.
  private static func bytes(_ word: Word) -> [UInt8]? {
    guard word.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(word.count / 2)
    var index = word.startIndex
    while index < word.endIndex {
      guard let high = digit(word[index]), let low = digit(word[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
      index += 2
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// A word as ``TranscriptText/word(_:)`` writes it.
  private static func word(_ word: Word) -> String? {
    if word.elementsEqual("%".utf8) { return "" }
    var bytes: [UInt8] = []
    var rest = word
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
