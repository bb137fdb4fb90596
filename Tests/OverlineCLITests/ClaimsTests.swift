import NetworkPath
import Overline
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The guide's table of claims has a row for each claim that the program can make, and no other.
@Suite(.ownThread) struct ClaimsTests {
  private struct Row {
    var reason: String
    var silencedBy: String
  }

  private static func rows() throws -> [Row] {
    try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/Claims.md").prose.compactMap { line in
      guard line.hasPrefix("| ") else { return nil }
      let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
      guard cells.count == 5 else { return nil }
      let code = cells[0].split(separator: "`", omittingEmptySubsequences: false)
      return Row(reason: code.count == 3 ? String(code[1]) : "", silencedBy: String(cells[4]))
    }
  }

  @Test("each reason has a row, and each row a reason") func reasons() throws {
    let reasons = try Self.rows().map(\.reason).filter { !$0.isEmpty }
    let known = NWPath.Reason.allCases.map(\.rawValue) + Limitation.Reason.allCases.map(\.rawValue) + ["program"]
    #expect(reasons.sorted() == known.sorted())
  }

  @Test("each key that silences a claim is one that the program reads") func keys() throws {
    let world = try World()
    let settings = try Self.rows().flatMap { row in
      row.silencedBy.split(separator: "`").filter { $0.hasPrefix("[") && $0.contains(" = ") }
    }
    #expect(settings.count >= 8)
    for setting in Set(settings) {
      let end = try #require(setting.firstIndex(of: "]"))
      try world.configure(setting[...end] + "\n" + setting[setting.index(after: end)...].drop { $0 == " " } + "\n")
      let result = try world.overline("config", "check")
      #expect(result.status == 0, "\(setting): \(result.errorText)")
    }
  }
}
