internal import NetworkPath
internal import OverlineSystem
internal import OverlineTestSupport

/// A way to the internet, and what `overline quality` must say of it.
struct QualityRow: Sendable {
  enum Expectation: Sendable {
    /// Never anything but good, and unknown in the beginning.
    case good
    /// Good at first. This or worse soon after the change; never before.
    case worse(NWPath.LinkQuality, within: Duration)
  }

  var name: String
  var expects = Expectation.good
  var way = SlowNetwork.Way.router
  var duration = Duration.seconds(60)
  /// The addresses of the programs' servers.
  var servers = Array(SlowNetwork.far.prefix(4))
  /// Nil for the system's, cubic.
  var congestionControl: String?
  /// What is there from the beginning.
  var before: @Sendable (QualityScene) throws -> Void = { $0.slow.link.set(fine) }
  /// Called each tenth of a second with the time since the change.
  var during: @Sendable (QualityScene, Duration) throws -> Void = { _, _ in }

  static let all = good + bad

  private static let fine = SlowLink.Quality(delay: .milliseconds(15), jitter: .milliseconds(5))

  /// - Parameter milliseconds: there and back.
  private static func delayed(_ milliseconds: Int) -> SlowLink.Quality {
    SlowLink.Quality(delay: .milliseconds(milliseconds / 2))
  }

  /// After ten seconds in which all is well, the way is another one.
  private static func after(_ change: @escaping @Sendable (QualityScene) throws -> Void)
    -> @Sendable (
      QualityScene, Duration
    ) throws -> Void
  {
    { scene, time in if scene.isFirst(time >= .zero) { try change(scene) } }
  }

  // MARK: - Good ones

  private static let good: [QualityRow] = [
    QualityRow(name: "a good network"),
    QualityRow(
      name: "a single host, far away", servers: [SlowNetwork.far[0]], before: { $0.slow.link.set(delayed(600)) }),
    QualityRow(name: "one of four hosts loses 30 %") { scene in
      scene.slow.link.set(fine)
      scene.slow.link.set(host: SlowNetwork.far[0], loss: 0.3)
    },
    QualityRow(name: "two of four hosts far away") { scene in
      scene.slow.link.set(fine)
      for host in SlowNetwork.far.prefix(2) { scene.slow.link.set(host: host, delay: .milliseconds(350)) }
    },
    QualityRow(name: "1 % loss") { $0.slow.link.set(SlowLink.Quality(delay: .milliseconds(20), loss: 0.01)) },
    QualityRow(name: "jitter of 200 ms") {
      $0.slow.link.set(SlowLink.Quality(delay: .milliseconds(20), jitter: .milliseconds(100)))
    },
    QualityRow(name: "Wi-Fi: bursts of 0.2 s, 1 % loss", during: wifi(hold: 200, loss: 0.01)),
    QualityRow(name: "a bulk upload, cubic, 0.1 s of queue", before: bulk(rate: 1_250_000, queue: 125_000)),
    QualityRow(
      name: "a bulk upload, BBR, 0.1 s of queue", congestionControl: "bbr",
      before: bulk(rate: 1_250_000, queue: 125_000)),
    QualityRow(name: "IPv6", servers: SlowNetwork.far6),
    QualityRow(name: "a VPN", way: .tunnel),
    QualityRow(name: "4G with handovers of 0.6 s", during: cellular(hold: 600)),
  ]

  // MARK: - Bad ones

