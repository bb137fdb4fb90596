/// What the user says about interfaces, which no kernel knows.
public struct PathOptions: Hashable, Sendable {
  /// Interfaces that never carry the path.
  public var ignored: [InterfaceGlob]
  /// Interfaces that cost money by use.
  public var expensive: [InterfaceGlob]
  /// Interfaces to be used sparingly.
  public var constrained: [InterfaceGlob]

  public init(ignored: [InterfaceGlob] = [], expensive: [InterfaceGlob] = [], constrained: [InterfaceGlob] = []) {
    self.ignored = ignored
    self.expensive = expensive
    self.constrained = constrained
  }
}

extension [InterfaceGlob] {
  /// Whether any of them stands for this name.
  func match(_ name: String) -> Bool { contains { $0.matches(name) } }
}
