internal import OverlineTestSupport

/// Compares what a monitor said with what TCP did at the same time.
struct ClaimJudgement: Equatable {
  /// A time during which a monitor said that the network does not work.
  struct Claim: Equatable {
    var begin: Duration
    /// Nil while it stands.
    var end: Duration?
    var words: String
  }

  /// Claims while TCP worked.
  private(set) var falseClaims: [String] = []
  /// Claims while TCP did not work.
  private(set) var trueClaims = 0
  /// Claims beside which the visits are too rare to tell, on a busy machine.
  private(set) var unclearClaims = 0
  /// Times without TCP that no claim told of.
  private(set) var missedClaims: [String] = []

  /// A claim is true when a visit failed within this time before or after it: visits and claims are read by other threads than those that
  /// make them.
  static let tolerance = Duration.milliseconds(100)
  /// The monitor publishes no gap that is shorter.
  private static let shortestGap = Duration.milliseconds(50)
  /// How long a claim may stand while TCP works again.
  static let patience = Duration.seconds(6)
  /// The monitor must claim an outage within this time after the kernel refuses packets.
  static let refusalLimit = Duration.seconds(2)
  /// The same for packets without an answer: the monitor concludes nothing for 30 s after a new address or route.
  static let silenceLimit = Duration.seconds(45)

  init(_ claims: [Claim], _ visits: [TCPVisits.Visit], from start: Duration, until end: Duration) {
    let visits = visits.filter { start...end ~= $0.start }
    for claim in claims where claim.begin >= start {
      let near = claim.begin - Self.tolerance...claim.begin + Self.tolerance
      let around = visits.filter { near.contains($0.start) }
      if around.contains(where: { $0.outcome != .answered }) {
        trueClaims += 1
      } else if Self.couldHideAGap(around) {
        unclearClaims += 1
      } else {
        falseClaims.append(claim.words)
      }
    }
    for claim in claims {
      let during = visits.filter { $0.start >= max(claim.begin, start) && $0.start <= claim.end ?? end }
      if Self.runs(during, { $0 == .answered }).contains(where: { $0.end - $0.begin > Self.patience }) {
        falseClaims.append("kept: \(claim.words)")
      }
    }
    func isTold(_ run: Run, within limit: Duration) -> Bool {
      run.end - run.begin <= limit
        || claims.contains { $0.begin <= run.begin + limit && $0.end ?? end >= run.begin }
    }
    for run in Self.runs(visits, { $0 != .answered }) {
      let refused = Self.runs(visits.filter { $0.start >= run.begin && $0.start <= run.end }) {
        if case .refused = $0 { true } else { false }
      }
      if !isTold(run, within: Self.silenceLimit) {
        missedClaims.append("no answers for \(run.end - run.begin)")
      } else if let first = refused.first(where: { !isTold($0, within: Self.refusalLimit) }) {
        missedClaims.append("refused for \(first.end - first.begin)")
      }
    }
  }

  /// Whether TCP may have failed between two of these visits for so long that the monitor may publish it.
  private static func couldHideAGap(_ visits: [TCPVisits.Visit]) -> Bool {
    visits.count < 2 || zip(visits, visits.dropFirst()).contains { $1.start - $0.start >= shortestGap }
  }

  private typealias Run = (begin: Duration, end: Duration)

  /// The uninterrupted runs of visits whose outcome fits, from the first to the last of each.
  private static func runs(_ visits: [TCPVisits.Visit], _ fits: (TCPVisits.Outcome) -> Bool) -> [Run] {
    visits.split { !fits($0.outcome) }.map { ($0.first!.start, $0.last!.start) }
  }
}
