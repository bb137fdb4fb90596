/// What earlier looks at a tunnel have found. One look alone cannot find it.
package struct TunnelMemory: Equatable, Sendable {
  /// A link under the tunnel.
  package struct Lower: Equatable, Sendable {
    package var index: Int
    package var name: String

    package init(index: Int, name: String) {
      self.index = index
      self.name = name
    }
  }

  /// The link by which the kernel last sent packets like the tunnel's own; nil before a look has found one.
  package var lower: Lower?
  /// The single hosts, such as the VPN's server, to which routes led out of the machine under the tunnel.
  package var servers: [IPPrefix] = []
  /// Whether the routes of the link under the tunnel must be read: it carries the tunnel anew.
  package var isInDoubt = true
  /// The faults in spite of which the tunnel received packets: they prove nothing.
  package var refuted: TunnelCause?
  /// Whether the tunnel's own packets lead into the tunnel.
  package var isLooping = false
  /// The running monitor's word that the tunnel is dead.
  package var word: TunnelWord?

  package init(lower: Lower? = nil) { self.lower = lower }
}

/// The faults of the links under a tunnel: why it is taken for dead.
package struct TunnelCause: Equatable, Sendable {
  /// By the link's index.
  package var faults: [Int: NWPath.Reason]

  package init(faults: [Int: NWPath.Reason]) { self.faults = faults }
}

/// The running monitor's word about a tunnel, for a process that has just started and remembers nothing.
package enum TunnelWord: Equatable, Sendable {
  /// The monitor is online by this tunnel.
  case alive(tunnel: String)
  /// The monitor has found this tunnel dead, at the time `since`.
  case dead(DeadTunnel, since: String)
}

/// What a process knows about tunnels besides the kernel's answers of the moment.
package struct TunnelKnowledge: Equatable, Sendable {
  /// By the tunnel's index.
  package var memories: [Int: TunnelMemory]
  /// The running monitor's word, until the first look has used it.
  package var word: TunnelWord?
  /// The servers of the tunnels. A machine may have routes to thousands of single hosts, and the filter for their messages has few places.
  package var servers: [IPPrefix] {
    Array(Set(memories.values.flatMap(\.servers)).sorted { $0.address.value < $1.address.value }.prefix(8))
  }
  /// False for a process that looks once: it has no later look to remember anything for.
  package var remembers: Bool

  package init(memories: [Int: TunnelMemory] = [:], word: TunnelWord? = nil, remembers: Bool = false) {
    self.memories = memories
    self.word = word
    self.remembers = remembers
  }
}
