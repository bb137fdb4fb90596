@testable import NetworkPath
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The documented diagrams match the machines.
@Suite(.ownThread) struct NetworkDiagramTests {
  private static let router = Gateway(AnyIPAddress("192.0.2.1")!, on: 2)
  private static let document = "Sources/OverlineCLI/OverlineCLI.docc/StateMachines.md"
  /// A linear congruence (Knuth): the same walk in every run.
  private var random: UInt64 = 1

  private mutating func next(_ bound: Int) -> Int {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(random >> 33) % bound
  }

  private static func entry(_ state: Neighbour.State) -> Neighbour {
    Neighbour(router, state: state, hasLinkAddress: state != .failed, confirmedAge: .zero)
  }

  @Test mutating func routers() throws {
    var diagram = StateDiagram()
    var machine = RouterMachine()
    var now = Duration.zero
    let linkStates = [Self.router: RouterMachine.LinkState()]
    let events: [(String, RouterMachine.Event)] = [
      ("REACHABLE", .changed([Self.entry(.reachable)])), ("FAILED", .changed([Self.entry(.failed)])),
      ("FAILED", .changed([Self.entry(.failed)])), ("PERMANENT or NOARP", .changed([Self.entry(.permanent)])),
      ("route, address or link changed", .evaluated([:], mayKick: true)), ("resume", .clockStepped),
      ("", .evaluated(linkStates, mayKick: true)), ("", .evaluated(linkStates, mayKick: true)),
      ("", .changed([Self.entry(.probe)])), ("time", .deadlinePassed),
      ("its answer would end an outage", .awaited([Self.router])), ("four seconds", .awaited([])),
    ]
    for _ in 0..<20_000 {
      let (name, event) = events[next(events.count)]
      now += [.zero, .seconds(3), .seconds(31)][next(3)]
      let before = machine.phase(of: Self.router)
      _ = machine.handle(event, at: now)
      diagram.note(from: before, to: machine.phase(of: Self.router), because: name.isEmpty ? "route" : name)
    }
    #expect(try GeneratedText("routers", in: Self.document).holds(diagram.mermaid), "make record")
  }

  @Test mutating func connections() throws {
    var diagram = StateDiagram()
    var machine = ConnectionMachine()
    var now = Duration.seconds(1000)
    let linkStates = [Self.router: RouterMachine.LinkState()]
    _ = machine.handle(.evaluated(linkStates, .init()), at: now)
    for _ in 0..<20_000 {
      let (name, event) = event(now)
      let before = machine.name
      if event == .deadlinePassed { now = max(now, machine.nextDeadline ?? now) } else { now += .milliseconds(100) }
      _ = machine.handle(event, at: now)
      // The path is decided again soon.
      _ = machine.handle(.evaluated(linkStates, .init()), at: now)
      diagram.note(from: before, to: machine.name, because: name)
    }
    #expect(try GeneratedText("connections", in: Self.document).holds(diagram.mermaid), "make record")
  }

  @Test mutating func sending() throws {
    var diagram = StateDiagram()
    var machine = SendingMachine()
    var now = Duration.seconds(1000)
    let linkStates = [Self.router: RouterMachine.LinkState()]
    _ = machine.handle(.evaluated(linkStates, .init()), at: now)
    func look(_ ages: [Int], left: Int? = nil) -> SendingMachine.Event {
      var look = ConnectionLook(.thorough)
      look.sending.stalls = ages.enumerated().map {
        .init(host: $0.offset, age: .seconds($0.element), attemptAge: .zero)
      }
      look.sending.leftAge = left.map { .seconds($0) }
      look.counters = DatagramCounters(ipv4: 0)
      return .looked(look)
    }
    let waiting = ("data to several hosts waits", look([20, 19], left: 30))
    let events: [(String, SendingMachine.Event)] = [
      ("STALE", .changed([Self.entry(.stale)])), ("time", .deadlinePassed), ("time", .deadlinePassed),
      ("time", .deadlinePassed), waiting, waiting, waiting, waiting, ("nothing waits", look([])),
      ("a sign that packets leave", look([20, 19], left: 0)), ("resume", .clockStepped), ("a failed look", .lookFailed),
    ]
    for _ in 0..<20_000 {
      // Rare, so that the longer ways are walked too.
      let number = next(events.count)
      let (name, event) = number >= 8 && next(20) > 0 ? events[1 + number % 7] : events[number]
      let before = machine.name
      if event == .deadlinePassed { now = max(now, machine.nextDeadline ?? now) } else { now += .milliseconds(100) }
      _ = machine.handle(event, at: now)
      diagram.note(from: before, to: machine.name, because: name)
    }
    #expect(try GeneratedText("sending", in: Self.document).holds(diagram.mermaid), "make record")
  }

  private mutating func event(_ now: Duration) -> (String, ConnectionMachine.Event) {
    func look(_ ages: [Int], heard: Int? = nil) -> ConnectionMachine.Event {
      var look = ConnectionLook(.thorough)
      look.stalls = ages.enumerated().map { .init(host: $0.offset, age: .seconds($0.element), router: Self.router) }
      look.heardAge = heard.map { .seconds($0) }
      look.counters = DatagramCounters(ipv4: 0)
      return .looked(look)
    }
    let stalled = look([20, 19], heard: 30)
    let events: [(String, ConnectionMachine.Event)] = [
      ("STALE", .changed([Self.entry(.stale)])), ("time", .deadlinePassed), ("time", .deadlinePassed),
      ("time", .deadlinePassed), ("several hosts stalled", stalled), ("several hosts stalled", stalled),
      ("several hosts stalled", stalled), ("several hosts stalled", stalled), ("nothing waits", look([])),
      ("a sign of life", look([20, 19], heard: 0)), ("resume", .clockStepped),
      ("a failed look", .lookFailed),
    ]
    let (name, event) = events[next(events.count)]
    // Rare, so that the longer ways are walked too.
    if event == .clockStepped || event == .lookFailed || name == "a sign of life", next(4) > 0 {
      return ("time", .deadlinePassed)
    }
    return (name, event)
  }
}

extension LookSchedule.Phase {
  fileprivate func name(claims: Bool) -> String {
    switch self {
    case .asleep: "asleep"
    case .waiting: "waiting"
    case .looking: "looking"
    case .watching: claims ? "claimed" : "watching"
    }
  }
}

extension ConnectionMachine {
  fileprivate var name: String { schedule.phase.name(claims: claim != nil) }
}

extension SendingMachine {
  fileprivate var name: String { schedule.phase.name(claims: claim != nil) }
}
