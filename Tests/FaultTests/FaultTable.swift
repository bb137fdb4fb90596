import OverlineTestSupport
import OverlineTestThread
import Testing

/// The documented tables match the tests.
@Suite(.ownThread) struct FaultTable {
  private static let document = "Sources/OverlineCLI/OverlineCLI.docc/Faults.md"

  @Test func theWindows() throws {
    let table = Self.table(WindowScene.Process.allCases) { WindowScene.promise($0, $1, at: $2) }
    #expect(try GeneratedText("window", in: Self.document).holds(table), "make record")
  }

  @Test func theMonitors() throws {
    let table = Self.table(MonitorScene.Process.allCases) { MonitorScene.promise($0, $1, at: $2) }
    #expect(try GeneratedText("monitor", in: Self.document).holds(table), "make record")
  }

  @Test func theTwoFaults() throws {
    let table = Self.table(MonitorScene.Companion.allCases) { MonitorScene.promise(withMonitor: $0, $1, at: $2) }
    #expect(try GeneratedText("pairs", in: Self.document).holds(table), "make record")
  }

  private static func table<Process: RawRepresentable<String>>(
    _ processes: [Process], _ promise: (Process, Fault, Moment) -> Promise?
  ) -> String {
    var lines = ["| | " + Fault.allCases.map(\.rawValue).joined(separator: " | ") + " |"]
    lines.append("|" + String(repeating: " --- |", count: Fault.allCases.count + 1))
    for process in processes {
      let cells = Fault.allCases.map { fault in
        let promises = Set(Moment.allCases.compactMap { promise(process, fault, $0)?.description })
        return promises.isEmpty ? "–" : promises.sorted().joined(separator: "; ")
      }
      lines.append("| \(process.rawValue) | " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }
}
