@testable import NetworkPath
import OverlineTestSupport

/// The bytes are the kernel's figures of TCP connections at looks, other ways, a stepped clock, and time.
enum QualityTarget {
  static func run(_ bytes: [UInt8]) {
    var script = ByteScript(bytes)
    var driver = Driver()
    while !script.isEmpty {
      driver.pass(script.pause() * 2)
      switch script.next() % 8 {
      case 0...4: driver.look(&script)
      case 5: driver.evaluate(script.next())
      case 6: driver.send(.clockStepped)
      default: driver.send(.looked(nil))
      }
    }
    driver.evaluate(0)
    precondition(driver.nextDeadline == nil, "nobody wants to know, and the machine would wake")
  }

  private struct Driver: TimedDriver {
    private var machine = QualityMachine()
    var now = Duration.seconds(100)
    private var use = QualityUse.measured

    init() { evaluate(1) }

    mutating func evaluate(_ bits: UInt8) {
      use = [.unmeasured, .measured, .limiting][Int(bits % 3)]
      var path = NWPath(status: bits & 64 == 0 ? .satisfied : .unsatisfied)
      path.gateways = [.hostPort(host: bits & 32 == 0 ? "192.0.2.1" : "192.0.2.9", port: 0)]
      if path.status != .satisfied { use = .unmeasured }
      send(.evaluated(path, use))
    }

    /// The counters of a connection go on from look to look, and may also jump, as another connection's at the same place do.
    mutating func look(_ script: inout ByteScript) {
      var look = QualityLook(cost: .microseconds(Int(script.next()) * 100))
      for number in 0..<Int(script.next() % 8) {
        var sample = QualitySample(connection: UInt64(number), host: number / 2)
        func number32() -> UInt32 { (0..<4).reduce(0) { value, _ in value << 8 | UInt32(script.next()) } }
        sample.roundTrip = .microseconds(Int(number32()))
        sample.deviation = .microseconds(Int(number32()))
        let bits = script.next()
        sample.shortest = bits & 1 == 0 ? nil : .microseconds(Int(number32()))
        sample.receiverRoundTrip = .microseconds(bits & 2 == 0 ? 0 : Int(number32()))
        (sample.sent, sample.sentAgain, sample.needless) = (number32(), number32(), number32())
        (sample.delivered, sample.receivedSegments) = (number32(), number32())
        sample.receivedBytes = UInt64(number32()) << (bits & 32 == 0 ? 0 : 32)
        sample.isApplicationLimited = bits & 4 == 0
        sample.heardAge = .milliseconds(Int(script.next()) * 100)
        sample.sentAge = .milliseconds(Int(script.next()) * 100)
        sample.isWaiting = bits & 8 != 0
        sample.retransmits = Int(bits >> 6)
        look.samples.append(sample)
      }
      send(.looked(look))
    }

    var nextDeadline: Duration? { machine.nextDeadline }

    mutating func deadlinePassed() { send(.deadlinePassed) }

    mutating func send(_ event: QualityMachine.Event) {
      let before = machine.report
      let effects = machine.handle(event, at: now)
      precondition(effects.contains(.publish) == (machine.report != before), "a quality is published at its change")
      precondition(!effects.contains(.look) || use != .unmeasured, "it looks only while a user wants to know")
      guard let report = machine.report else { return }
      precondition(use != .unmeasured && report.level != .unknown)
      precondition(report.isLimit == (use == .limiting && report.level == .minimal))
      precondition(report.words.hasPrefix("\(report.level.name): ") && !report.words.utf8.contains { $0 < 0x20 })
    }
  }
}
