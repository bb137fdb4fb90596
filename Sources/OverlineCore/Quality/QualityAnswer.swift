package import NetworkPath
internal import Overline

/// What `overline quality` prints. It has no address of another host.
package struct QualityAnswer: Hashable, Sendable {
  package var reading: QualityReading
  package var programs: [ProgramQuality]

  /// The reason why the quality is unknown.
  private var unknownCause: String

  package init(_ reading: QualityReading, _ programs: ProgramQualities) {
    self.reading = reading
    self.programs = programs.rows
    unknownCause =
      !programs.haveTraffic
      ? "no TCP connection of yours to another network had traffic in the last minute; UDP does not show"
      : programs.isUnanswered ? "data is sent again, and nothing is acknowledged" : "too little traffic to tell"
  }

  /// The answer while the path is not satisfied, or not known.
  package init(without path: NWPath) {
    reading = QualityReading()
    programs = []
    unknownCause = path.explanation
  }

  /// `poor: 1.4 s round trip`, and the program that is worse than the link.
  package var sentence: String {
    let link = reading.report?.words ?? "unknown: \(unknownCause)"
    return TerminalText.sanitized(link + (worstWords.map { "; \($0)" } ?? ""))
  }

  /// `ssh: 0.8 s round trip`: a program that is worse than the link. The cause is its server, or the way to it.
  private var worstWords: String? {
    let link = reading.level == .unknown ? NWPath.LinkQuality.good : reading.level
    let worse = programs.filter { program in
      let isOnlyHost = reading.hosts == 1 && program.roundTrip == reading.roundTrip
      return program.reading.level != .unknown && program.reading.level.isWorse(than: link) && !isOnlyHost
    }
    guard let worst = worse.min(by: { $0.reading.level.isWorse(than: $1.reading.level) }) else { return nil }
    return "\(worst.name): \(worst.reading.figure)"
  }

  /// The sentence, and a row for each program.
  package var lines: [String] {
    if programs.isEmpty { return [sentence] }
    let rows = programs.map { program in
      [
        TerminalText.sanitized(program.name), String(program.connections),
        program.roundTrip.map(QualityReading.words) ?? "-",
        program.sentAgain.map { "\(Int(($0 * 100).rounded())) %" } ?? "-",
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
