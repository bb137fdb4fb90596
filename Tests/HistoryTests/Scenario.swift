@testable import OverlineCore

/// A scripted life of a monitor: minutes that pass, the network's states, and the bytes that are written.
struct Scenario {
  var bytes: [UInt8] = []
  /// 2026-11-20 00:00 UTC.
  static let midnight: Int64 = 1_795_132_800_000
  private(set) var now = HistoryTime(wall: midnight, boot: 1_000_000, awake: 1_000_000)
  private var ledger: OutageLedger
  private var pid: Int32 = 1
  private var isAlive = true

  init() { ledger = OutageLedger(session: Self.session(1)) }

  private static func session(_ pid: Int32) -> HistoryRecord.Session { .init(pid: pid, start: 7, boot: "0a1b2c3d") }

  mutating func pass(minutes: Int64, asleep: Bool = false) {
    now.wall += minutes * 60_000
    now.boot += minutes * 60_000
    if !asleep { now.awake += minutes * 60_000 }
  }

  mutating func setClock(byMinutes minutes: Int64) { now.wall += minutes * 60_000 }

  mutating func online(_ interface: String = "eth0") { note(.online(interface: interface)) }

  mutating func offline(_ explanation: String = "eth0 has no carrier", reason: String = "no-carrier") {
    note(.offline(reason: reason, explanation: explanation))
  }

  mutating func limited(_ explanation: String = "no answer from example.net", reason: String = "check-failed") {
    note(.limited(interface: "eth0", reason: reason, explanation: explanation))
  }

  mutating func note(_ network: OutageLedger.Network?) {
    bytes += ledger.note(network, at: now).flatMap(\.line)
  }

  mutating func end() {
    bytes += ledger.end(at: now)?.line ?? []
    isAlive = false
  }

  mutating func kill() { isAlive = false }

  mutating func startAgain() {
    pid += 1
    ledger = OutageLedger(session: Self.session(pid))
    isAlive = true
  }

  var totals: OutageLedger.Totals { ledger.totals(at: now) }

  var history: History {
    let alive = isAlive ? Self.session(pid) : nil
    return History(bytes, now: now) { $0 == alive }
  }
}

/// Minutes after the scenario's beginning.
func minute(_ minute: Int64) -> Int64 { Scenario.midnight + minute * 60_000 }
