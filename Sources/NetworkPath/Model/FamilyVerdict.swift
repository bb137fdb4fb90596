/// What the look-ups of one family have found.
struct FamilyVerdict {
  var ways: [Way] = []
  /// The prefix lengths of all routes that matched, including those with dead legs.
  var prefixLengths: [Int] = []
  private(set) var obstacle: Obstacle?
  /// The errno of a question that the kernel did not answer.
  var fault: Int32?
  /// The kernel chooses an interface of a type that the program does not use.
  var isDiverted = false

  var isViable: Bool { !ways.isEmpty }

  /// Whether the loss may end within milliseconds: only a route or an address is missing, also under a tunnel, or the link of the route is
  /// down. While the links that were used carry packets, the route names another link. It may be up already: the kernel's answer is newer
  /// than its messages, of which the one about that link may not have been read.
  var isGap: Bool {
    guard !isViable, let obstacle else { return false }
    let reason = obstacle.under?.reason ?? obstacle.reason
    return reason.isGap || reason == .linkDown || reason == .noCarrier
  }

  mutating func note(_ new: Obstacle) {
    if obstacle.map({ new.rank > $0.rank }) ?? true { obstacle = new }
  }

  /// The obstacle concerns all ways.
  mutating func block(_ obstacle: Obstacle) {
    ways = []
    self.obstacle = obstacle
  }
}
