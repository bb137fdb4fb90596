/// Decides when a path watcher looks at the quality of the connection, and what its path says of it. A value without a clock.
///
/// The kernel sends no event when a connection becomes slow. So it looks every five seconds while a user wants to know, and never
/// otherwise.
package struct QualityMachine: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    /// The path was decided.
    case evaluated(NWPath, QualityUse)
    /// Nil if the look has failed.
    case looked(QualityLook?)
    case clockStepped
    case deadlinePassed
  }

  package enum Effect: Equatable, Sendable {
    /// Look at the connections, and return the look as an event.
    case look
    /// ``QualityMachine/report`` has changed.
    case publish
  }

  /// The quality that the path reports; nil while it is unknown.
  package private(set) var report: QualityReport?
  package private(set) var nextDeadline: Duration?
  private var meter = QualityMeter()
  private var way = Way()
  private var use = QualityUse.unmeasured

  /// Where the packets leave. Another way has another quality.
  private struct Way: Equatable {
    var interfaces: [NWInterface] = []
    var gateways: [NWEndpoint] = []

    init() {}

    init(_ path: NWPath) {
      interfaces = path.usedInterfaces
      gateways = path.gateways
    }
  }

  package static let interval = Duration.seconds(5)
  /// The pause after a look, in multiples of its processor time.
  private static let rest = 400

  package init() {}

  package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .evaluated(let path, let use):
      return evaluate(Way(path), path.status == .satisfied && path.isKnown ? use : .unmeasured, at: now)
    case .looked(let look):
      guard use != .unmeasured else { return [] }
      let found = look ?? QualityLook()
      nextDeadline = max(nextDeadline ?? .zero, now + found.cost * Self.rest)
      meter.take(found, at: now)
      return conclude()
    case .clockStepped:
      // The machine has slept: the figures are from before.
      meter = QualityMeter()
      return conclude()
    case .deadlinePassed:
      guard let deadline = nextDeadline, deadline <= now else { return [] }
      nextDeadline = Self.next(after: now)
      return [.look]
    }
  }

  /// Whole multiples of the interval: all processes that measure wake the processor together.
  private static func next(after now: Duration) -> Duration {
    interval * (now.components.seconds / interval.components.seconds + 1)
  }

  private mutating func evaluate(_ current: Way, _ new: QualityUse, at now: Duration) -> [Effect] {
    if current != way || new == .unmeasured { meter = QualityMeter() }
    way = current
    use = new
    nextDeadline = new == .unmeasured ? nil : nextDeadline ?? now
    return conclude()
  }

  private mutating func conclude() -> [Effect] {
    var new = meter.agreed.report
    // A path is published again when its quality changes, and not with each new figure.
    if let report, new?.level == report.level { new = report }
    let isLimit = use == .limiting && new?.level == .minimal
    new?.isLimit = isLimit
    guard new != report else { return [] }
    report = new
    return [.publish]
  }
}
