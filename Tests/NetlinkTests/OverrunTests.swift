import Dispatch
@testable import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The kernel drops messages. It reports that once, and again only after a read that found no message.
@Suite(.ownThread) struct OverrunTests {
  private let namespace: NetworkNamespace
  private let sockets: NetlinkSockets

  /// A buffer for more datagrams than one read returns, and fewer than a flood has.
  init() throws {
    namespace = try NetworkNamespace()
    sockets = try inside(namespace, receiveBuffer: 512 << 10)
    #expect(!sockets.read().contains(.overran))
  }

  private static let flood = (0..<3000).map { index in
    "addr \(index % 2 == 0 ? "add" : "del") 10.9.\(index / 500).\(index / 2 % 250 + 1)/32 dev lo"
  }

  private func flood() throws { try namespace.ip(Self.flood.joined(separator: "\n")) }

  private func dump() throws -> NetworkTables {
    guard case .dumped(let events, complete: _) = sockets.dump() else { throw TestKitError("no dump") }
    var tables = NetworkTables()
    for event in events { tables.apply(event) }
    return tables
  }

  @Test func whatIsOlderThanTheTablesIsForgotten() throws {
    try flood()
    #expect(sockets.read().first == .overran)
    _ = try dump()
    #expect(sockets.read() == [])
  }

  @Test func aLossAfterTheTablesWereReadIsReported() throws {
    try flood()
    #expect(sockets.read().first == .overran)
    _ = try dump()
    try flood()
    var told: [PathMachine.Event] = []
    while true {
      let events = sockets.read()
      if events.isEmpty { break }
      told += events
    }
    #expect(told.contains(.overran))
  }

  /// A caller that reads the tables again after each overrun ends with the kernel's tables, at whatever moment of the flood it read them.
  @Test func aFloodThatGoesOnWhileTheTablesAreRead() throws {
    let steps = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { [self] in
      for _ in 0..<5 {
        try? flood()
        steps.signal()
      }
      try? namespace.ip("addr add 10.10.0.1/32 dev lo")
      steps.signal()
    }
    var tables = try dump()
    var overruns = 0
    var stepsLeft = 6
    while true {
      // Read only after each whole flood, so that it overruns the buffer while the next flood runs.
      if stepsLeft > 0 {
        steps.wait()
        stepsLeft -= 1
      }
      let events = sockets.read()
      for case .received(let changes) in events { for change in changes { tables.apply(change) } }
      if events.contains(.overran) {
        overruns += 1
        tables = try dump()
      }
      if events.isEmpty, stepsLeft == 0 { break }
    }
    #expect(overruns > 0)
    let now = try dump()
    #expect(tables == now)
  }
}
