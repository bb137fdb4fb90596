import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The files of the program name each other's types in one direction.
@Suite(.ownThread) struct CircleTests {
  private static let words: Set<Substring> = ["struct", "class", "enum", "protocol"]

  /// The words of each file, without comments and the texts of strings.
  private static func files() throws -> [String: [Substring]] {
    let found = try Subprocess.run("find", ["\(DependencyTests.sources)/OverlineCLI", "-name", "*.swift"])
    var files: [String: [Substring]] = [:]
    for path in found.outputText.split(separator: "\n") {
      let text = String(decoding: try Files.read(String(path)), as: UTF8.self)
      let name = String(path.split(separator: "/").last!)
      for line in text.split(separator: "\n") where !line.contains("import ") {
        let code = line.split(separator: "//", omittingEmptySubsequences: false)[0]
        let parts = code.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter {
          $0.offset % 2 == 0
        }
        for part in parts {
          files[name, default: []] += part.element.split(whereSeparator: { !$0.isLetter && !$0.isNumber })
        }
      }
    }
    return files
  }

  /// The files whose types each file names.
  private static func uses() throws -> [String: Set<String>] {
    let files = try files()
    var owners: [Substring: Set<String>] = [:]
    for (file, words) in files {
      for (word, name) in zip(words, words.dropFirst())
      where Self.words.contains(word) && name.first?.isUppercase == true {
        owners[name, default: []].insert(file)
      }
    }
    return files.mapValues { words in
      // A name that several files declare, each inside another type, is not known to be one or the other.
      Set(words.compactMap { owners[$0]?.count == 1 ? owners[$0]!.first : nil })
    }
  }

  @Test("no circle of files is larger than two") func circles() throws {
    let uses = try Self.uses()
    #expect(uses.count > 50)
    func reached(from file: String) -> Set<String> {
      var reached: Set<String> = []
      var waiting = [file]
      while let next = waiting.popLast() {
        for other in uses[next] ?? [] where reached.insert(other).inserted { waiting.append(other) }
      }
      return reached
    }
    let all = uses.keys.reduce(into: [:]) { $0[$1] = reached(from: $1) }
    for file in uses.keys.sorted() {
      let circle = all[file]!.filter { all[$0]!.contains(file) }
      #expect(circle.count <= 2, "\(file): \(circle.sorted())")
    }
  }
}
