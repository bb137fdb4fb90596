/// The user's settings for interfaces and networks, which the kernel does not have.
package struct PathOptions: Hashable, Sendable {
  /// Interfaces that never carry the path.
  package var ignored: [InterfaceGlob]
  /// Interfaces that cost money by use.
  package var expensive: [InterfaceGlob]
  /// Interfaces that should be used sparingly.
  package var constrained: [InterfaceGlob]
  /// The only type of interface that may carry the path; nil for any. A tunnel is of type `other`, whatever link is under it.
  package var requiredInterfaceType: NWInterface.InterfaceType?
  /// Types of interface that must not carry the path, nor a tunnel that does.
  package var prohibitedInterfaceTypes: Set<NWInterface.InterfaceType>
  /// Networks that must be reachable, reported beside the path in this order.
  package var targets: [PathTarget]
  /// The families that count for the path.
  package var families: [AddressFamily]
  /// The only interface to look up, by the kernel's name for it; nil for any that the kernel would take. One that does not
  /// exist (yet) carries nothing.
  package var interface: String?

  package init(
    ignored: [InterfaceGlob] = [], expensive: [InterfaceGlob] = [], constrained: [InterfaceGlob] = [],
    targets: [PathTarget] = [], families: [AddressFamily] = AddressFamily.allCases, interface: String? = nil,
    requiredInterfaceType: NWInterface.InterfaceType? = nil,
    prohibitedInterfaceTypes: Set<NWInterface.InterfaceType> = []
  ) {
    self.ignored = ignored
    self.expensive = expensive
    self.constrained = constrained
    self.targets = targets
    self.families = families
    self.interface = interface
    self.requiredInterfaceType = requiredInterfaceType
    self.prohibitedInterfaceTypes = prohibitedInterfaceTypes
  }

  /// Whether some types of interface do not carry the path.
  var areSelective: Bool { requiredInterfaceType != nil || !prohibitedInterfaceTypes.isEmpty }

  func admit(_ type: NWInterface.InterfaceType) -> Bool {
    (requiredInterfaceType == nil || requiredInterfaceType == type) && !prohibitedInterfaceTypes.contains(type)
  }
}

extension [InterfaceGlob] {
  /// Whether any of them matches this name.
  func match(_ name: String) -> Bool { contains { $0.matches(name) } }
}
