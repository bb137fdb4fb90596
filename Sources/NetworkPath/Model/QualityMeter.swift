/// Reads the quality of the connection from looks at the machine's TCP connections.
///
/// A value without a clock. One look tells little: a round trip that the kernel remembers may be old. So each look is compared with the
/// one before, and a quality counts when two looks in a row agree.
package struct QualityMeter: Hashable, Sendable {
  /// The segments to one host between two looks.
  private struct Count: Hashable {
    var host: Int
    var sent: UInt32
    var lost: UInt32
    var time: Duration
  }

  private var samples: [UInt64: QualitySample] = [:]
  private var counts: [Count] = []
  /// The newest reading with any figure, and its time.
  package private(set) var reading = QualityReading()
  private var readAt: Duration?
  /// The newest reading on whose level two looks have agreed; without any figure while the quality is unknown.
  package private(set) var agreed = QualityReading()

  /// Losses are counted over this time. A reading without a newer one counts for the same time.
  private static let memory = Duration.seconds(30)
  /// Losses count with so many segments to each of two hosts, and so many in all.
  private static let minimumHostSegments = 10
  private static let minimumSegments = 60
  /// The segments that must remain without the host that lost most: its loss may be its own.
  private static let minimumOtherSegments = 30

  package init() {}

  /// - Parameter look: the looks follow each other by a few seconds.
  package mutating func take(_ look: QualityLook, at now: Duration) {
    let delays = look.samples.compactMap { sample -> (sample: QualitySample, roundTrip: Duration)? in
      let newest =
        samples[sample.connection].map { sample.roundTrip(since: $0) }
        ?? (sample.isSettled ? sample.roundTrip : nil)
      return newest.map { (sample, $0) }
    }
    noteLosses(look.samples, at: now)
    samples = Dictionary(look.samples.map { ($0.connection, $0) }) { $1 }
    var newest = Self.reading(of: delays)
    newest.sentAgain = sentAgain
    guard newest.level != .unknown else { return forget(at: now) }
    // Losses are counted over half a minute: without a new round trip the last one stands.
    if newest.roundTrip == nil {
      (newest.roundTrip, newest.shortest, newest.hosts) = (reading.roundTrip, reading.shortest, reading.hosts)
    }
    conclude(newest, at: now)
  }

  /// The quality is unknown when no connection has had traffic for a while.
  private mutating func forget(at now: Duration) {
    guard let readAt, now - readAt >= Self.memory else { return }
    reading = QualityReading()
    agreed = QualityReading()
    self.readAt = nil
  }

  private mutating func conclude(_ newest: QualityReading, at now: Duration) {
    let before = reading
    reading = newest
    readAt = now
    let level = agreed.level
    if newest.level == level {
      agreed = newest
    } else if level == .unknown {
      // A connection that begins well is good. Anything else needs two looks.
      if newest.level == .good || before.level != .unknown { agreed = better(before, newest) }
    } else if before.level.isWorse(than: level), newest.level.isWorse(than: level) {
      agreed = better(before, newest)
    } else if level.isWorse(than: before.level), level.isWorse(than: newest.level) {
      agreed = before.level.isWorse(than: newest.level) ? before : newest
    }
  }

  private func better(_ one: QualityReading, _ other: QualityReading) -> QualityReading {
    other.level.isWorse(than: one.level) ? one : other
  }

  private static func reading(of delays: [(sample: QualitySample, roundTrip: Duration)]) -> QualityReading {
    var quickest: [Int: (roundTrip: Duration, shortest: Duration?)] = [:]
    for (sample, roundTrip) in delays where roundTrip < quickest[sample.host]?.roundTrip ?? .seconds(Int.max) {
      quickest[sample.host] = (roundTrip, sample.shortest)
    }
    // Two quick hosts prove a quick link. A single one may be nearer than the internet, such as a company's proxy.
    let hosts = quickest.values.sorted { $0.roundTrip < $1.roundTrip }
    guard let decisive = hosts.dropFirst().first ?? hosts.first else { return QualityReading() }
    return QualityReading(roundTrip: decisive.roundTrip, shortest: decisive.shortest, hosts: hosts.count)
  }

  // MARK: - Losses

  private mutating func noteLosses(_ new: [QualitySample], at now: Duration) {
    counts.removeAll { now - $0.time >= Self.memory }
    for sample in new {
      guard let earlier = samples[sample.connection], sample.isApplicationLimited, earlier.isApplicationLimited else {
        continue
      }
      let sent = sample.sent(since: earlier)
      if sent > 0 {
        counts.append(Count(host: sample.host, sent: sent, lost: sample.lost(since: earlier), time: now))
      }
    }
  }

  /// The part of the segments that was lost; nil while there are too few, or to too few hosts.
  private var sentAgain: Double? {
    var hosts: [Int: (sent: Int, lost: Int)] = [:]
    for count in counts {
      let host = hosts[count.host] ?? (0, 0)
      hosts[count.host] = (host.sent + Int(count.sent), host.lost + Int(count.lost))
    }
    let sufficient = hosts.values.filter { $0.sent >= Self.minimumHostSegments }
    guard sufficient.count >= 2, hosts.values.map(\.sent).reduce(0, +) >= Self.minimumSegments else { return nil }
    func part(_ host: (sent: Int, lost: Int)) -> Double { Double(host.lost) / Double(max(1, host.sent)) }
    let others = sufficient.sorted { part($0) < part($1) }.dropLast()
    let sent = others.map(\.sent).reduce(0, +)
    return sent < Self.minimumOtherSegments ? nil : Double(others.map(\.lost).reduce(0, +)) / Double(sent)
  }
}
