internal import OverlineSystem
internal import OverlineTestSupport

/// What to measure, and how long.
struct Plan: Sendable {
  /// The path of the measured program.
  let overline: String
  /// An earlier build of it to compare with.
  let baseline: Baseline?
  /// Shortens measurements that take minutes: for development, not for published figures.
  let isQuick: Bool

  /// How often the programs of a row take turns.
  var rounds: Int { isQuick ? 3 : 9 }

  /// The measured program, and the earlier build if there is one.
  var programs: [String] { [overline] + (baseline.map { [$0.path] } ?? []) }

  /// The earlier build as a row's peer.
  ///
  /// - Parameter values: those of each of `programs`.
  func peer(_ values: [[Double]]) -> Figure.Peer? {
    baseline.map { .init(name: $0.version, values: values[1]) }
  }

  /// A row beside the earlier build, if there is one, for figures that have another peer too.
  func beside(_ what: String, unit: String, _ values: [[Double]], _ goal: Figure.Goal = .none) -> [Figure] {
    peer(values).map { [Figure(what: what, unit: unit, ours: values[0], peer: $0, goal: goal)] } ?? []
  }

  struct Baseline: Sendable {
    let path: String
    /// Without the commit.
    let version: String

    init(_ path: String) throws {
      self.path = path
      let result = try Subprocess.run(path, ["--version"])
      version = String(result.outputText.prefix { $0 != "+" && !$0.isWhitespace })
      if result.status != 0 || version.isEmpty { throw TestKitError("\(path) is no build of overline") }
    }
  }
}
