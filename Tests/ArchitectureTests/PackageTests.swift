import Foundation
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The package as a dependency: SwiftPM needs target names that are unique in the whole graph.
@Suite(.ownThread) struct PackageTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  private struct Description: Decodable {
    struct Target: Decodable {
      var name: String
      var type: String
      var path: String?
      var exclude: [String]
      var dependencies: [Dependency]
    }
    /// `{"byName": ["Overline", null]}`, or `{"product": ["ArgumentParser", …]}`.
    struct Dependency: Decodable {
      var name: String

      init(from decoder: any Decoder) throws {
        let kinds = try decoder.singleValueContainer().decode([String: First].self)
        name = kinds.values.first?.name ?? ""
      }

      private struct First: Decodable {
        var name: String

        init(from decoder: any Decoder) throws {
          var elements = try decoder.unkeyedContainer()
          name = try elements.decode(String.self)
        }
      }
    }
    struct Product: Decodable { var name: String }
    var targets: [Target]
    var products: [Product]
  }

  private func description() throws -> Description {
    // In a copy: the package's own build may hold SwiftPM's lock.
    let scratch = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(scratch) }
    _ = try Subprocess.run("cp", ["\(Self.root)/Package.swift", scratch])
    let result = try Subprocess.run(
      "swift", ["package", "--package-path", scratch, "dump-package"], timeout: .seconds(120))
    #expect(result.status == 0, "\(result.errorText)")
    return try JSONDecoder().decode(Description.self, from: Data(result.output))
  }

  @Test("target names cannot collide with other packages', and there are few") func namesAreUnique() throws {
    let description = try description()
    let targets = description.targets.filter { $0.type != "test" }
    for target in targets {
      #expect(
        target.name == "NetworkPath" || target.name.hasPrefix("Overline") || target.name.hasPrefix("COverline"),
        "\(target.name)")
    }
    #expect(targets.count { $0.path?.hasPrefix("Tests/") != true } <= 16)
    #expect(description.products.map(\.name) == ["NetworkPath", "Overline", "OverlineTestKit", "overline"])
  }

  /// SwiftPM builds targets side by side. A build that meets the imported module first succeeds by chance, also without the dependency.
  @Test("a target depends on each module that it imports") func importsAreDependencies() throws {
    let description = try description()
    let modules = Set(description.targets.map(\.name))
    for target in description.targets {
      let folder = target.path ?? (target.type == "test" ? "Tests" : "Sources") + "/\(target.name)"
      let excluded = target.exclude.flatMap { ["--exclude=\($0)", "--exclude-dir=\($0)"] }
      let found = try Subprocess.run(
        "grep", ["-rhoE", "--include=*.swift"] + excluded + ["^[^/]*\\bimport [A-Za-z]+", "\(Self.root)/\(folder)"])
      let imported = found.outputText.split(separator: "\n").compactMap {
        $0.split(separator: " ").last.map(String.init)
      }
      let missing = modules.intersection(imported).subtracting(target.dependencies.map(\.name)).subtracting([
        target.name
      ])
      #expect(missing == [], "Package.swift: \(target.name)")
    }
  }

  /// Modules are built without testing for a release.
  @Test("what is built for a release imports no module for testing") func releasesImportNoTestableModule() throws {
    let folders = ["Sources", "Tests/Benchmarks", "Tests/Manual", "Tests/TestSupport", "Tests/ReferenceTerminal"]
    let word = "@" + "testable"
    let found = try Subprocess.run("grep", ["-rn", "--include=*.swift", word] + folders.map { "\(Self.root)/\($0)" })
    #expect(found.outputText == "")
  }

  @Test("each suite's name is unique") func suitesAreUnique() throws {
    let found = try Subprocess.run(
      "grep", ["-rhoE", "^(@Suite.* )?(final )?(struct|class) [A-Za-z0-9]+Tests\\b", "\(Self.root)/Tests"])
    let names = found.outputText.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
    #expect(names.count > 150)
    for (name, count) in Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +) { #expect(count == 1, "\(name)") }
  }

  /// A test that waits would hold one of the few threads of Swift's pool, on which asynchronous tests go on.
  @Test("each test has a thread of its own") func testsHaveThreads() throws {
    let files = try Subprocess.run("grep", ["-rlE", "--include=*.swift", "^ *@Test", "\(Self.root)/Tests"]).outputText
    for file in files.split(separator: "\n").map(String.init) {
      var hasThread = false
      for line in String(decoding: try Files.read(file), as: UTF8.self).split(separator: "\n") {
        if line.hasPrefix("@Suite(.ownThread") { hasThread = true }
        if line == "}" { hasThread = false }
        let isTest = line.drop { $0 == " " }.hasPrefix("@Test")
        #expect(hasThread || !isTest, "\(file): \(line): write @Suite(.ownThread) before the suite")
      }
    }
  }

  /// A zombie among a test's children would make the monitor of Swift Testing's exit tests poll without a pause, and hang the run.
  @Test("no test is an exit test") func noExitTests() throws {
    let word = "processExits" + "With"
    let found = try Subprocess.run("grep", ["-rn", "--include=*.swift", word, "\(Self.root)/Tests"])
    #expect(found.outputText == "", "use @Test(.ownProcess)")
  }

  /// `swift test` ignores a filter that matches nothing.
  @Test("make check names tests that exist") func checkedTestsExist() throws {
    let makefile = String(decoding: try Files.read("\(Self.root)/Makefile"), as: UTF8.self).replacing("\\\n", with: " ")
    let lines = makefile.split(separator: "\n").filter { $0.contains("CHECKED_TESTS := ") }
    #expect(lines.count == 2)
    let targets = try description().targets.filter { $0.type == "test" }
    for name in lines.flatMap({ $0.split(separator: " ").dropFirst(2) }) {
      let parts = name.split(separator: ".").map(String.init)
      guard let target = targets.first(where: { $0.name == parts[0] }) else {
        Issue.record("there is no test target \(parts[0])")
        continue
      }
      guard parts.count > 1 else { continue }
      let suite = try Subprocess.run(
        "grep", ["-rqE", "^@Suite.* struct \(parts[1])\\b", "\(Self.root)/\(target.path ?? "Tests/\(target.name)")"])
      #expect(suite.status == 0, "\(target.name) has no suite \(parts[1])")
    }
  }
}
