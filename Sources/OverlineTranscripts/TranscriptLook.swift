internal import NetworkPath

/// A look at the TCP connections in the words of a transcript: durations in nanoseconds, routers as `ADDRESS,INTERFACE`.
///
///     connections whole count=12 heard=1500000000 counters=1,2,3,4,5 router=192.0.2.1,2,900000000 stall=0,7000000000,192.0.2.1,2
///     connections whole count=2 unsent=0,7000000000,900000000 left=8000000000 sent=22,0,0
///
/// Until 0.2 each whole look was thorough, and had three counters: datagrams, packets by loopback, and packets that were no datagrams.
extension ConnectionLook {
  var transcriptWords: [String] {
    var words =
      switch depth {
      case .followed: [String]()
      case .whole: ["whole"]
      case .thorough: ["thorough"]
      }
    if mayHearDatagrams { words.append("datagrams") }
    let numbers = [("count", count), ("doubtful", doubtful), ("connecting", connecting), ("overdue", overdue)]
    for (name, number) in numbers where number > 0 { words.append("\(name)=\(number)") }
    if let heardAge { words.append("heard=\(heardAge.nanoseconds)") }
    if let halfClosedAge { words.append("half-closed=\(halfClosedAge.nanoseconds)") }
    for (name, counters) in [("counters", counters), ("baseline", baseline)] {
      guard let counters else { continue }
      let numbers = [counters.ipv4, counters.ipv6, counters.loopback, counters.segments, counters.explained]
      words.append("\(name)=\(numbers.map(String.init).joined(separator: ","))")
    }
    if cost > .zero { words.append("cost=\(cost.nanoseconds)") }
    for (router, age) in routers.sorted(by: { $0.key < $1.key }) {
      words.append("router=\(Self.text(router)),\(age.nanoseconds)")
    }
    for stall in stalls {
      words.append("stall=\(stall.host),\(stall.age.nanoseconds),\(Self.text(stall.router))")
    }
    return words + sending.transcriptWords
  }

  init?(transcriptWords words: [String]) {
    switch words.first {
    case "whole": self.init(.whole)
    case "thorough": self.init(.thorough)
    default: self.init(.followed)
    }
    for word in isWhole ? words.dropFirst() : words[...] {
      if word == "datagrams" {
        mayHearDatagrams = true
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      let values = parts[1].split(separator: ",", omittingEmptySubsequences: false)
      let numbers = values.compactMap { UInt64($0) }
      switch (parts[0], values.count) {
      case ("count", 1): count = numbers.first.map(Int.init(clamping:)) ?? -1
      case ("doubtful", 1): doubtful = numbers.first.map(Int.init(clamping:)) ?? -1
      case ("connecting", 1): connecting = numbers.first.map(Int.init(clamping:)) ?? -1
      case ("overdue", 1): overdue = numbers.first.map(Int.init(clamping:)) ?? -1
      case ("heard", 1):
        guard let number = numbers.first else { return nil }
        heardAge = .nanoseconds(number)
      case ("half-closed", 1):
        guard let number = numbers.first else { return nil }
        halfClosedAge = .nanoseconds(number)
      case ("counters", 3):
        guard let old = Self.counters(values) else { return nil }
        counters = DatagramCounters(ipv4: old[0], loopback: old[1] - old[2])
        if isWhole { (depth, mayHearDatagrams) = (.thorough, true) }
      case ("counters", 5), ("baseline", 5):
        guard let new = Self.counters(values) else { return nil }
        let read = DatagramCounters(
          ipv4: new[0], ipv6: new[1], loopback: new[2], segments: new[3], explained: new[4])
        if parts[0] == "counters" { counters = read } else { baseline = read }
      case ("cost", 1):
        guard let number = numbers.first else { return nil }
        cost = .nanoseconds(number)
      case ("router", 3):
        guard let router = Self.router(values[0], values[1]), let age = UInt64(values[2]) else { return nil }
        routers[router] = .nanoseconds(age)
      case ("stall", 4):
        guard let host = Int(values[0]), let age = UInt64(values[1]), let router = Self.router(values[2], values[3])
        else { return nil }
        stalls.append(Stall(host: host, age: .nanoseconds(age), router: router))
      default:
        guard sending.take(parts[0], values) else { return nil }
      }
    }
    if min(count, doubtful, connecting, overdue) < 0 { return nil }
  }

  /// Nil unless each is a number that can be subtracted from another.
  private static func counters(_ values: [Substring]) -> [Int64]? {
    let numbers = values.compactMap { Int64($0) }
    return numbers.count == values.count && numbers.allSatisfy { $0.magnitude < 1 << 62 } ? numbers : nil
  }

  private static func text(_ router: Gateway) -> String { "\(router.address),\(router.interface)" }

  private static func router(_ address: Substring, _ interface: Substring) -> Gateway? {
    guard let address = AnyIPAddress(address), let interface = Int(interface) else { return nil }
    return Gateway(address, on: interface)
  }
}

extension Duration {
  var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }

  /// Clamps: no kernel reports a larger number.
  static func nanoseconds(_ number: UInt64) -> Duration { .nanoseconds(Int64(clamping: number)) }
}
