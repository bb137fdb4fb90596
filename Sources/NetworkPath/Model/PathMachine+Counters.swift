extension PathMachine {
  /// Counts of events, for diagnostics.
  package struct Counters: Equatable, Sendable {
    package var overruns = 0
    package var updates = 0
    package var evaluations = 0
    package init() {}
  }
}
