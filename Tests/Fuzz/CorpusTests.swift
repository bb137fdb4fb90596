import OverlineSystem
import Testing

/// What the fuzzer has found so far, once more: a crash that was mended stays so.
@Suite struct CorpusTests {
  private static let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Corpus"

  @Test(arguments: FuzzTarget.allCases)
  func everythingInTheCorpusIsSurvived(_ target: FuzzTarget) throws {
    let names = try Files.names(in: "\(Self.folder)/\(target.rawValue)")
    #expect(!names.isEmpty)
    for name in names { target.run(try Files.read("\(Self.folder)/\(target.rawValue)/\(name)")) }
  }
}