  private static let bad: [QualityRow] = [
    QualityRow(
      name: "400 ms from the beginning", expects: .worse(.moderate, within: .seconds(15)),
      before: { $0.slow.link.set(delayed(400)) }),
    QualityRow(
      name: "a jump to 400 ms", expects: .worse(.moderate, within: .seconds(15)),
      during: after { $0.slow.link.set(delayed(400)) }),
    QualityRow(
      name: "a jump to 1.4 s", expects: .worse(.minimal, within: .seconds(20)),
      during: after { $0.slow.link.set(delayed(1400)) }),
    QualityRow(
      name: "a jump to 1.4 s, IPv6", expects: .worse(.minimal, within: .seconds(20)), servers: SlowNetwork.far6,
      during: after { $0.slow.link.set(delayed(1400)) }),
    QualityRow(
      name: "a jump to 1.4 s, a VPN", expects: .worse(.minimal, within: .seconds(20)), way: .tunnel,
      during: after { $0.slow.link.set(delayed(1400)) }),
    // The rate falls under an upload that fills the way, as when a radio becomes slower.
    QualityRow(
      name: "a full queue of 2 s, cubic", expects: .worse(.minimal, within: .seconds(30)),
      before: bulk(rate: 1_250_000, queue: 125_000), during: after { narrow($0) }),
    // BBR empties the queue again.
    QualityRow(
      name: "a full queue of 2 s, BBR", expects: .worse(.moderate, within: .seconds(30)), congestionControl: "bbr",
      before: bulk(rate: 1_250_000, queue: 125_000), during: after { narrow($0) }),
    QualityRow(
      name: "7 % loss", expects: .worse(.moderate, within: .seconds(45)),
      during: after { $0.slow.link.set(SlowLink.Quality(delay: .milliseconds(20), loss: 0.07)) }),
    QualityRow(
      name: "15 % loss", expects: .worse(.moderate, within: .seconds(30)),
      during: after { $0.slow.link.set(SlowLink.Quality(delay: .milliseconds(20), loss: 0.15)) }),
    QualityRow(
      name: "30 % loss", expects: .worse(.minimal, within: .seconds(30)),
      during: after { $0.slow.link.set(SlowLink.Quality(delay: .milliseconds(20), loss: 0.3)) }),
    QualityRow(
      name: "Wi-Fi at its edge: bursts of 1 s, 10 % loss", expects: .worse(.moderate, within: .seconds(40)),
      during: wifi(hold: 1000, loss: 0.1)),
  ]

  // MARK: - Traces

  /// Each two seconds nothing passes for a moment, then all at once: another station sends, or the radio changes its rate.
  private static func wifi(hold: Int, loss: Double) -> @Sendable (QualityScene, Duration) throws -> Void {
    { scene, time in
      if time < .zero { return }
      let phase = Int(time / .milliseconds(1)) % 2000
      let delay = Duration.milliseconds(4 + scene.number(0...12))
      scene.slow.link.set(
        SlowLink.Quality(delay: delay, jitter: .milliseconds(10), loss: loss, isHeld: phase < hold))
    }
  }

  /// Rates from 1 to 8 Mbit/s, 40 to 90 ms there and back, and a pause at each handover.
  private static func cellular(hold: Int) -> @Sendable (QualityScene, Duration) throws -> Void {
    { scene, time in
      let phase = Int(time / .milliseconds(1) + 100_000) % 15_000
      scene.slow.link.set(
        SlowLink.Quality(
          delay: .milliseconds(scene.number(20...45)), jitter: .milliseconds(15),
          rate: scene.number(125_000...1_000_000), queue: 60_000, isHeld: phase < hold))
    }
  }

  private static func narrow(_ scene: QualityScene) {
    var up = fine
    (up.rate, up.queue) = (62_500, 125_000)
    scene.slow.link.set(up: up, down: fine)
  }

  /// An upload as fast as the way lets it.
  private static func bulk(rate: Int, queue: Int) -> @Sendable (QualityScene) throws -> Void {
    { scene in
      var up = fine
      (up.rate, up.queue) = (rate, queue)
      scene.slow.link.set(up: up, down: fine)
      scene.keep(
        try EchoClients(
          in: scene.slow.network.host, to: [SlowNetwork.far[4]], interval: .milliseconds(10), bytes: 32_768,
          waits: false))
    }
  }
}

/// One run of a row.
final class QualityScene {
  let slow: SlowNetwork
  private var kept: [AnyObject] = []
  private var numbers: SeededNumbers
  private var hasChanged = false

  init(_ row: QualityRow, run: Int) throws {
    slow = try SlowNetwork(row.way, seed: UInt64(run + 1))
    numbers = SeededNumbers(UInt64(run + 100))
    if let name = row.congestionControl { try slow.setCongestionControl(name) }
    try row.before(self)
    kept += try slow.use(row.servers)
  }

  func keep(_ object: AnyObject) { kept.append(object) }

  func number(_ range: ClosedRange<Int>) -> Int { numbers.number(range) }

  /// True at the first call with a condition that is fulfilled.
  func isFirst(_ condition: Bool) -> Bool {
    defer { hasChanged = hasChanged || condition }
    return condition && !hasChanged
  }
}
