import NetworkPath
import OverlineTestThread
import Testing

/// What a monitor remembers of a tunnel, and what the tunnel's counters prove.
@Suite(.ownThread) struct TunnelMachineTests {
  private let cause = TunnelCause(faults: [2: .noCarrier])
  private let lower = TunnelMemory.Lower(index: 2, name: "eth0")
  private let server = IPPrefix(address: AnyIPAddress("203.0.113.9")!, length: 32)

  /// A machine that has seen eth0 carry the tunnel, link 9, with a route to the VPN's server.
  private func watching() -> TunnelMachine {
    var machine = TunnelMachine()
    let carried = TunnelReport.carried(by: lower, isProven: true, servers: [server])
    #expect(machine.handle(.evaluated([9: carried], isSatisfied: true), at: .zero) == [])
    #expect(machine.nextDeadline == nil)
    return machine
  }

  private func die(_ machine: inout TunnelMachine, at now: Duration) -> [TunnelMachine.Effect] {
    machine.handle(.evaluated([9: .dead(cause, word: nil)], isSatisfied: false), at: now)
  }

  @Test func aWorkingTunnelCausesNoLook() {
    var machine = watching()
    let carried = TunnelReport.carried(by: lower, isProven: true, servers: nil)
    #expect(machine.handle(.evaluated([9: carried], isSatisfied: true), at: .seconds(5)) == [])
    #expect(machine.nextDeadline == nil)
    #expect(machine.knowledge.memories[9]?.lower == lower)
    #expect(machine.knowledge.memories[9]?.servers == [server])
  }

  /// The filter for the kernel's messages has room for few of them.
  @Test func theServersOfAllTunnels() {
    var machine = watching()
    #expect(machine.knowledge.servers == [server])
    let many = (1...20).map { IPPrefix(address: AnyIPAddress("198.51.100.\($0)")!, length: 32) }
    let carried = TunnelReport.carried(by: lower, isProven: true, servers: many)
    _ = machine.handle(.evaluated([8: carried, 9: .refuted(cause)], isSatisfied: true), at: .seconds(5))
    #expect(machine.knowledge.servers == Array(many.prefix(8)))
  }

  @Test func aTunnelThatReceivesIsAlive() {
    var machine = watching()
    #expect(die(&machine, at: .seconds(10)) == [.count([9])])
    // Packets that were under way when the link died prove nothing.
    #expect(machine.handle(.counted([9: PacketCount(received: 100)]), at: .seconds(10)) == [])
    #expect(machine.nextDeadline == .seconds(11))
    #expect(machine.handle(.deadlinePassed, at: .seconds(11)) == [.decide])
    #expect(die(&machine, at: .seconds(11)) == [.count([9])])
    #expect(machine.handle(.counted([9: PacketCount(received: 120)]), at: .seconds(11)) == [])
    #expect(machine.nextDeadline == .seconds(13))
    _ = machine.handle(.deadlinePassed, at: .seconds(13))
    #expect(die(&machine, at: .seconds(13)) == [.count([9])])
    #expect(machine.handle(.counted([9: PacketCount(received: 121)]), at: .seconds(13)) == [.decide])
    #expect(machine.knowledge.memories[9]?.refuted == cause)
    #expect(machine.handle(.evaluated([9: .refuted(cause)], isSatisfied: true), at: .seconds(13)) == [])
    #expect(machine.nextDeadline == nil)
    // Another fault is another claim.
    let other = TunnelReport.dead(TunnelCause(faults: [3: .noCarrier]), word: nil)
    #expect(machine.handle(.evaluated([9: other], isSatisfied: false), at: .seconds(20)) == [.count([9])])
    #expect(machine.knowledge.memories[9]?.refuted == nil)
  }

  @Test func aDeadTunnelIsLookedAtAFewTimes() {
    var machine = watching()
    _ = die(&machine, at: .zero)
    var looks = 0
    while let deadline = machine.nextDeadline {
      #expect(machine.handle(.deadlinePassed, at: deadline) == [.decide])
      #expect(die(&machine, at: deadline) == [.count([9])])
      #expect(machine.handle(.counted([9: PacketCount(received: 7)]), at: deadline) == [])
      looks += 1
    }
    #expect(looks == 4)
  }

  /// K33
  @Test func aTunnelWithoutItsServersRouteThatReceivesNothingLeadsIntoItself() {
    var machine = watching()
    _ = die(&machine, at: .zero)
    func look(at now: Int, count: UInt64, sent: Int? = nil) -> [TunnelMachine.Effect] {
      let isLooping = machine.knowledge.memories[9]?.isLooping ?? false
      let report = TunnelReport.mayLoop(by: lower, isCertain: isLooping, word: nil)
      _ = machine.handle(.deadlinePassed, at: .seconds(now))
      #expect(
        machine.handle(.evaluated([9: report], isSatisfied: !isLooping), at: .seconds(now)) == [.count([9])])
      return machine.handle(
        .counted([9: PacketCount(received: count, sent: UInt64(sent ?? now))]), at: .seconds(now))
    }
    #expect(look(at: 100, count: 3) == [])
    #expect(machine.nextDeadline == .seconds(101))
    #expect(look(at: 101, count: 5) == [])
    #expect(look(at: 110, count: 5) == [])
    #expect(machine.nextDeadline == .seconds(112))
    // An idle tunnel receives nothing either.
    #expect(look(at: 112, count: 5, sent: 101) == [])
    #expect(machine.knowledge.memories[9]?.isLooping == false)
    #expect(look(at: 122, count: 5) == [.decide])
    #expect(machine.knowledge.memories[9]?.isLooping == true)
    // The route that went was not the server's.
    #expect(look(at: 130, count: 6) == [.decide])
    #expect(machine.knowledge.memories[9]?.isLooping == false)
    #expect(machine.knowledge.memories[9]?.servers == [])
    #expect(machine.nextDeadline == nil)
  }

  @Test func theLooksForALoopEnd() {
    var machine = watching()
    var looks = 0
    var now = Duration.zero
    while looks < 20 {
      let report = TunnelReport.mayLoop(by: lower, isCertain: false, word: nil)
      _ = machine.handle(.evaluated([9: report], isSatisfied: true), at: now)
      guard let deadline = machine.nextDeadline else { break }
      now = deadline
      #expect(machine.handle(.deadlinePassed, at: now) == [.decide])
      looks += 1
    }
    #expect(looks == 6)
  }

  @Test func aTunnelThatIsNoLongerUsedIsForgotten() {
    var machine = watching()
    #expect(machine.handle(.evaluated([:], isSatisfied: false), at: .seconds(1)) == [])
    #expect(machine.knowledge.memories[9] != nil)
    _ = machine.handle(.evaluated([:], isSatisfied: true), at: .seconds(2))
    #expect(machine.knowledge.memories == [:])
  }
}
