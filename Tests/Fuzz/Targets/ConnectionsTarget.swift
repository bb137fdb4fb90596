@testable import NetworkPath
import OverlineTestSupport

/// The bytes are what a monitor learns about the machine's TCP connections: the kernel's messages about sockets, the counters of
/// datagrams, changes of the routers, failures of a look, and time.
enum ConnectionsTarget {
  static func run(_ bytes: [UInt8]) {
    var script = ByteScript(bytes)
    var driver = Driver()
    while !script.isEmpty {
      driver.pass(script.pause() * 2)
      switch script.next() % 12 {
      case 0...4: driver.look(&script)
      case 5, 6: driver.send(.changed([Neighbour(driver.router(script.next()), state: .stale)]))
      case 7: driver.send(.lookFailed)
      case 8: driver.send(.hostAnswered)
      case 9: driver.send(.clockStepped)
      default: driver.evaluate(script.next(), routers: script.next())
      }
    }
    driver.pass(.seconds(200))
  }

  private struct Driver: TimedDriver, ~Copyable {
    private let memory = GuardedMemory(capacity: ByteScript.maximumMessageLength)
    private var machine = ConnectionMachine()
    var now = Duration.seconds(100)
    private var terms = ConnectionMachine.Terms(isOn: false)
    private var counters = DatagramCounters(ipv4: 0)
    private var received = ReceivedSegments()
    private var askedAt: Duration?
    private let gateways = ["192.0.2.1", "fe80::1"].map { Gateway(AnyIPAddress($0)!, on: 2) }

    init() { evaluate(0b0111, routers: 3) }

    func router(_ number: UInt8) -> Gateway { gateways[Int(number) % gateways.count] }

    mutating func evaluate(_ bits: UInt8, routers: UInt8) {
      terms = ConnectionMachine.Terms(
        isOn: bits & 1 != 0, isSatisfied: bits & 2 != 0, mayKick: bits & 4 != 0, mayAsk: bits & 8 != 0)
      var current: [Gateway: RouterMachine.LinkState] = [:]
      for (number, gateway) in gateways.enumerated() where routers & 1 << number != 0 {
        current[gateway] = RouterMachine.LinkState(hasCarrier: routers & 4 == 0)
      }
      send(.evaluated(current, terms))
    }

    mutating func look(_ script: inout ByteScript) {
      let bits = script.next()
      var reading = AnswerReading(of: 1)
      var connections: [TCPConnection] = []
      var ended: [EndedConnection] = []
      memory.holding(script.messages()) { datagram in
        MessageParser.forEach(in: datagram) { message in
          _ = MessageParser.inode(message)
          _ = MessageParser.unixPeer(message)
          _ = MessageParser.closedConnection(message)
          if let socket = MessageParser.datagramSocket(message), socket.mayHearBeyond({ _ in nil }) {
            precondition(socket.remoteAddress == nil)
          }
          if let host = MessageParser.endedConnection(message) { ended.append(host) }
          reading.read(message) {
            if let connection = MessageParser.connection($0) { connections.append(connection) }
            return false
          }
        }
      }
      // A few bytes make several connections: the same one to other hosts.
      for connection in connections.prefix(4) {
        for number in 0..<(bits & 3) {
          var other = connection
          other.id.remoteAddress = AnyIPAddress(
            family: other.id.family, value: other.id.remoteAddress.value ^ (UInt128(number) + 1))
          connections.append(other)
        }
      }
      if bits & 4 != 0 { counters.ipv4 += Int64(script.next()) }
      if bits & 8 != 0 { counters.loopback += Int64(script.next()) }
      received.note(connections)
      counters.explained = received.total
      if reading.outcome != .answered { return send(.lookFailed) }
      send(.looked(look(at: connections, bits & 4 != 0 ? ended : [], bits)))
    }

    private func look(at connections: [TCPConnection], _ ended: [EndedConnection], _ bits: UInt8) -> ConnectionLook {
      var stalls = 0
      var look = ConnectionLook(
        connections, stamped: ended, depth: bits & 16 == 0 ? .followed : bits & 8 == 0 ? .whole : .thorough,
        owners: StallOwners(user: 1000), isOwn: { $0.value & 7 != 7 },
        router: { address in address.value & 15 == 15 ? nil : router(UInt8(address.value >> 4 & 1)) },
        stalled: { _, _ in stalls += 1 })
      precondition(stalls == look.stalls.count && look.stalls.count <= look.count && look.count <= connections.count)
      precondition(look.doubtful + look.connecting <= look.count && look.overdue <= look.connecting)
      precondition(look.stalls.allSatisfy { $0.age >= .zero })
      // Hosts are numbered, and the words name none.
      let hosts = Set(look.stalls.map(\.host))
      precondition(hosts == Set(0..<hosts.count))
      precondition(connections.allSatisfy { !look.words.contains(" \($0.id.remoteAddress)") })
      if bits & 32 == 0 { look.counters = counters }
      look.mayHearDatagrams = bits & 64 != 0
      look.cost = .microseconds(Int(bits))
      if bits & 64 != 0 { look.routers[router(bits >> 7)] = .milliseconds(Int(bits) * 40) }
      return look
    }

    var nextDeadline: Duration? { machine.nextDeadline }

    mutating func deadlinePassed() { send(.deadlinePassed) }

    mutating func send(_ event: ConnectionMachine.Event) {
      let before = machine.claim
      let effects = machine.handle(event, at: now)
      precondition(effects.contains(.publish) == (machine.claim != before), "a claim is published at its change")
      for effect in effects {
        switch effect {
        case .kick(let gateway): precondition(terms.mayKick && gateways.contains(gateway))
        case .ask:
          precondition(terms.mayAsk && machine.needsAnswers)
          precondition(askedAt.map { now - $0 >= .seconds(5) } ?? true, "two connections within five seconds")
          askedAt = now
        case .look, .suggestCheck, .publish: precondition(terms.isOn && terms.isSatisfied || effect == .publish)
        }
      }
      guard let claim = machine.claim else { return }
      precondition(terms.isOn && terms.isSatisfied, "a claim that nothing permits")
      precondition(claim.hosts >= 2 && claim.connections >= claim.hosts && claim.duration >= .seconds(5))
      precondition(!claim.explanation.utf8.contains { $0 < 0x20 })
    }
  }
}
