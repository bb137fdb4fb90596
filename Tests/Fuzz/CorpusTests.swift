import OverlineProcess
import OverlineSystem
import OverlineTestThread
import Testing

/// Replays the fuzzer's findings: a fixed crash stays fixed.
@Suite(.ownThread) struct CorpusTests {
  private static let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Corpus"

  @Test(arguments: FuzzTarget.allCases)
  func everythingInTheCorpusIsSurvived(_ target: FuzzTarget) throws {
    let names = try Files.names(in: "\(Self.folder)/\(target.rawValue)")
    #expect(!names.isEmpty)
    for name in names { target.run(try Files.read("\(Self.folder)/\(target.rawValue)/\(name)")) }
  }
}
