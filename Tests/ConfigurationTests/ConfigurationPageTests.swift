import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore

/// The guide's configuration reference is made from the text of `config/overline.toml`.
@Suite(.ownThread) struct ConfigurationPageTests {
  private static let page = "Sources/OverlineCLI/OverlineCLI.docc/Guide/Configuration.md"

  @Test("the configuration reference has every key with its default") func keys() throws {
    // Not the file: one run of `make record` writes both.
    #expect(try GeneratedText("keys", in: Self.page).holds(Self.reference(Configuration.documented)), "make record")
  }

  /// A section of the file becomes a heading with a table. A key without a comment has the meaning of its namesake above it.
  private static func reference(_ file: String) -> String {
    var parts: [String] = []
    var comment: [Substring] = []
    var meanings: [Substring: String] = [:]
    for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("# ") {
        comment.append(line.dropFirst(2))
        continue
      }
      let words = comment.joined(separator: " ").replacing("*", with: "\\*").replacing("|", with: "\\|")
      if line.hasPrefix("[") {
        parts.append(
          "### `\(line)`\n\n\(words.isEmpty ? "" : words + "\n\n")| key | default | meaning |\n| --- | --- | --- |")
      } else if let equals = line.firstRange(of: " = ") {
        let key = line[..<equals.lowerBound]
        if !words.isEmpty { meanings[key] = words }
        parts[parts.count - 1] += "\n| `\(key)` | `\(line[equals.upperBound...])` | \(meanings[key] ?? "") |"
      } else if !line.isEmpty {
        continue
      }
      comment = []
    }
    return parts.joined(separator: "\n\n")
  }
}
