import Overline
import OverlineSimulatedTerminal
@testable import OverlineCore
@testable import OverlineShell

/// What must be right at each rest, and at the end.
extension Simulation {
  func failureAtRest() -> Failure? {
    if let failure = failureOfTheCells() ?? failureOfTheKeys() ?? failureOfTheStates() { return failure }
    if world.isOffline {
      guard world.terminal.screenText()[0].contains("⚠ No") else {
        return failure(.noBanner, "row 1: \(world.terminal.screenText()[0])")
      }
      world.noteBanner()
      return nil
    }
    if hasBanner { return failure(.banner, "it is on the screen") }
    return failureOfTheLines() ?? failureOfTheScreen()
  }

  var hasBanner: Bool { world.terminal.screenText().contains { $0.contains("⚠ No") } }

  /// Each line once, in order.
  func failureOfTheLines() -> Failure? {
    if changesWidth, world.bare.family.resizing.cutsLines { return failureOfTheNumbers() }
    let wanted = lines(world.bare.wholeRows)
    let rows = world.terminal.wholeRows
    // A terminal that changes its size may push the banner to its scrollback before any signal: one copy for each size.
    let own = rows.filter { !Self.isBanner($0) }
    let copies = Self.copies(rows)
    guard copies <= world.coverage.resizes else {
      return failure(.banner, "\(copies) copies after \(world.coverage.resizes) sizes")
    }
    // In kitty a size that lasts for a moment may still do this.
    if world.bare.family.name != "kitty", let line = Self.lineBehindBanner(rows) {
      return failure(.moved, "'\(line)' continues a copy of the banner")
    }
    var found = lines(own)
    if wanted == found { return nil }
    // A line whose first rows are in the scrollback goes on in the banner's row, for a terminal that rewraps it: the banner gets into it.
    let stripped = lines(own.map(\.withoutBackground))
    // If blanks are all that goes on, nothing is left of them behind the banner.
    let ended = lines(Self.endedByBanner(rows, if: Set(wanted)).map(\.withoutBackground))
    let areSame = changesWidth && stripped.map(\.withoutBlanks) == wanted.map(\.withoutBlanks)
    if stripped == wanted || ended == wanted || areSame {
      world.noteDividedLine()
      return nil
    }
    found = stripped
    let (missing, more) = (Self.difference(wanted, found), Self.difference(found, wanted))
    if missing.joined() == more.joined() {
      return failure(.moved, missing.isEmpty ? "the order differs" : "\(Self.list(missing)) as \(Self.list(more))")
    }
    if !missing.isEmpty { return failure(.lost, "\(Self.list(missing)); instead \(Self.list(more))") }
    return failure(.doubled, Self.list(more))
  }

  /// Where a new width cuts lines off, the ends of lines depend on the moment at which it came. Each line begins once, in order.
  private func failureOfTheNumbers() -> Failure? {
    func numbers(_ terminal: SimulatedTerminal) -> [String] {
      terminal.wholeRows.map(\.withoutBackground).flatMap { row in
        row.text.matches(of: /L[0-9]+/).map { String($0.output) }
      }
    }
    let (wanted, found) = (numbers(world.bare), numbers(world.terminal))
    if wanted == found { return nil }
    let missing = Self.difference(wanted, found)
    if !missing.isEmpty { return failure(.lost, Self.list(missing)) }
    let more = Self.difference(found, wanted)
    return more.isEmpty ? failure(.moved, "the order differs") : failure(.doubled, Self.list(more))
  }

  /// The programs of the schedules set no background.
  private static func isBanner(_ row: SimulatedTerminal.WholeRow) -> Bool {
    !row.cells.isEmpty && row.cells.allSatisfy { $0.style.background != .standard }
  }

  /// A copy may have been wrapped since.
  private static func copies(_ rows: [SimulatedTerminal.WholeRow]) -> Int {
    zip([nil] + rows, rows).count { before, row in
      isBanner(row) && !(before.map { isBanner($0) && $0.isWrapped } ?? false)
    }
  }

  /// The rows without the banner's. A line that goes on in a banner's row ends there, as it does for the terminal, if it is whole.
  private static func endedByBanner(
    _ rows: [SimulatedTerminal.WholeRow], if isWhole: Set<String>
  ) -> [SimulatedTerminal.WholeRow] {
    var ended: [SimulatedTerminal.WholeRow] = []
    var line = ""
    for row in rows {
      if !isBanner(row) {
        ended.append(row)
        line += row.withoutBackground.text
      } else if !row.isWrapped, !ended.isEmpty, isWhole.contains(trimmed(line)) {
        ended[ended.count - 1].isWrapped = false
      }
      if ended.last?.isWrapped != true { line = "" }
    }
    return ended
  }

  /// The text of a line that the terminal takes for the rest of the banner's line. It is no line that the banner divides: it begins behind the
  /// banner.
  private static func lineBehindBanner(_ rows: [SimulatedTerminal.WholeRow]) -> String? {
    var isBehind = false
    for (before, row) in zip([nil] + rows, rows) {
      if before?.isWrapped != true { isBehind = row.cells.first.map { $0.style.background != .standard } ?? false }
      guard isBehind else { continue }
      let text = row.withoutBackground.text.filter { $0 != " " }
      if !text.isEmpty { return text }
    }
    return nil
  }

