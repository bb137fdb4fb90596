import Dispatch
import NetworkPath
import Overline
import OverlineCore
import OverlineSystem
import Testing

let eth0 = NWInterface(name: "eth0", index: 2, type: .wiredEthernet)

private let gateway = NWEndpoint.hostPort(host: .ipv4(IPv4Address("192.0.2.1")!), port: 0)

let onlinePath = NWPath(
  status: .satisfied, explanation: "online via eth0, wired, gateway 192.0.2.1, IPv4, IPv6, DNS",
  availableInterfaces: [eth0], gateways: [gateway], supportsIPv4: true, supportsIPv6: true,
  supportsDNS: true)
let offlinePath = NWPath(
  status: .unsatisfied, reason: .linkDown, explanation: "offline: default via 192.0.2.1 dev eth0 has no carrier",
  cause: "eth0 has no carrier", availableInterfaces: [eth0], gateways: [gateway])

let time = "2026-11-20T21:04:05.123Z"

func online(_ seq: Int = 1) -> ObserverState {
  ObserverState(
    seq: seq, time: time, since: time, path: onlinePath, phase: .hidden, appearance: nil, inset: TerminalInsets())
}

func offline(_ seq: Int = 42, title: String = "No connection") -> ObserverState {
  var appearance = BannerAppearance.offline
  appearance.title = title
  return ObserverState(
    seq: seq, time: time, since: "2026-11-20T21:04:05.120Z", path: offlinePath, phase: .presented,
    appearance: appearance, inset: TerminalInsets(top: 1))
}

/// A reachable target, an unreachable one, and one that could not be checked.
func withTargets() throws -> ObserverState {
  let targets = try [("office", "10.20.0.0/16"), ("nas", "192.0.2.7"), ("vpn", "2001:db8::/32")].map {
    try PathTarget(name: $0.0, network: $0.1)
  }
  var path = onlinePath
  path.targets = [
    .init(
      name: "office", network: targets[0].network, status: .unsatisfied, reason: .noCarrier, explanation: "office: no"),
    .init(name: "nas", network: targets[1].network, status: .satisfied, isByDefaultRoute: true),
    .init(name: "vpn", network: targets[2].network, status: .satisfied, isKnown: false),
  ]
  return ObserverState(
    seq: 7, time: time, since: time, path: path, phase: .hidden, appearance: nil, inset: TerminalInsets())
}

/// Waits until the condition holds, checking every millisecond; false after thirty seconds.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = BootClock.now + .seconds(30)
  let never = DispatchSemaphore(value: 0)
  while try !condition() {
    if BootClock.now > deadline { return false }
    _ = never.wait(timeout: .now() + .milliseconds(1))
  }
  return true
}
