import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// A limit for files hides large types: this counts each type with its extensions in all files.
@Suite(.ownThread) struct TypeSizeTests {
  private static let record = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/types.txt"

  private static let words: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "extension"]

  /// The name of the type that a line at the left margin declares or extends.
  private static func name(_ line: Substring) -> Substring? {
    let parts = line.split(separator: " ")
    guard let index = parts.firstIndex(where: { words.contains($0) }), index + 1 < parts.count,
      parts[..<index].allSatisfy({ $0.first?.isLowercase == true || $0.first == "@" }), line.first?.isLetter == true
    else { return nil }
    return parts[index + 1].prefix { $0.isLetter || $0.isNumber }
  }

  private static func sizes() throws -> [String: Int] {
    var sizes: [String: Int] = [:]
    let found = try Subprocess.run("find", [DependencyTests.sources, "-name", "*.swift"])
    for path in found.outputText.split(separator: "\n") {
      var current: String?
      for line in String(decoding: try Files.read(String(path)), as: UTF8.self).split(separator: "\n") {
        if let name = name(line) { current = String(name) }
        if let current { sizes[current, default: 0] += 1 }
        if line.first == "}" || line.last == "}" && line.first?.isLetter == true { current = nil }
      }
    }
    return sizes
  }

  @Test("none of the ten largest types grows") func theLargestTypes() throws {
    let sizes = try Self.sizes()
    let largest = sizes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(10)
    let text = largest.map { "\($0.value) \($0.key)\n" }.joined()
    print(text, terminator: "")
    if ProcessEnvironment["OVERLINE_RECORD"] != nil { try Files.replace(Self.record, with: Array(text.utf8)) }
    let recorded = String(decoding: try Files.read(Self.record), as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ")
    }
    let limits = Dictionary(recorded.map { (String($0[1]), Int($0[0]) ?? 0) }, uniquingKeysWith: max)
    let others = limits.values.min() ?? 0
    for (name, size) in largest {
      #expect(
        size <= limits[name] ?? others,
        "\(name) has grown: divide it, make it smaller, or record a small growth: make record")
    }
  }
}
