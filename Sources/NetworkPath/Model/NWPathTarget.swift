extension NWPath {
  /// The verdict on a network that the user named.
  public struct Target: Hashable, Sendable {
    /// The user's name for it.
    public let name: String
    /// Its addresses.
    public let network: IPPrefix
    /// Satisfied also when the monitor could not ask the kernel. See ``isKnown``.
    public let status: Status
    /// Whether the monitor could ask the kernel.
    public let isKnown: Bool
    /// The reason why the network is not reachable; nil when it is.
    public let reason: Reason?
    /// True if the network is private and only the default route, or a part of it, leads there, outside of a tunnel. The kernel sends
    /// packets there even while the VPN to the network is off, so the network counts as reachable only by ``PathTarget/Route/any``.
    public let isByDefaultRoute: Bool
    /// One sentence: `office (10.20.0.0/16) is not reachable: no route leads there`.
    public let explanation: String

    /// Whether the kernel would send a packet for the network out of a link that can carry it. Also true when the monitor could not ask the
    /// kernel: only a known outage counts.
    public var isReachable: Bool { status != .unsatisfied }

    /// The status in one word: `unknown` when the monitor could not ask the kernel.
    package var statusName: String { isKnown ? status.word : "unknown" }

    package init(
      name: String, network: IPPrefix, status: Status, isKnown: Bool = true, reason: Reason? = nil,
      isByDefaultRoute: Bool = false, explanation: String = ""
    ) {
      self.name = name
      self.network = network
      self.status = status
      self.isKnown = isKnown
      self.reason = reason
      self.isByDefaultRoute = isByDefaultRoute
      self.explanation = explanation
    }
  }
}
