import Foundation

/// The numbers of failures in the schedules that each `make test` runs, by slice, kind, tag and family, in `failures.txt`. A number that
/// grows is a fault; one that falls is recorded (`make record`).
enum RecordedFailures {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "failures.txt")

  static func lines(of slice: Slice) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("\(slice.rawValue) ")
    }
  }

  static func lines(of report: SliceReport) -> [String] {
    report.entries.map { "\(report.slice.rawValue) \($0.key): \($0.value.count)" }.sorted()
  }

  static func record(_ report: SliceReport) throws {
    let all = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    let others = all.filter { !$0.hasPrefix("\(report.slice.rawValue) ") }
    let text = (others + lines(of: report)).sorted().map { $0 + "\n" }.joined()
    try Data(text.utf8).write(to: file)
  }
}
