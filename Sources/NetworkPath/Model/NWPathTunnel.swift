extension NWPath {
  /// A tunnel of this machine: the interface of a VPN, and what it has to do with the path.
  public struct Tunnel: Hashable, Sendable {
    /// Whether packets for the internet go into a tunnel.
    public enum Use: String, Hashable, Sendable, CaseIterable {
      /// The kernel sends packets for the internet into the tunnel.
      case carries
      /// The tunnel is up, but the kernel sends packets for the internet past it, or nowhere. The tunnel of a VPN for some networks only is
      /// bypassed too.
      case bypassed
      /// The tunnel is switched off or not connected, or no link can carry its packets.
      case down
    }

    /// The tunnel's own interface.
    public let interface: NWInterface
    /// Whether packets for the internet go into the tunnel.
    public let use: Use
    /// The interface by which the tunnel's packets leave this machine. Nil if the tunnel carries no packets for the internet, and if its
    /// packets leave from another network namespace.
    public let underlay: NWInterface?
    /// One sentence for users: `VPN tun0 over wlan0`, `VPN tun0 is up, but the default route bypasses it`.
    public let explanation: String

    /// The families whose packets for the internet go into no tunnel, while those of the other family go into this one.
    package let bypassing: [AddressFamily]

    package init(
      interface: NWInterface, use: Use, underlay: NWInterface? = nil, bypassing: [AddressFamily] = [],
      explanation: String
    ) {
      self.bypassing = bypassing
      self.interface = interface
      self.use = use
      self.underlay = underlay
      self.explanation = explanation
    }
  }
}
