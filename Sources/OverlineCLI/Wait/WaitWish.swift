internal import NetworkPath

/// What someone waits for.
struct WaitWish {
  let goal: WaitCommand.Goal
  /// Empty: any. Both: each of them.
  let families: [AddressFamily]
  let interface: String?
  /// The network that is to be reachable, in place of the internet.
  let target: PathTarget?
  /// A private network counts also by the default route, which says nothing of it.
  let acceptsAnyRoute: Bool

  /// Throws an error of usage when the parts contradict each other.
  init(
    _ goal: WaitCommand.Goal, families: [AddressFamily] = [], interface: String? = nil, target: PathTarget? = nil,
    acceptsAnyRoute: Bool = false
  ) throws(CommandError) {
    if let target, let other = families.first(where: { $0 != target.network.address.family }) {
      throw CommandError(
        "--target \(target) is no network of \(Self.name(other)): it contradicts -\(Self.digit(other))", status: .usage)
    }
    self.goal = goal
    self.families = families
    self.interface = interface
    self.target = target
    self.acceptsAnyRoute = acceptsAnyRoute
  }

  /// What is asked, so that the path is the one that is wished for.
  func options(_ configured: PathOptions) -> PathOptions {
    var options = configured
    if families.count == 1 { options.families = families }
    options.interface = interface
    if let target {
      options.targets = [target]
    } else if interface != nil {
      options.targets = []
    }
    return options
  }

  /// - Parameter first: what was there when the wait began; nil when this is it.
  func isMet(by path: NWPath, first: NWPath?) -> Bool {
    switch goal {
    case .online: isThere(path)
    case .offline: !isThere(path)
    case .change: first.map { isOther($0, path) } ?? false
    }
  }

  /// A kernel that cannot be asked is no outage.
  private func isThere(_ path: NWPath) -> Bool {
    if target != nil { return path.targets.allSatisfy(isThere) }
    if !path.isKnown { return true }
    return switch path.status {
    case .unsatisfied: false
    case .satisfied, .requiresConnection: missing(in: path).isEmpty
    }
  }

  private func isThere(_ target: NWPath.Target) -> Bool {
    target.isReachable && (acceptsAnyRoute || !target.isByDefaultRoute)
  }

  private func isOther(_ first: NWPath, _ path: NWPath) -> Bool {
    target == nil ? first != path : path.isKnown && first.targets.map(isThere) != path.targets.map(isThere)
  }

  /// The wanted families that are not there. One alone is part of the question.
  private func missing(in path: NWPath) -> [AddressFamily] {
    families.count < 2
      ? [] : families.filter { family in !(family == .ipv4 ? path.supportsIPv4 : path.supportsIPv6) }
  }

  // MARK: In words

  /// What is waited for: `online by IPv6 on wlan0`, `office (10.20.0.0/16) to be reachable`.
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

  /// Why it is as it is.
  func explanation(of path: NWPath) -> String {
    if target != nil, let target = path.targets.first {
      return target.explanation + (target.isReachable && !isThere(target) ? "; --any-route accepts that" : "")
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
