import OverlineSystem
import OverlineTestKit
import OverlineTestThread
import Testing

/// Links and names in documents point at existing things.
@Suite(.ownThread) struct DocumentTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  private func documents() throws -> [(name: String, text: String)] {
    let names = try Subprocess.run(
      "find", ["\(Self.root)/Sources", "\(Self.root)/README.md", "\(Self.root)/CONTRIBUTING.md", "-name", "*.md"]
    )
    .outputText
    return try names.split(separator: "\n").map {
      (String($0), String(decoding: try Files.read(String($0)), as: UTF8.self))
    }
  }

  /// A forge resolves an absolute path against the repository's root, wherever the document lies.
  @Test func linkedFilesExist() throws {
    for document in try documents() {
      let folder = document.name.hasPrefix("\(Self.root)/Sources") ? Self.root : "\(Self.root)/"
      for link in document.text.matches(of: /\]\(([^):#]+)\)/) {
        #expect(Files.exists("\(folder)\(link.1)"), "\(document.name): \(link.1)")
      }
    }
  }

  /// Each test that a document names exists.
  @Test func namedTestsExist() throws {
    let tests = try Subprocess.run("grep", ["-rhoE", "func [A-Za-z0-9]+", "\(Self.root)/Tests"]).outputText
    let functions = Set(tests.split(separator: "\n").map { $0.dropFirst("func ".count) })
    var count = 0
    for document in try documents() {
      for name in document.text.matches(of: /`(?:(?:[A-Z]\w*\.)*[A-Z]\w*Tests)?\.([a-z]\w*)`/) {
        let isThere = functions.contains(name.1)
        #expect(isThere, "\(document.name): \(name.1)")
        count += 1
      }
    }
    #expect(count > 50)
  }
}
