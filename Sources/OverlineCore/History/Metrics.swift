/// The metrics of a monitor, for Prometheus and compatible programs.
package struct Metrics: Equatable, Sendable {
  package enum Format: Equatable, Sendable {
    /// OpenMetrics 1.0.0, for scrapes.
    case openMetrics
    /// Prometheus' text format 0.0.4, the only one that the node exporter's textfile collector reads.
    case prometheus
  }

  /// The states of a network. Queries that count offline machines need a sample for each state, also with the value 0.
  package static let states = ["online", "offline", "limited", "unknown"]

  /// One of ``states``.
  package var state: String
  /// Milliseconds since 1970.
  package var since: Int64
  /// When the monitor started.
  package var start: Int64
  package var totals: OutageLedger.Totals
  /// The number of path changes, and of overruns: the kernel dropped messages for this process.
  package var updates: Int
  package var overruns: Int
  package var version: String

  package init(
    state: String, since: Int64, start: Int64, totals: OutageLedger.Totals, updates: Int, overruns: Int,
    version: String
  ) {
    self.state = state
    self.since = since
    self.start = start
    self.totals = totals
    self.updates = updates
    self.overruns = overruns
    self.version = version
  }

  package func text(_ format: Format) -> String {
    var text = ""
    func family(_ name: String, _ type: String, _ help: String, _ samples: [(labels: String, value: String)]) {
      // OpenMetrics names a counter's family without the suffix of its samples.
      let isCounter = type == "counter"
      let sample = isCounter ? "\(name)_total" : name
      let family = format == .prometheus ? sample : name
      text += "# HELP \(family) \(help)\n# TYPE \(family) \(type)\n"
      for (labels, value) in samples { text += "\(sample)\(labels) \(value)\n" }
    }
    func one(_ value: some CustomStringConvertible) -> [(labels: String, value: String)] { [("", "\(value)")] }
    family(
      "overline_state", "gauge", "Whether the network is in this state.",
      Self.states.map { ("{state=\"\($0)\"}", $0 == state ? "1" : "0") })
    family(
      "overline_state_since_timestamp_seconds", "gauge", "When the network entered its state.", one(seconds(since)))
    family("overline_outages", "counter", "Times that the network was lost.", one(totals.outages))
    family(
      "overline_offline_seconds", "counter", "Seconds without a network while the machine was awake.",
      one(seconds(totals.offline)))
    family(
      "overline_limited_seconds", "counter", "Seconds with a limited connection while the machine was awake.",
      one(seconds(totals.limited)))
    family("overline_path_updates", "counter", "Changes of the network path.", one(updates))
    family(
      "overline_netlink_overruns", "counter", "Times that the kernel dropped messages for want of buffer space.",
      one(overruns))
    family("overline_start_timestamp_seconds", "gauge", "When the monitor started.", one(seconds(start)))
    family("overline_build_info", "gauge", "The monitor's version.", [("{version=\"\(escaped(version))\"}", "1")])
    return format == .openMetrics ? text + "# EOF\n" : text
  }

  /// Formats seconds without rounding and without an exponent.
  private func seconds(_ milliseconds: Int64) -> String {
    let rest = String(abs(milliseconds) % 1000)
    return
      "\(milliseconds < 0 ? "-" : "")\(abs(milliseconds) / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  private func escaped(_ label: String) -> String {
    label.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : $1 == "\n" ? "\\n" : String($1) }
  }
}
