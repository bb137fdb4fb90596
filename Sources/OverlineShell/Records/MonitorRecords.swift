package import NetworkPath
package import Overline
package import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The monitor's records: outages in the history, and figures for Prometheus.
///
/// Used on the monitor's queue only.
package final class MonitorRecords {
  private var ledger: OutageLedger
  private let store: HistoryStore?
  private let file: MetricsFile
  private let start = WallTime.now.milliseconds
  /// Nil until the first path. So the first path always replaces a killed monitor's file.
  private var state: String?
  private var since: Int64
  private var settings: Configuration
  private let version: String
  private var counters = PathMachine.Counters()

  package init(_ settings: Configuration, version: String, warn: @escaping @Sendable (String) -> Void) {
    self.settings = settings
    self.version = version
    since = start
    ledger = OutageLedger(session: .own)
    file = MetricsFile(warn: warn)
    store = HistoryPlace.own.map { HistoryStore($0, warn: warn) }
    if store == nil && settings.history.keep > 0 {
      warn("outages cannot be recorded: \(UserFolders().homeFault)")
    }
  }

  package func apply(_ settings: Configuration) {
    let isOther = settings.metrics != self.settings.metrics
    self.settings = settings
    if isOther { writeMetrics() }
  }

  /// Records the network's state. A limited connection is no outage: outages come from the kernel, not from one server's answers.
  ///
  /// - Parameters:
  ///   - limitation: the reason why this path is limited; nil for none.
  ///   - counters: the path watcher's counters.
  package func note(_ path: NWPath, _ limitation: Limitation?, counters: PathMachine.Counters) {
    self.counters = counters
    let now = HistoryTime.now
    for record in ledger.note(OutageLedger.Network(path, limitation), at: now) { write(record) }
    // Metrics ignore the banner: *Back online* counts as online.
    let new = ObserverState.state(of: path, isLimited: limitation != nil, phase: .hidden).rawValue
    if new != state {
      state = new
      since = now.wall
      writeMetrics()
    }
  }

  package func metrics(counters: PathMachine.Counters) -> Metrics {
    Metrics(
      state: state ?? "unknown", since: since, start: start, totals: ledger.totals(at: .now), updates: counters.updates,
      overruns: counters.overruns, version: version)
  }

  /// Ends the records with the monitor. Waits a moment for the disk.
  package func end() {
    if let record = ledger.end(at: .now) { write(record) }
    file.remove()
    store?.finish()
  }

  private func write(_ record: HistoryRecord) {
    if settings.history.keep > 0 { store?.write(record, keeping: settings.history.keep) }
  }

  private func writeMetrics() {
    file.write(
      settings.metrics.textfile.map {
        MetricsFile.Contents(path: $0, text: metrics(counters: counters).text(.prometheus))
      })
  }
}
