import Foundation
import OverlineProcess
import OverlineSimulatedTerminal
import OverlineSystem

/// Writes the shrunk schedules of the tests into the file that `OVERLINE_SCHEDULES` names, one in a line, with what the simulated terminal makes of
/// each without a window. `Tests/RealTerminals/schedules.py` plays them in the real terminals.
enum ScheduleExport {
  private struct Schedule: Encodable {
    var family: String
    var rows: Int
    var columns: Int
    var steps: [Step] = []
    /// The cursor's row and column at the end, from 1.
    var cursor: [Int] = []
    /// The lines of scrollback and screen; in xterm and urxvt, which export no lines, their rows.
    var text: [String] = []
  }

  private struct Step: Encodable {
    var print: String?
    var rows: Int?
    var columns: Int?
  }

  private static let path = ProcessInfo.processInfo.environment["OVERLINE_SCHEDULES"]

  /// Longer ones are made in a loop, and not shrunk.
  private static let longest = 20

  static func note(_ scenario: Scenario) {
    guard let path, scenario.items.count <= longest else { return }
    guard let family = TerminalFamily.all.first(where: { $0.name == scenario.family }) else { return }
    var terminal = SimulatedTerminal(rows: scenario.rows, columns: scenario.columns, family: family)
    var schedule = Schedule(family: scenario.family, rows: scenario.rows, columns: scenario.columns)
    func add(_ text: String) {
      terminal.write(text)
      let before = schedule.steps.last?.print
      if before != nil { schedule.steps.removeLast() }
      schedule.steps.append(Step(print: (before ?? "") + text))
    }
    for number in 0..<scenario.linesBefore { add("before \(number)\r\n") }
    for item in scenario.items {
      switch item.action {
      case .print(let text): add(text)
      case .resize(let rows, let columns) where rows != terminal.rows || columns != terminal.columns:
        terminal.resize(rows: rows, columns: columns)
        schedule.steps.append(Step(rows: rows, columns: columns))
      default: break
      }
    }
    guard schedule.steps.contains(where: { $0.rows != nil }) else { return }
    schedule.cursor = [terminal.cursor.row + 1, terminal.cursor.column + 1]
    let hasRows = ["xterm", "urxvt"].contains(scenario.family)
    schedule.text = hasRows ? terminal.scrollbackText() + terminal.screenText() : terminal.text()
    do {
      try Files.append(Array(JSONEncoder().encode(schedule)) + [0x0a], to: path)
    } catch {
      fatalError("cannot write \(path): \(error)")
    }
  }
}
