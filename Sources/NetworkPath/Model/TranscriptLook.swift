/// A look at the TCP connections in the words of a transcript: durations in nanoseconds, routers as `ADDRESS,INTERFACE`.
///
///     connections whole count=12 heard=1500000000 counters=1,2,3 router=192.0.2.1,2,900000000 stall=0,7000000000,192.0.2.1,2
extension ConnectionLook {
  var transcriptWords: [String] {
    var words = isWhole ? ["whole"] : []
    let numbers = [("count", count), ("doubtful", doubtful), ("connecting", connecting), ("overdue", overdue)]
    for (name, number) in numbers where number > 0 { words.append("\(name)=\(number)") }
    if let heardAge { words.append("heard=\(heardAge.nanoseconds)") }
    if let counters { words.append("counters=\(counters.datagrams),\(counters.loopback),\(counters.others)") }
    for (router, age) in routers.sorted(by: { $0.key < $1.key }) {
      words.append("router=\(Self.text(router)),\(age.nanoseconds)")
    }
    for stall in stalls {
      words.append("stall=\(stall.host),\(stall.age.nanoseconds),\(Self.text(stall.router))")
    }
    return words
  }

  init?(transcriptWords words: [String]) {
    self.init(isWhole: words.first == "whole")
    for word in isWhole ? words.dropFirst() : words[...] {
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
      case ("counters", 3):
        guard numbers.count == 3 else { return nil }
        counters = DatagramCounters(datagrams: numbers[0], loopback: numbers[1], others: numbers[2])
      case ("router", 3):
        guard let router = Self.router(values[0], values[1]), let age = UInt64(values[2]) else { return nil }
        routers[router] = .nanoseconds(age)
      case ("stall", 4):
        guard let host = Int(values[0]), let age = UInt64(values[1]), let router = Self.router(values[2], values[3])
        else { return nil }
        stalls.append(Stall(host: host, age: .nanoseconds(age), router: router))
      default: return nil
      }
    }
    if min(count, doubtful, connecting, overdue) < 0 { return nil }
  }

  private static func text(_ router: Gateway) -> String { "\(router.address),\(router.interface)" }

  private static func router(_ address: Substring, _ interface: Substring) -> Gateway? {
    guard let address = AnyIPAddress(address), let interface = Int(interface) else { return nil }
    return Gateway(address, on: interface)
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }

  /// Clamps: no kernel reports a larger number.
  fileprivate static func nanoseconds(_ number: UInt64) -> Duration { .nanoseconds(Int64(clamping: number)) }
}
