@testable import NetworkPath
import OverlineTestSupport

/// The bytes are the messages that a monitor receives: those about links and addresses fill its tables, the others answer
/// its requests about routes.
enum NetlinkTarget {
  /// More than the largest datagram of the kernel's.
  static let capacity = 64 * 1024

  static func run(_ bytes: [UInt8]) {
    let memory = GuardedMemory(capacity: capacity)
    var events: [KernelEvent] = []
    var answers: [Answer] = []
    memory.holding(bytes.prefix(capacity)) { datagram in
      MessageParser.forEach(in: datagram) { message in
        if let event = MessageParser.event(message) { events.append(event) }
        if let route = MessageParser.route(message) { answers.append(.route(route)) }
        if let nexthop = MessageParser.nexthop(message) { answers.append(.nexthop(nexthop)) }
        if let mark = MessageParser.mark(message) { answers.append(.mark(mark)) }
        if let error = MessageParser.error(message) { answers.append(.error(error.code)) }
        if let connection = MessageParser.connection(message) { check(connection) }
        _ = MessageParser.unixPeer(message)
      }
    }
    var tables = NetworkTables()
    for event in events { tables.apply(event) }
    let path = path(tables, answers)
    // A satisfied path has an IP version and an interface, any other a reason.
    let isSatisfied = path.status == .satisfied && path.isKnown
    precondition(isSatisfied == (path.supportsIPv4 || path.supportsIPv6))
    precondition(!isSatisfied || !path.availableInterfaces.isEmpty)
    precondition(isSatisfied || path.reason != nil)
    precondition(!path.explanation.isEmpty)
    // Messages that are repeated exactly are no news.
    var again = tables
    for event in events { again.apply(event) }
    precondition(again == tables)
    precondition(self.path(again, answers) == path)
  }

  /// Only a stalled connection has an age, which is never negative.
  private static func check(_ connection: TCPConnection) {
    precondition(connection.stallAge ?? .zero >= .zero)
    precondition(connection.stallAge == nil || connection.isStalled)
    precondition(connection.unacknowledged >= 0 && connection.expires >= .zero)
  }

  private static func path(_ tables: NetworkTables, _ answers: [Answer]) -> NWPath {
    PathDecision(tables: tables, oracle: ScriptedOracle(answers)).path()
  }
}

/// A message that answers a question.
private enum Answer {
  case route(FoundRoute)
  case nexthop(Nexthop)
  case mark(UInt32)
  case error(Int32)
}

/// Answers the same request the same way each time: the answers in turn, by the subject of the request.
private struct ScriptedOracle: PathOracle {
  private var answers: [RouteAnswer] = []
  private var rules: [UInt32] = []

  init(_ messages: [Answer]) {
    let legs = messages.compactMap { if case .nexthop(.leg(let leg)) = $0 { leg } else { nil } }
    for message in messages {
      switch message {
      case .route(var found):
        if let id = found.nexthop, !legs.isEmpty { found.match.legs = [legs[Int(id) % legs.count]] }
        answers.append(.route(found.match))
      case .nexthop: break
      case .mark(let mark): rules.append(mark)
      case .error(let code): answers.append(.refused(RouteRefusal(errno: code, hasText: false)))
      }
    }
  }

  func route(_ probe: RouteProbe) -> RouteAnswer {
    guard !answers.isEmpty else { return .refused(.networkUnreachable) }
    let half = Int(probe.destination.value >> (probe.destination.family == .ipv4 ? 28 : 124))
    let number = half + (probe.outputInterface ?? 0) + Int(probe.mark) + (probe.kind == .resolve ? 1 : 0)
    return answers[number % answers.count]
  }

  func routes(by interface: Int) -> [RouteMatch] {
    answers.compactMap { if case .route(let match) = $0 { match } else { nil } }
  }

  func marks() -> [UInt32] { rules }

  func hardware(of interface: String) -> InterfaceHardware {
    InterfaceHardware(
      hasDevice: interface.hasPrefix("e"), hasWirelessPhy: interface.hasPrefix("w"),
      deviceType: interface.hasPrefix("x") ? "wwan" : nil)
  }

  func nameservers() -> [Nameserver] {
    ["127.0.0.1", "192.0.2.53", "2001:db8::53", "fe80::1%eth0"].compactMap { Nameserver($0) }
  }
}
