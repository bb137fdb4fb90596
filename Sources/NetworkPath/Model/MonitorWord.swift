/// What the running monitor has found, for a process that has just started. The monitor has watched for longer.
package struct MonitorWord: Equatable, Sendable {
  /// Whether it is offline for a reason that ends only with a router's answer.
  package var mayWaitForRouter: Bool
  /// The time when its state began, for the user: `12:04`.
  package var since: String
  /// The path's routers that it has found silent.
  package var silent: [Gateway: RouterSilence]
  /// The tunnel that carries its packets for the internet, or one that it has found dead.
  package var tunnel: TunnelWord?

  package init(
    mayWaitForRouter: Bool, since: String, silent: [Gateway: RouterSilence] = [:], tunnel: TunnelWord? = nil
  ) {
    self.mayWaitForRouter = mayWaitForRouter
    self.since = since
    self.silent = silent
    self.tunnel = tunnel
  }
}

extension NWPath {
  /// This path of a single look, as the monitor sees it: the monitor is still offline, because none of these routers has answered since the
  /// outage.
  func waiting(for routers: Set<Gateway>, since: String) -> NWPath {
    var path = NWPath(status: .unsatisfied, reason: .routerSilent)
    path.availableInterfaces = availableInterfaces
    path.gateways = gateways
    path.targets = targets
    let names = routers.sorted().map(\.address.description).joined(separator: " or ")
    path.cause = "monitor, since \(since): no answer from \(names) yet"
    path.explanation = "offline: \(path.cause)"
    return path
  }
}
