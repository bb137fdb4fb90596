/// Interface names as configurations write them: `*` stands for any characters, `?` for one.
public struct InterfacePatterns: Hashable, Sendable {
  public var patterns: [String]

  public init(_ patterns: [String] = []) { self.patterns = patterns }

  public func matches(_ name: String) -> Bool {
    patterns.contains { Self.matches(Array($0.utf8)[...], Array(name.utf8)[...]) }
  }

  private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    var pattern = pattern
    var name = name
    // Where to go on when the characters after the last star do not fit: one character further.
    var retry: (pattern: ArraySlice<UInt8>, name: ArraySlice<UInt8>)?
    while true {
      if pattern.first == UInt8(ascii: "*") {
        pattern = pattern.dropFirst()
        retry = (pattern, name)
      } else if let wanted = pattern.first, let found = name.first, wanted == UInt8(ascii: "?") || wanted == found {
        pattern = pattern.dropFirst()
        name = name.dropFirst()
      } else if pattern.isEmpty && name.isEmpty {
        return true
      } else if let (afterStar, from) = retry, !from.isEmpty {
        pattern = afterStar
        name = from.dropFirst()
        retry = (afterStar, name)
      } else {
        return false
      }
    }
  }
}

/// What the user says about interfaces, which no kernel knows.
public struct PathOptions: Hashable, Sendable {
  /// Interfaces that never carry the path.
  public var ignored: InterfacePatterns
  public var expensive: InterfacePatterns
  public var constrained: InterfacePatterns

  public init(
    ignored: InterfacePatterns = .init(), expensive: InterfacePatterns = .init(),
    constrained: InterfacePatterns = .init()
  ) {
    self.ignored = ignored
    self.expensive = expensive
    self.constrained = constrained
  }
}