  /// The rows without the wraps that lead to no text: a program wrapped a line, and erased its end. Nothing shows such a wrap.
  private static func withoutEmptyWraps(_ rows: [SimulatedTerminal.WholeRow]) -> [SimulatedTerminal.WholeRow] {
    var rows = rows
    for index in rows.indices.dropLast().reversed() where rows[index].isWrapped {
      let next = rows[index + 1]
      if !next.isWrapped, next.text.allSatisfy({ $0 == " " }) { rows[index].isWrapped = false }
    }
    return rows
  }

  /// The text of each line, whose rows the terminal has wrapped, without blanks at its end and blank lines around the text.
  private func lines(_ rows: [SimulatedTerminal.WholeRow]) -> [String] {
    var lines: [String] = []
    var line = ""
    for row in hasOneSize ? Self.withoutEmptyWraps(rows) : rows {
      line += row.text
      if row.isWrapped { continue }
      lines.append(Self.trimmed(line))
      line = ""
    }
    if !line.isEmpty { lines.append(Self.trimmed(line)) }
    while lines.last == "" { lines.removeLast() }
    // A terminal that grows may put blank rows above its first line.
    return Array(lines.drop { $0.isEmpty })
  }

  private static func trimmed(_ line: String) -> String {
    String(line.utf8.lastIndex { $0 != 0x20 }.map { line[...$0] } ?? "")
  }

  /// The rows from the first of the scrollback on, and the cursor among them. After a banner the screen may begin a row later.
  func failureOfTheScreen() -> Failure? {
    guard hasOneSize else { return nil }
    let (wanted, found) = (world.bare, world.terminal)
    var (old, new) = (Self.withoutEmptyWraps(wanted.wholeRows), Self.withoutEmptyWraps(found.wholeRows))
    let (oldRow, newRow) = (wanted.scrollbackCount + wanted.cursor.row, found.scrollbackCount + found.cursor.row)
    if (oldRow, wanted.cursor.column, wanted.isWrapPending) != (newRow, found.cursor.column, found.isWrapPending) {
      return failure(
        .cursor,
        "\(newRow) \(found.cursor.column) \(found.isWrapPending), not \(oldRow) \(wanted.cursor.column) \(wanted.isWrapPending)"
      )
    }
    while let last = old.last, last.cells.isEmpty { old.removeLast() }
    while let last = new.last, last.cells.isEmpty { new.removeLast() }
    guard old != new else { return nil }
    let row = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
    let texts = [new, old].map {
      row < $0.count
        ? "'\($0[row].text)'\($0[row].isWrapped ? " wrapped" : "")\($0[row].mark == 0 ? "" : " marked \($0[row].mark)")"
        : "nothing"
    }
    return failure(.screen, "row \(row + 1): \(texts[0]), not \(texts[1])")
  }

  /// Each cell that the window knows is the terminal's. A wrong one would be printed at the next outage.
  private func failureOfTheCells() -> Failure? {
    guard pump.machine.display.canvas.output.surface.screen.isRowKnown, !world.hasMovedUnseen else { return nil }
    var failure: Failure?
    let offset = pump.machine.display.canvas.insetRows
    for row in 0..<pump.machine.display.canvas.output.surface.screen.rows {
      guard pump.machine.display.canvas.output.surface.screen.isKnown(row: row), row + offset < world.terminal.rows
      else {
        continue
      }
      // Drawn before the terminal told its name.
      if !world.scenario.isNamed, pump.machine.display.canvas.output.surface.screen.isDisputed(row: row) { continue }
      for column in 0..<pump.machine.display.canvas.output.surface.screen.columns {
        let known = pump.machine.display.canvas.output.surface.screen.cell(row: row, column: column).text
        let found = world.terminal.cell(row: row + offset, column: column).text
        let isSame = known == found || known.allSatisfy { $0 == " " } && found.allSatisfy { $0 == " " }
        if !isSame, failure == nil {
          failure = self.failure(
            .unknownCell, "row \(row + 1), column \(column + 1): the window knows '\(known)', there is '\(found)'")
        }
      }
    }
    return failure
  }

  func failureOfTheKeys() -> Failure? {
    guard world.received == world.keys else {
      return failure(
        .keys,
        "'\(String(decoding: world.received, as: UTF8.self))', not '\(String(decoding: world.keys, as: UTF8.self))'")
    }
    return nil
  }

  /// The lines of the first list that the second has less often.
  private static func difference(_ lines: [String], _ others: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for line in others { counts[line, default: 0] += 1 }
    return lines.filter { line in
      counts[line, default: 0] -= 1
      return counts[line]! < 0
    }
  }

  private static func list(_ lines: [String]) -> String {
    "\(lines.count): " + lines.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
  }
}

extension SimulatedTerminal.WholeRow {
  fileprivate var withoutBackground: Self {
    var row = self
    row.cells.removeAll { $0.style.background != .standard }
    return row
  }
}

extension String {
  /// Terminals disagree about blanks between the rows of a line that they rewrap.
  fileprivate var withoutBlanks: String { filter { $0 != " " } }
}
