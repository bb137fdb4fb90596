package import NetworkPath

/// The condition that ends a wait.
package struct WaitCondition {
  package enum Goal: String, CaseIterable {
    case online, offline, change
  }

  /// Parts of a condition that cannot hold together, in a sentence.
  package struct Contradiction: Error, CustomStringConvertible {
    package let description: String
  }

  let goal: Goal
  /// If empty, any family suffices. If both, each is required.
  let families: [AddressFamily]
  let interface: String?
  /// The network to wait for, in place of the internet.
  let target: PathTarget?

  package init(
    _ goal: Goal, families: [AddressFamily] = [], interface: String? = nil, target: PathTarget? = nil
  ) throws(Contradiction) {
    if let target, let other = families.first(where: { $0 != target.network.address.family }) {
      throw Contradiction(
        description:
          "--target \(target) is no network of \(Self.name(other)): it contradicts -\(Self.digit(other))")
    }
    self.goal = goal
    self.families = families
    self.interface = interface
    self.target = target
  }

  /// Whether any route to the internet meets it.
  package var isOnlineAnyhow: Bool { goal == .online && families.isEmpty && interface == nil && target == nil }

  /// The path options that yield the path for this condition.
  package func options(_ configured: PathOptions) -> PathOptions {
    var options = configured
    if families.count == 1 { options.families = families }
    options.interface = interface
    // What the user assumes of the machine says nothing about a family or an interface.
    if !families.isEmpty || interface != nil { options.assumption = .nothing }
    if let target {
      options.targets = [target]
    } else if interface != nil {
      options.targets = []
    }
    return options
  }

  /// - Parameter first: the path when the wait began; nil if `path` is the first one.
  func isMet(by path: NWPath, first: NWPath?) -> Bool {
    switch goal {
    case .online: isThere(path)
    case .offline: !isThere(path)
    case .change: first.map { isOther($0, path) } ?? false
    }
  }

  /// A failed query of the kernel is not an outage.
  private func isThere(_ path: NWPath) -> Bool {
    if target != nil { return path.targets.allSatisfy(\.isReachable) }
    if !path.isKnown { return true }
    return switch path.status {
    case .unsatisfied: false
    case .satisfied, .requiresConnection: missing(in: path).isEmpty
    }
  }

  private func isOther(_ first: NWPath, _ path: NWPath) -> Bool {
    target == nil ? first != path : path.isKnown && first.targets.map(\.isReachable) != path.targets.map(\.isReachable)
  }

  /// The wanted families without a path. A single family is already in the path options.
  private func missing(in path: NWPath) -> [AddressFamily] {
    families.count < 2
      ? [] : families.filter { family in !(family == .ipv4 ? path.supportsIPv4 : path.supportsIPv6) }
  }

  // MARK: In words

  /// The awaited condition: `online by IPv6 on wlan0`, `office (10.20.0.0/16) to be reachable`.
  var description: String {
    let on = interface.map { " on \($0)" } ?? ""
    if let target {
      return switch goal {
      case .online: "\(target) to be reachable\(on)"
      case .offline: "\(target) to be unreachable\(on)"
      case .change: "a change of \(target)\(on)"
      }
    }
    let by = families.isEmpty ? "" : " by " + families.map(Self.name).joined(separator: " and ")
    return goal.rawValue + by + on
  }

  /// The reason for the path's state.
  func explanation(of path: NWPath) -> String {
    if target != nil, let target = path.targets.first {
      return target.explanation + (target.isByDefaultRoute && !target.isReachable ? "; --any-route accepts that" : "")
    }
    let without =
      path.isKnown && path.status == .satisfied ? missing(in: path).map { "; no \(Self.name($0))" }.joined() : ""
    return path.explanation + without
  }

  private static func name(_ family: AddressFamily) -> String { "IPv\(digit(family))" }

  private static func digit(_ family: AddressFamily) -> String {
    switch family {
    case .ipv4: "4"
    case .ipv6: "6"
    }
  }
}
