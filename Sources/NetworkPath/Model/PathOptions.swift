/// The user's settings for interfaces and networks. The kernel does not store them.
package struct PathOptions: Hashable, Sendable {
  /// Interfaces that never carry the path.
  package var ignored: [InterfaceGlob]
  /// Interfaces that cost money by use.
  package var expensive: [InterfaceGlob]
  /// Interfaces that should be used sparingly.
  package var constrained: [InterfaceGlob]
  /// The only type of interface that may carry the path; nil for any. A tunnel is of type `other`, whatever link is under it.
  package var requiredInterfaceType: NWInterface.InterfaceType?
  /// Types of interface that must carry neither the path nor a tunnel of the path.
  package var prohibitedInterfaceTypes: Set<NWInterface.InterfaceType>
  /// Networks that must be reachable, reported beside the path in this order.
  package var targets: [PathTarget]
  /// The networks whose routes decide, in place of the internet; empty for the internet.
  package var onlineMeans: [IPPrefix] = []
  /// What the path says whatever the kernel answers.
  package var assumption = Assumption.nothing
  /// The families that count for the path.
  package var families: [AddressFamily]
  /// The name of the only interface to look up; nil for any that the kernel would take. An interface that does not exist (yet) carries
  /// nothing.
  package var interface: String?

  /// Whether only the claims of version 0.2 are made. These are new since: an outage lasts until the router answers; a router that never
  /// answered is silent; this machine refuses connections, or sends no data; a tunnel leads into itself.
  package var isClassic: Bool
  /// Whether a router that does not answer counts as an outage.
  package var detectsSilence: Bool
  /// Whether the path reports TCP connections without answers (``NWPath/noAnswers``).
  package var detectsNoAnswers: Bool
  /// Whether the path reports TCP connections whose data this machine does not send (``NWPath/notSent``).
  package var detectsNotSent: Bool
  /// Whether an empty datagram may be sent to a router that stopped answering.
  package var mayKick: Bool
  /// Whether TCP connections may be opened to hosts that stopped answering.
  package var mayAsk: Bool

  /// Whether the quality of the connection is measured (``NWPath/linkQuality-swift.property``).
  package var quality = QualityUse.unmeasured

  package enum Assumption: String, Equatable, Sendable, CaseIterable {
    case nothing, online
  }

  /// `10.3.4.0/24, 10.9.0.1/32`
  package var onlineNames: String { onlineMeans.map(\.description).joined(separator: ", ") }

  /// Each costs a look-up at every change of the network.
  package static let maximumNetworkCount = 8

  package init(
    ignored: [InterfaceGlob] = [], expensive: [InterfaceGlob] = [], constrained: [InterfaceGlob] = [],
    targets: [PathTarget] = [], families: [AddressFamily] = AddressFamily.allCases, interface: String? = nil,
    requiredInterfaceType: NWInterface.InterfaceType? = nil,
    prohibitedInterfaceTypes: Set<NWInterface.InterfaceType> = [], detectsSilence: Bool = true,
    detectsNoAnswers: Bool = true, detectsNotSent: Bool = true, mayKick: Bool = true, mayAsk: Bool = false,
    isClassic: Bool = false
  ) {
    self.isClassic = isClassic
    self.detectsSilence = detectsSilence
    self.detectsNoAnswers = detectsNoAnswers
    self.detectsNotSent = detectsNotSent
    self.mayKick = mayKick
    self.mayAsk = mayAsk
    self.ignored = ignored
    self.expensive = expensive
    self.constrained = constrained
    self.targets = targets
    self.families = families
    self.interface = interface
    self.requiredInterfaceType = requiredInterfaceType
    self.prohibitedInterfaceTypes = prohibitedInterfaceTypes
  }

  /// Whether anything depends on the routers by which the path leads.
  var needsRouters: Bool { detectsSilence || looksAtConnections }
  /// Whether anything depends on the machine's TCP connections.
  var looksAtConnections: Bool { detectsNoAnswers || watchesSending }
  /// Whether unsent data is looked for.
  var watchesSending: Bool { detectsNotSent && !isClassic }

  /// Whether the options exclude some types of interface.
  var areSelective: Bool { requiredInterfaceType != nil || !prohibitedInterfaceTypes.isEmpty }

  func admit(_ type: NWInterface.InterfaceType) -> Bool {
    (requiredInterfaceType == nil || requiredInterfaceType == type) && !prohibitedInterfaceTypes.contains(type)
  }
}

extension [InterfaceGlob] {
  /// Whether any of the patterns matches this name.
  func match(_ name: String) -> Bool { contains { $0.matches(name) } }
}
