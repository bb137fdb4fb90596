@testable import NetworkPath
import OverlineTestSupport

/// The bytes are what a monitor receives about its routers: messages about the neighbour table, evaluated routes, lost messages, a
/// stepped clock, and time.
enum NeighboursTarget {
  static func run(_ bytes: [UInt8]) {
    var script = ByteScript(bytes)
    var driver = Driver()
    while !script.isEmpty {
      driver.pass(script.pause() * 4)
      switch script.next() % 12 {
      case 0...4: driver.receive(script.messages())
      case 5: driver.read(script.messages())
      case 6: driver.evaluate(script.next(), mayKick: script.next() & 1 == 0)
      case 7: driver.send(.overran)
      case 8: driver.report(script.next(), .milliseconds(Int(script.next()) * 500))
      case 9: driver.send(.opened)
      case 10: driver.wait(for: script.next())
      default: driver.send(.clockStepped)
      }
    }
    driver.pass(.seconds(1000))
  }

  private struct Driver: TimedDriver, ~Copyable {
    private let memory = GuardedMemory(capacity: ByteScript.maximumMessageLength)
    private var machine = RouterMachine()
    var now = Duration.seconds(100)
    /// The routers of the path, and whatever a message named.
    private var known: [Gateway] = ["192.0.2.1", "fe80::1", "192.0.2.2"].enumerated().map {
      Gateway(AnyIPAddress($1)!, on: 2 + $0 / 2)
    }
    /// Nil before the first evaluation.
    private var current: Set<Gateway>?
    private var mayKick = false
    /// The routers for which the end of an outage waits.
    private var awaited: Set<Gateway> = []
    /// The number of FAILED messages about each router since its last answer.
    private var failures: [Gateway: Int] = [:]

    private func neighbours(_ bytes: [UInt8]) -> [Neighbour] {
      var found: [Neighbour] = []
      memory.holding(bytes) { datagram in
        MessageParser.forEach(in: datagram) { if let one = MessageParser.neighbour($0) { found.append(one) } }
      }
      for neighbour in found {
        precondition(neighbour.confirmedAge ?? .zero >= .zero)
        precondition(!neighbour.words.utf8.contains { $0 < 0x20 })
      }
      return found
    }

    mutating func receive(_ bytes: [UInt8]) {
      let found = neighbours(bytes)
      for neighbour in found {
        if !known.contains(neighbour.gateway), known.count < 32 { known.append(neighbour.gateway) }
        if neighbour.state == .failed { failures[neighbour.gateway, default: 0] += 1 }
        noteAnswer(neighbour)
      }
      send(.changed(found))
    }

    mutating func read(_ bytes: [UInt8]) {
      let found = neighbours(bytes)
      for neighbour in found { noteAnswer(neighbour) }
      send(.read(found))
    }

    private mutating func noteAnswer(_ neighbour: Neighbour) {
      if neighbour.state == .reachable { failures[neighbour.gateway] = 0 }
    }

    mutating func evaluate(_ choice: UInt8, mayKick: Bool) {
      var routers: [Gateway: RouterMachine.LinkState] = [:]
      for (number, gateway) in known.enumerated() where choice & 1 << (number % 7) != 0 {
        routers[gateway] = RouterMachine.LinkState(hasCarrier: choice & 128 == 0)
      }
      self.mayKick = mayKick
      current = Set(routers.keys)
      failures = failures.filter { routers[$0.key] != nil }
      send(.evaluated(routers, mayKick: mayKick))
    }

    /// Another process has seen a router fail.
    mutating func report(_ number: UInt8, _ age: Duration) {
      let router = known[Int(number) % known.count]
      failures[router] = 2
      send(.reported([router: age == .zero ? .unheard : .heard(ago: age)]))
    }

    mutating func wait(for choice: UInt8) {
      awaited = Set(known.enumerated().filter { choice & 1 << ($0.offset % 7) != 0 }.map(\.element))
      send(.awaited(awaited))
    }

    private func isCurrent(_ gateway: Gateway) -> Bool { current?.contains(gateway) ?? true }

    var nextDeadline: Duration? { machine.nextDeadline }

    mutating func deadlinePassed() { send(.deadlinePassed) }

    mutating func send(_ event: RouterMachine.Event) {
      let before = machine.silent
      let effects = machine.handle(event, at: now)
      let silent = machine.silent
      let isDecided = effects.contains(.decide)
      precondition(isDecided || silent == before, "a change without a decision")
      precondition(!isDecided || silent != before || awaited.contains(where: machine.isProven), "a needless decision")
      for effect in effects {
        switch effect {
        case .watch(let routers):
          precondition(routers.count <= RouterMachine.maximumCount && Set(routers).count == routers.count)
          precondition(routers.allSatisfy { isCurrent($0.gateway) })
        case .read(let gateways): precondition(gateways.allSatisfy { isCurrent($0) })
        case .kick(let gateway): precondition(mayKick && isCurrent(gateway), "a datagram to a stranger")
        case .decide: break
        }
      }
      let kicks = effects.filter { if case .kick = $0 { true } else { false } }
      precondition(Set(kicks).count == kicks.count, "two datagrams at once")
      for (gateway, silence) in silent {
        precondition(silence.age ?? .zero >= .zero && isCurrent(gateway))
        // One failure proves nothing, except of a router that has to answer first.
        let proof = silence == .unheard ? 1 : 2
        precondition(failures[gateway, default: 0] >= proof, "a router that failed less than twice is silent")
      }
      let more = machine.handle(.deadlinePassed, at: now)
      precondition(more.isEmpty, "a repeated deadline has an effect")
    }
  }
}

extension ByteScript {
  static let maximumMessageLength = 1020

  /// Bytes of messages: a length in words, then the bytes.
  mutating func messages() -> [UInt8] { run(upTo: Int(next()) * 4) }
}
