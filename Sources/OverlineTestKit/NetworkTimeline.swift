internal import NetworkPath

/// The times at which a network is online: `online 1s, offline 3s, online`.
struct NetworkTimeline: Sendable {
  /// Each state with its start; the first starts at zero.
  private(set) var states: [(start: Duration, isOnline: Bool)] = []

  init(_ text: String) {
    var start = Duration.zero
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let words = part.split(separator: " ")
      guard let state = words.first, ["online", "offline"].contains(state), words.count <= 2 else {
        preconditionFailure("a timeline is like \"online 1s, offline 3s, online\"; this is not: \(part)")
      }
      states.append((start, state == "online"))
      if words.count == 2 {
        start += Self.duration(words[1])
      } else if index < parts.count - 1 {
        preconditionFailure("all but the last state of a timeline need a duration: \(part)")
      }
    }
  }

  /// `250ms`, `1s`, `1.5s`, `2m`.
  private static func duration(_ text: Substring) -> Duration {
    let number = text.prefix { $0.isNumber || $0 == "." }
    let units: [Substring: Double] = ["ms": 0.001, "s": 1, "m": 60]
    guard let value = Double(number), let unit = units[text.dropFirst(number.count)] else {
      preconditionFailure("a duration is like 250ms, 1.5s or 2m; this is not: \(text)")
    }
    return .milliseconds(Int64((value * unit * 1000).rounded()))
  }

  func isOnline(at time: Duration) -> Bool { states.last { $0.start <= time }?.isOnline ?? true }

  static func path(isOnline: Bool) -> NWPath {
    let eth0 = NWInterface(name: "eth0", index: 2, type: .wiredEthernet)
    guard isOnline else {
      return NWPath(
        status: .unsatisfied, reason: .noCarrier,
        explanation: "offline: default via 192.0.2.1 dev eth0 has no carrier", cause: "eth0 has no carrier")
    }
    return NWPath(
      status: .satisfied, explanation: "online via eth0, wired, gateway 192.0.2.1, IPv4, DNS",
      availableInterfaces: [eth0], usedInterfaces: [eth0],
      gateways: [.hostPort(host: .ipv4(IPv4Address("192.0.2.1")!), port: .any)], supportsIPv4: true, supportsDNS: true)
  }
}
