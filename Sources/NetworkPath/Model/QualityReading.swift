/// What the looks of the last half minute say about the connection.
package struct QualityReading: Equatable, Sendable {
  /// The round trip of the link: hosts may be far or slow, so it is that of the second quickest host, or of the only one.
  package var roundTrip: Duration?
  /// The shortest that the same host had in the last minutes.
  package var shortest: Duration?
  /// The number of hosts with a round trip.
  package var hosts = 0
  /// The part of the data that was lost and sent again, 0 to 1; nil while too little was sent to tell.
  package var sentAgain: Double?

  package init(roundTrip: Duration? = nil, shortest: Duration? = nil, hosts: Int = 0, sentAgain: Double? = nil) {
    self.roundTrip = roundTrip
    self.shortest = shortest
    self.hosts = hosts
    self.sentAgain = sentAgain
  }

  package static let slow = Duration.milliseconds(300)
  package static let verySlow = Duration.seconds(1)
  package static let lossy = 0.03
  package static let veryLossy = 0.1

  package var level: NWPath.LinkQuality {
    switch (delayLevel, lossLevel) {
    case (let delay?, let loss?): loss.isWorse(than: delay) ? loss : delay
    case (let one?, nil), (nil, let one?): one
    case (nil, nil): .unknown
    }
  }

  /// No distance explains more: a satellite's way takes 0.6 seconds.
  private static let longestDistance = Duration.milliseconds(700)

  /// The delay that counts: distance is no fault of the link, and a single host may be far away.
  private var delay: Duration? {
    roundTrip.map { hosts > 1 ? $0 : $0 - min($0, shortest ?? .zero, Self.longestDistance) }
  }

  private var delayLevel: NWPath.LinkQuality? {
    delay.map { $0 >= Self.verySlow ? .minimal : $0 >= Self.slow ? .moderate : .good }
  }

  private var lossLevel: NWPath.LinkQuality? {
    sentAgain.map { $0 >= Self.veryLossy ? .minimal : $0 >= Self.lossy ? .moderate : .good }
  }

  /// Whether what is lost decides, and not the round trip.
  package var isLossDecisive: Bool {
    guard let lossLevel else { return false }
    return delayLevel.map { lossLevel.isWorse(than: $0) } ?? true
  }

  /// The figure that decides: `1.4 s round trip`, `15 % sent again`; empty without any.
  package var figure: String {
    if isLossDecisive, let sentAgain { return Self.words(sentAgain) }
    guard let roundTrip else { return "" }
    let words = "\(Self.words(roundTrip)) round trip"
    guard roundTrip >= Self.slow else { return words }
    if let shortest, shortest * 2 < roundTrip { return "\(words), \(Self.words(shortest)) at best" }
    return hosts == 1 && level == .good ? "\(words) to the only host that was used, which may be far" : words
  }

  /// Nil while nothing is known.
  package var report: QualityReport? {
    if level == .unknown { return nil }
    return QualityReport(
      level: level, words: "\(level.name): \(figure)", cause: (isLossDecisive ? "lossy: " : "slow: ") + figure)
  }

  /// `420 ms`, `1.4 s`
  package static func words(_ time: Duration) -> String {
    let milliseconds = Int((time.seconds * 1000).rounded())
    if milliseconds == 0 { return "under 1 ms" }
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    let tenths = Int((time.seconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// `15 % sent again`
  package static func words(_ part: Double) -> String { "\(percent(part)) sent again" }

  /// Rounded down, as the thresholds are: 9.9 % is not poor.
  package static func percent(_ part: Double) -> String { "\(Int(part * 100 + 0.000_001)) %" }

  /// The same for a single look, which cannot know losses; nil while nothing is known.
  package var wordsOfOneLook: String? { report.map { $0.words + (sentAgain == nil ? "; losses unknown" : "") } }
}
