/// Reads the quality of the connection from looks at the machine's TCP connections.
///
/// A value without a clock. One look tells little: a round trip that the kernel remembers may be old. So each look is compared with the
/// one before, and a quality counts when two looks in a row agree.
package struct QualityMeter: Equatable, Sendable {
  /// The segments to one host between two looks.
  private struct Count: Equatable {
    var host: Int
    var sent: UInt32
    var lost: UInt32
    var time: Duration
  }

  private var samples: [UInt64: QualitySample] = [:]
  private var sampledAt: Duration?
  private var counts: [Count] = []
  /// The newest reading that told anything, and its time.
  package private(set) var reading = QualityReading()
  private var readAt: Duration?
  /// The newest reading whose level two looks in a row had. Empty while the quality is unknown.
  package private(set) var agreed = QualityReading()

  /// Losses are counted over this time. Without a newer reading the quality is known for the same time.
  private static let memory = Duration.seconds(30)
  /// Losses count with so many segments to each of two hosts, and so many in all.
  private static let minimumHostSegments = 10
  private static let minimumSegments = 60
  /// The segments that must remain without the host that lost most: its loss may be its own.
  private static let minimumOtherSegments = 30

  package init() {}

  /// - Parameter look: the looks follow each other by a few seconds.
  package mutating func take(_ look: QualityLook, at now: Duration) {
    let delays = look.samples.compactMap { sample in roundTrip(of: sample).map { (sample: sample, roundTrip: $0) } }
    let hasCounted = noteLosses(look.samples, at: now)
    samples = Dictionary(look.samples.map { ($0.connection, $0) }) { $1 }
    sampledAt = now
    var newest = Self.reading(of: delays)
    newest.sentAgain = sentAgain
    // Data is sent again and nothing is acknowledged: the earlier figures no longer hold.
    if delays.isEmpty, look.samples.contains(where: { $0.isUnanswered && $0.retransmits > 1 }) { return forget() }
    // Few losses alone do not make a good connection, and old ones tell nothing new.
    let tells = newest.roundTrip != nil || hasCounted && newest.level.isWorse(than: .good) && newest.level != .unknown
    if tells { return conclude(newest, at: now) }
    if let readAt, now - readAt >= Self.memory { forget() }
  }

  private func roundTrip(of sample: QualitySample) -> Duration? {
    if let earlier = samples[sample.connection] { return sample.roundTrip(since: earlier) }
    return sample.isSettled || sampledAt != nil && sample.isNew ? sample.roundTrip : nil
  }

  private mutating func forget() {
    reading = QualityReading()
    agreed = QualityReading()
    readAt = nil
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

  /// Returns whether anything was sent that counts.
  private mutating func noteLosses(_ new: [QualitySample], at now: Duration) -> Bool {
    counts.removeAll { now - $0.time >= Self.memory }
    for sample in new {
      guard let earlier = samples[sample.connection], let sampledAt,
        sample.isLossCounted(since: earlier, after: now - sampledAt)
      else { continue }
      let sent = sample.sent(since: earlier)
      if sent > 0 {
        counts.append(Count(host: sample.host, sent: sent, lost: sample.lost(since: earlier), time: now))
      }
    }
    return counts.last?.time == now
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
