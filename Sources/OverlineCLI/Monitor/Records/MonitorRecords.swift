internal import Configuration
internal import History
internal import ObserverProtocol
internal import POSIX
internal import PathModel

/// What the monitor writes down: outages in the history, and figures for Prometheus.
///
/// Used on the monitor's queue only.
final class MonitorRecords {
  private var ledger: OutageLedger
  private let store: HistoryStore?
  private let file: MetricsFile
  private let start = WallTime.now.milliseconds
  private var state = "unknown"
  private var since: Int64
  private var settings: Configuration
  private var counters = PathMachine.Counters()

  init(_ settings: Configuration, complain: @escaping @Sendable (String) -> Void) {
    self.settings = settings
    since = start
    ledger = OutageLedger(session: .own)
    file = MetricsFile(complain: complain)
    store = HistoryPlace.own.map { HistoryStore($0, complain: complain) }
    if store == nil && settings.history.keep > 0 {
      complain("outages cannot be remembered: neither XDG_STATE_HOME nor HOME is set")
    }
  }

  func apply(_ settings: Configuration) {
    let isOther = settings.metrics != self.settings.metrics
    self.settings = settings
    if isOther { writeMetrics() }
  }

  /// The network is this now.
  ///
  /// - Parameter counters: what the path's watcher has counted.
  func note(_ path: NWPath, counters: PathMachine.Counters) {
    self.counters = counters
    let now = HistoryTime.now
    if let record = ledger.note(OutageLedger.Network(path), at: now) { write(record) }
    let new = path.isKnown ? (path.status == .unsatisfied ? "offline" : "online") : "unknown"
    if new != state {
      state = new
      since = now.wall
      writeMetrics()
    }
  }

  func metrics(counters: PathMachine.Counters) -> Metrics {
    Metrics(
      state: state, since: since, start: start, totals: ledger.totals(at: .now), updates: counters.updates,
      overruns: counters.overruns, version: Version.text)
  }

  /// The monitor ends. Waits a moment for the disk.
  func end() {
    if let record = ledger.end(at: .now) { write(record) }
    file.remove()
    store?.finish()
  }

  private func write(_ record: HistoryRecord) {
    if settings.history.keep > 0 { store?.write(record, keeping: settings.history.keep) }
  }

  private func writeMetrics() {
    file.write(
      settings.metrics.textfile == nil ? "" : metrics(counters: counters).text(.prometheus),
      to: settings.metrics.textfile)
  }
}

extension OutageLedger.Network {
  /// Nil when the kernel could not be asked.
  fileprivate init?(_ path: NWPath) {
    if !path.isKnown { return nil }
    self =
      switch path.status {
      case .unsatisfied: .offline(reason: path.reason?.rawValue, explanation: path.explanation)
      case .satisfied, .requiresConnection: .online(interface: path.availableInterfaces.first?.name)
      }
  }
}
