/// The kernel's figures of one TCP connection at one look: how long its data takes, and how much of it is sent again (`struct tcp_info`).
///
/// It has no address. Hosts and connections have numbers, so that a sample can be recorded.
package struct QualitySample: Equatable, Sendable {
  /// Tells the connection from all others since the boot.
  package var connection: UInt64
  /// The same for the same host in all looks of one looker.
  package var host: Int
  /// The socket's number in `/proc/PID/fd`.
  package var inode: UInt32 = 0
  /// The smoothed round trip, and its mean deviation.
  package var roundTrip = Duration.zero
  package var deviation = Duration.zero
  /// The shortest round trip of the last minutes; nil without any.
  package var shortest: Duration?
  /// The round trip as a receiver sees it; zero until enough has been received.
  package var receiverRoundTrip = Duration.zero
  /// Segments with data that were sent, each repetition counted too; and those repetitions.
  package var sent: UInt32 = 0
  package var sentAgain: UInt32 = 0
  /// The repetitions of which the other end says that it had the data already.
  package var needless: UInt32 = 0
  /// Segments that the other end has acknowledged.
  package var delivered: UInt32 = 0
  /// Segments that have come, acknowledgements included.
  package var receivedSegments: UInt32 = 0
  package var receivedBytes: UInt64 = 0
  /// Whether the program, and not the network, limits how much is sent. A bulk transfer fills the way until something is lost, also on a
  /// good one.
  package var isApplicationLimited = false
  /// The time since the last acknowledgement or data from the other end, and since the last data to it.
  package var heardAge = Duration.zero
  package var sentAge = Duration.zero
  /// Whether sent data waits for its acknowledgement, and how often it was sent again.
  package var isWaiting = false
  package var retransmits = 0

  package init(connection: UInt64, host: Int) {
    self.connection = connection
    self.host = host
  }

  /// Whether sent data was sent again and is still not acknowledged.
  package var isUnanswered: Bool { isWaiting && retransmits > 0 }

  /// Whether a single look is enough: the round trip has had time to settle, and is of the last seconds. Keepalives and downloads are
  /// heard, and measure no round trip.
  package var isSettled: Bool {
    deviation < roundTrip / 2 && delivered >= Self.settledSegments && max(heardAge, sentAge) <= Self.freshness
      && !isUnanswered
  }

  /// Whether a connection that the look before did not find has begun since: then all its figures are new.
  package var isNew: Bool {
    deviation <= roundTrip / 2 && delivered >= 2 && sent <= Self.fewSegments && !isUnanswered
  }

  private static let settledSegments: UInt32 = 8
  private static let fewSegments: UInt32 = 64
  private static let freshness = Duration.seconds(10)
  /// The smoothed round trip moves an eighth of the way with each exchange. After so many it is the newest one.
  private static let replacingExchanges: UInt32 = 16
  /// A receiver's round trip is measured while it gets data without a pause.
  private static let receivedBytes: UInt64 = 20_000

  /// The round trip of the exchanges since an earlier sample of the same connection; nil if there were none. Without traffic the kernel's
  /// figure never changes, even if the connection is now slow.
  package func roundTrip(since earlier: QualitySample) -> Duration? {
    // The kernel measures once for each acknowledgement, which may be for several segments.
    let answered = min(delivered &- earlier.delivered, receivedSegments &- earlier.receivedSegments)
    let exchanges = min(sent(since: earlier) - sentAgain(since: earlier), answered)
    if exchanges >= Self.replacingExchanges { return roundTrip }
    if exchanges >= 1 {
      // Takes the earlier figure out of the smoothed one.
      let weight = (0..<exchanges).reduce(1.0) { product, _ in product * 7 / 8 }
      let newest = (roundTrip.seconds - weight * earlier.roundTrip.seconds) / (1 - weight)
      return max(.seconds(max(0, newest)), shortest ?? .zero)
    }
    let received = receivedBytes &- earlier.receivedBytes
    return received >= Self.receivedBytes && receiverRoundTrip > .zero ? receiverRoundTrip : nil
  }

  /// Whether the losses since an earlier sample count: the program, and not the network, limits how much is sent. The kernel's mark is
  /// that of the best rate so far, so a connection that sends little counts as well.
  package func isLossCounted(since earlier: QualitySample, after time: Duration) -> Bool {
    isApplicationLimited && earlier.isApplicationLimited
      || Double(sent(since: earlier)) <= Self.fewSegmentsPerSecond * max(1, time.seconds)
  }

  private static let fewSegmentsPerSecond = 30.0

  package func sent(since earlier: QualitySample) -> UInt32 { sent &- earlier.sent }

  private func sentAgain(since earlier: QualitySample) -> UInt32 {
    min(sentAgain &- earlier.sentAgain, sent(since: earlier))
  }

  /// The segments since an earlier sample that were lost: sent again, and not needlessly.
  package func lost(since earlier: QualitySample) -> UInt32 {
    let again = sentAgain(since: earlier)
    return again - min(again, needless &- earlier.needless)
  }
}

/// One look at the figures of the connections that have had traffic lately.
package struct QualityLook: Equatable, Sendable {
  package var samples: [QualitySample]
  /// The processor time of the look.
  package var cost = Duration.zero

  package init(_ samples: [QualitySample] = [], cost: Duration = .zero) {
    self.samples = samples
    self.cost = cost
  }
}

extension Duration {
  package var seconds: Double { self / .seconds(1) }
}
