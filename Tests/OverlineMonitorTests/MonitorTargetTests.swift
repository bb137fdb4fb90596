import NetworkPath
import Overline
import OverlineCore
import OverlineTestThread
import Testing

/// The hook `on-target`.
@Suite(.ownThread) struct MonitorTargetTests {
  private var monitor = MonitorScript()

  private enum Reach {
    case reachable, byDefaultRoute, unreachable, unknown
  }

  /// An online path with these targets. Each name has a network of its own.
  private func path(_ targets: (name: String, reach: Reach)...) throws -> NWPath {
    var path = online
    path.targets = try targets.map { name, reach in
      let network = try PathTarget(name: name, network: "10.\(name.utf8.count).0.0/16").network
      return NWPath.Target(
        name: name, network: network, status: reach == .reachable || reach == .unknown ? .satisfied : .unsatisfied,
        isKnown: reach != .unknown, isByDefaultRoute: reach == .byDefaultRoute)
    }
    return path
  }

  /// The targets of the hooks that run at an event or before it.
  private mutating func runs(_ event: MonitorEvent? = nil, at milliseconds: Int) -> [String] {
    monitor.play(event, at: milliseconds).filter { $0.hasPrefix("hooks ") }
  }

  private mutating func runs(_ targets: (String, Reach)..., at milliseconds: Int) throws -> [String] {
    var path = online
    path.targets = try targets.map { try self.path($0).targets[0] }
    return runs(.pathChanged(path), at: milliseconds)
  }

  @Test("one run for each target whose state changed, and none for the first state") mutating func aChange() throws {
    #expect(try runs(("office", .reachable), ("nas", .unreachable), ("lab", .reachable), at: 0) == [])
    // The VPN goes down: a loss waits for the grace delay, like the banner.
    #expect(try runs(("office", .byDefaultRoute), ("nas", .unreachable), ("lab", .unreachable), at: 1000) == [])
    #expect(monitor.machine.nextDeadline == .milliseconds(1250))
    #expect(runs(at: 2000) == ["hooks on-target(office default-route) on-target(lab unreachable) of 2"])
    // The observers have that state already.
    #expect(monitor.play(at: 3000) == [])
    // An improvement counts at once.
    #expect(
      try runs(("office", .reachable), ("nas", .reachable), ("lab", .unreachable), at: 4000)
        == ["hooks on-target(office reachable) on-target(nas reachable) of 3"])
    #expect(runs(at: 9000) == [])
  }

  @Test("a loss shorter than the grace delay runs nothing; another loss meanwhile does not begin it anew")
  mutating func aShortLoss() throws {
    _ = try runs(("office", .reachable), at: 0)
    #expect(try runs(("office", .unreachable), at: 1000) == [])
    #expect(try runs(("office", .reachable), at: 1249) == [])
    #expect(runs(at: 9000) == [])
    #expect(try runs(("office", .unreachable), at: 10_000) == [])
    #expect(try runs(("office", .byDefaultRoute), at: 10_200) == [])
    #expect(runs(at: 10_250) == ["hooks on-target(office default-route) of 5"])
  }

  @Test("a kernel that does not answer is no change") mutating func anUnknownState() throws {
    #expect(try runs(("office", .unknown), at: 0) == [])
    #expect(try runs(("office", .unreachable), at: 1000) == [])
    #expect(try runs(("office", .unknown), at: 2000) == [])
    #expect(try runs(("office", .unreachable), at: 3000) == [])
    #expect(runs(at: 4000) == [])
    #expect(try runs(("office", .reachable), at: 5000) == ["hooks on-target(office reachable) of 5"])
  }

  @Test("a reload that adds, moves or removes a target is no outage") mutating func aReload() throws {
    _ = try runs(("office", .reachable), at: 0)
    #expect(try runs(("office", .reachable), ("nas", .unreachable), at: 1000) == [])
    #expect(try runs(("nas", .unreachable), at: 2000) == [])
    #expect(try runs(("office", .unreachable), ("nas", .unreachable), at: 3000) == [])
    #expect(runs(at: 4000) == [])
    // Another network of the same name.
    var moved = try path(("office", .unreachable))
    moved.targets = [
      NWPath.Target(
        name: "office", network: try PathTarget(name: "office", network: "10.99.0.0/16").network, status: .satisfied)
    ]
    #expect(runs(.pathChanged(moved), at: 5000) == [])
    // A target that goes during its grace delay takes the deadline with it.
    #expect(try runs(("lab", .reachable), at: 6000) == [])
    #expect(try runs(("lab", .unreachable), at: 7000) == [])
    #expect(runs(.pathChanged(online), at: 7100) == [])
    #expect(runs(at: 20_000) == [])
  }

  @Test("without the hook nothing runs, and a new grace delay counts at once") mutating func settings() throws {
    monitor = MonitorScript { $0.hooks.onTarget = nil }
    _ = try runs(("office", .reachable), at: 0)
    _ = try runs(("office", .unreachable), at: 1000)
    #expect(runs(at: 2000) == [])
    let other = MonitorScript.configuration { $0.banner.graceDelay = .seconds(5) }
    _ = monitor.play(.configurationRead(other), at: 3000)
    #expect(try runs(("office", .reachable), at: 3500).count == 1)
    #expect(try runs(("office", .unreachable), at: 4000) == [])
    #expect(monitor.machine.nextDeadline == .seconds(9))
    #expect(runs(at: 8999) == [])
    #expect(runs(at: 9000) == ["hooks on-target(office unreachable) of 4"])
  }
}
