package import NetworkPath

/// Recorded looks at the quality of a connection, as text: a line for each sample. Like the looks, it has no address.
package enum QualityLog {
  /// The columns of a line.
  private static let names =
    "second connection host roundTrip deviation shortest receiver sent again needless delivered segments received limited heard idle waiting retransmits"

  package static func text(_ looks: [(time: Duration, look: QualityLook)]) -> String {
    let lines = looks.flatMap { time, look in
      look.samples.map { sample in
        [
          time.milliseconds, Int(sample.connection), sample.host, sample.roundTrip.microseconds,
          sample.deviation.microseconds, sample.shortest?.microseconds ?? -1, sample.receiverRoundTrip.microseconds,
          Int(sample.sent), Int(sample.sentAgain), Int(sample.needless), Int(sample.delivered),
          Int(sample.receivedSegments), Int(sample.receivedBytes), sample.isApplicationLimited ? 1 : 0,
          sample.heardAge.milliseconds,
          sample.sentAge.milliseconds, sample.isWaiting ? 1 : 0, sample.retransmits,
        ].map(String.init).joined(separator: " ")
      }
    }
    return ([names] + lines).joined(separator: "\n") + "\n"
  }

  package static func looks(_ text: String) throws -> [(time: Duration, look: QualityLook)] {
    var looks: [(time: Duration, look: QualityLook)] = []
    for line in text.split(separator: "\n").dropFirst() {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == names.split(separator: " ").count else { throw TestKitError("no sample: \(line)") }
      let time = Duration.milliseconds(numbers[0])
      if looks.last?.time != time { looks.append((time, QualityLook())) }
      var sample = QualitySample(connection: UInt64(numbers[1]), host: numbers[2])
      sample.roundTrip = .microseconds(numbers[3])
      sample.deviation = .microseconds(numbers[4])
      sample.shortest = numbers[5] < 0 ? nil : .microseconds(numbers[5])
      sample.receiverRoundTrip = .microseconds(numbers[6])
      sample.sent = UInt32(numbers[7])
      sample.sentAgain = UInt32(numbers[8])
      sample.needless = UInt32(numbers[9])
      sample.delivered = UInt32(numbers[10])
      sample.receivedSegments = UInt32(numbers[11])
      sample.receivedBytes = UInt64(numbers[12])
      sample.isApplicationLimited = numbers[13] == 1
      sample.heardAge = .milliseconds(numbers[14])
      sample.sentAge = .milliseconds(numbers[15])
      sample.isWaiting = numbers[16] == 1
      sample.retransmits = numbers[17]
      looks[looks.count - 1].look.samples.append(sample)
    }
    return looks
  }
}

extension Duration {
  fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
  fileprivate var microseconds: Int { Int(self / .microseconds(1)) }
}
