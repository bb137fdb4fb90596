package import NetworkPath
internal import Overline

/// What `overline quality` prints. It has no address of another host.
package struct QualityAnswer: Equatable, Sendable {
  package var reading: QualityReading
  package var programs: [ProgramQuality]

  /// `poor: 1.4 s round trip`, and the program that is worse than the link.
  package let sentence: String
  /// Whether the data of the connections is sent again and again, and nothing is acknowledged.
  package let isUnanswered: Bool

  package init(_ reading: QualityReading, _ programs: ProgramQualities) {
    self.reading = reading
    self.programs = programs.rows
    isUnanswered = reading.level == .unknown && programs.isUnanswered
    if isUnanswered {
      sentence = "unknown: data is sent again, and nothing is acknowledged; overline path says more"
      return
    }
    let unknown =
      programs.haveTraffic
      ? "unknown: too little traffic to tell"
      : "unknown: no TCP connection of yours to another network had traffic in the last minute; UDP does not show"
    let worst = Self.worst(of: self.programs, beside: reading)
    // Nothing else shows that the connection is better than this program's.
    if reading.hosts == 1, let worst, worst.reading.isLossDecisive {
      self.reading.sentAgain = worst.sentAgain
      sentence = (self.reading.report?.words ?? unknown) + " to the only host that was used"
      return
    }
    sentence = TerminalText.sanitized(
      (reading.report?.words ?? unknown) + (worst.map { "; \($0.name): \($0.reading.figure)" } ?? ""))
  }

  /// The answer while the path is not satisfied, or not known.
  package init(without path: NWPath) {
    reading = QualityReading()
    programs = []
    isUnanswered = false
    sentence = TerminalText.sanitized(
      path.status == .unsatisfied ? path.explanation : "unknown: \(path.explanation)")
  }

  /// The program that is worse than a good link. The cause is its server, or the way to it. A link that is not good explains what its
  /// programs have.
  private static func worst(of programs: [ProgramQuality], beside link: QualityReading) -> ProgramQuality? {
    guard link.level == .good || link.level == .unknown else { return nil }
    let worse = programs.filter { program in
      // Beside a single host nothing tells whether a round trip is the link's.
      program.reading.level.isWorse(than: .good) && program.reading.level != .unknown
        && (link.hosts > 1 || program.reading.isLossDecisive)
    }
    return worse.min { $0.reading.level.isWorse(than: $1.reading.level) }
  }

  /// The sentence, and a row for each program.
  package var lines: [String] {
    if programs.isEmpty { return [sentence] }
    let rows = programs.map { program in
      [
        TerminalText.sanitized(program.name), String(program.connections),
        program.roundTrip.map(QualityReading.words) ?? "-",
        program.sentAgain.map(QualityReading.percent) ?? "-",
      ]
    }
    let table = [["program", "connections", "round trip", "sent again"]] + rows
    let widths = (0..<3).map { column in table.map { $0[column].count }.max() ?? 0 }
    return [sentence]
      + table.map { row in
        "  "
          + row.enumerated().map { column, cell in
            column == 3 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count + 2)
          }.joined()
      }
  }

  /// One JSON object in one line. Times are in seconds; what is unknown is null.
  package var json: String {
    var writer = JSONWriter()
    writer.open("{")
    writer.field("quality", reading.level.name)
    writer.field("explanation", sentence)
    writer.field("roundTrip", Self.number(reading.roundTrip))
    writer.field("shortest", Self.number(reading.shortest))
    writer.field("hosts", reading.hosts)
    writer.field("sentAgain", Self.number(reading.sentAgain))
    writer.key("programs")
    writer.open("[")
    for program in programs {
      writer.open("{")
      writer.field("name", TerminalText.sanitized(program.name))
      writer.field("connections", program.connections)
      writer.field("roundTrip", Self.number(program.roundTrip))
      writer.field("sentAgain", Self.number(program.sentAgain))
      writer.close("}")
    }
    writer.close("]")
    writer.close("}")
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func number(_ time: Duration?) -> JSONValue { number(time?.seconds) }

  /// Rounded to a thousandth.
  private static func number(_ value: Double?) -> JSONValue {
    value.map { .number(($0 * 1000).rounded() / 1000) } ?? .null
  }
}
