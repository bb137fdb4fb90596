import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Packages outside this repository. `make compose` builds the larger one, beside swift-nio and others.
@Suite(.ownThread) struct CompositionTests {
  @Test("a package with NetworkPath alone fetches and compiles nothing else")
  func networkPathAlone() throws {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let result = try Subprocess.run("\(root)/config/compose.sh", ["swift"], timeout: .seconds(400))
    #expect(result.status == 0, "\(result.outputText)\(result.errorText)")
  }
}
