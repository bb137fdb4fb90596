import Overline
import SimulatedTerminal

@testable import OverlineRun

/// Runs a window in a simulated world, and compares the terminal with one that has no window.
final class Simulation {
  private static let maximumTurns = 100_000
  /// A deadline that is farther away is no work under way: the age in a banner's words.
  private static let restTime = Duration.seconds(5)

  let world: SimulatedWorld
  private var pump: WindowPump<SimulatedPort>
  private var hasStarted = false
  /// Whether the schedule compares the screens, which only terminals of one size allow.
  private let hasOneSize: Bool

  init(_ scenario: Scenario, logs: Bool = false) {
    world = SimulatedWorld(scenario, logs: logs)
    let display = DisplayMachine(
      banner: BannerSettings(graceDelay: .zero, hideDelay: .milliseconds(200), motion: .off),
      toasts: ToastSettings(motion: .off), toastInput: ToastInputSettings(),
      size: world.size, capabilities: Self.capabilities(scenario.family))
    pump = WindowPump(WindowMachine(display), port: SimulatedPort(world: world))
    hasOneSize = !scenario.items.contains { if case .resize = $0.action { true } else { false } }
  }

  static func run(_ scenario: Scenario) -> (failure: Failure?, coverage: Coverage) {
    let simulation = Simulation(scenario)
    let failure = simulation.run()
    return (failure, simulation.world.coverage)
  }

  private static func capabilities(_ family: String) -> TerminalCapabilities {
    var variables = ["LANG": "C.UTF-8"]
    switch family {
    case "xterm": variables.merge(["TERM": "xterm-256color", "XTERM_VERSION": "XTerm(379)"]) { $1 }
    case "vte": variables.merge(["TERM": "xterm-256color", "VTE_VERSION": "7006"]) { $1 }
    case "kitty": variables["TERM"] = "xterm-kitty"
    case "urxvt": variables["TERM"] = "rxvt-unicode-256color"
    case "alacritty", "foot", "mlterm": variables["TERM"] = family
    case "st": variables["TERM"] = "st-256color"
    case "tmux", "screen": variables["TERM"] = "\(family)-256color"
    default: variables["TERM"] = "xterm-256color"
    }
    return TerminalCapabilities(environment: { variables[$0] }, isTerminal: true)
  }

  // MARK: The run

  func run() -> Failure? {
    pump.deliver(.opened([]))
    pump.deliver(.programStarted(title: nil))
    var turns = 0
    while true {
      if case .over = pump.machine.phase { break }
      turns += 1
      if turns > Self.maximumTurns { return failure(.restless, "no rest after \(turns) turns, at \(world.now)") }
      guard isResting else {
        pump.turn()
        continue
      }
      world.noteRest()
      if let failure = failureAtRest() { return failure }
      if !world.continueAfterRest() { return nil }
    }
    return failureOfTheLines() ?? failureOfTheScreen() ?? failureOfTheKeys()
  }

  private var isResting: Bool {
    world.isQuiet && (pump.machine.nextDeadline.map { $0 > world.now + Self.restTime } ?? true)
  }

  private func failure(_ kind: Failure.Kind, _ detail: String) -> Failure {
    Failure(kind: kind, tag: world.tag, detail: detail)
  }

  // MARK: The oracle

  private func failureAtRest() -> Failure? {
    if let failure = failureOfTheCells() ?? failureOfTheKeys() { return failure }
    let hasBanner = world.terminal.screenText().contains { $0.contains("⚠ No") }
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

  /// Each line once, in order.
  private func failureOfTheLines() -> Failure? {
    let wanted = Self.lines(world.bare.wholeRows)
    let rows = world.terminal.wholeRows
    // A terminal that changes its size may push the banner to its scrollback before any signal: one copy for each size.
    let own = rows.filter { !Self.isBanner($0) }
    let copies = Self.copies(rows)
    guard copies <= world.coverage.resizes else {
      return failure(.banner, "\(copies) copies after \(world.coverage.resizes) sizes")
    }
    var found = Self.lines(own)
    if wanted == found { return nil }
    // A line whose first rows are in the scrollback goes on in the banner's row, for a terminal that rewraps it: the banner gets into it.
    let stripped = Self.lines(own.map(\.withoutBackground))
    if stripped == wanted {
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

  /// The programs of the schedules set no background.
  private static func isBanner(_ row: SimulatedTerminal.WholeRow) -> Bool {
    !row.cells.isEmpty && row.cells.allSatisfy { $0.style.background != .standard }
  }

  /// A copy may have been wrapped since.
  private static func copies(_ rows: [SimulatedTerminal.WholeRow]) -> Int {
    zip([nil] + rows, rows).count { before, row in isBanner(row) && !(before.map { isBanner($0) && $0.isWrapped } ?? false) }
  }

  /// The text of each line, whose rows the terminal has wrapped, without blanks at its end and blank lines at the end.
  private static func lines(_ rows: [SimulatedTerminal.WholeRow]) -> [String] {
    var lines: [String] = []
    var line = ""
    for row in rows {
      line += row.text
      if row.isWrapped { continue }
      lines.append(trimmed(line))
      line = ""
    }
    if !line.isEmpty { lines.append(trimmed(line)) }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  private static func trimmed(_ line: String) -> String {
    String(line.utf8.lastIndex { $0 != 0x20 }.map { line[...$0] } ?? "")
  }

  /// The rows from the first of the scrollback on, and the cursor among them. After a banner the screen may begin a row later.
  private func failureOfTheScreen() -> Failure? {
    guard hasOneSize else { return nil }
    let (wanted, found) = (world.bare, world.terminal)
    var (old, new) = (wanted.wholeRows, found.wholeRows)
    let (oldRow, newRow) = (wanted.scrollbackCount + wanted.cursor.row, found.scrollbackCount + found.cursor.row)
    if (oldRow, wanted.cursor.column, wanted.isWrapPending) != (newRow, found.cursor.column, found.isWrapPending) {
      return failure(
        .cursor,
        "\(newRow) \(found.cursor.column) \(found.isWrapPending), not \(oldRow) \(wanted.cursor.column) \(wanted.isWrapPending)")
    }
    while let last = old.last, last.cells.isEmpty { old.removeLast() }
    while let last = new.last, last.cells.isEmpty { new.removeLast() }
    guard old != new else { return nil }
    let row = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
    let texts = [new, old].map { row < $0.count ? "'\($0[row].text)'\($0[row].isWrapped ? " wrapped" : "")" : "nothing" }
    return failure(.screen, "row \(row + 1): \(texts[0]), not \(texts[1])")
  }

  /// Each cell that the window knows is the terminal's. A wrong one would be printed at the next outage.
  private func failureOfTheCells() -> Failure? {
    guard pump.machine.display.canvas.output.screen.isRowKnown else { return nil }
    var failure: Failure?
    let offset = pump.machine.display.canvas.insetRows
    for row in 0..<pump.machine.display.canvas.output.screen.rows {
      guard pump.machine.display.canvas.output.screen.isKnown(row: row), row + offset < world.terminal.rows else { continue }
      for column in 0..<pump.machine.display.canvas.output.screen.columns {
        let known = pump.machine.display.canvas.output.screen.cell(row: row, column: column).text
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

  private func failureOfTheKeys() -> Failure? {
    guard world.received == world.keys else {
      return failure(
        .keys, "'\(String(decoding: world.received, as: UTF8.self))', not '\(String(decoding: world.keys, as: UTF8.self))'")
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
