import OverlineTestKit
import POSIX
import Testing

/// What programs build on. A change of it is a decision: `make record` writes it down, and the difference is seen in review.
@Suite struct InterfaceTests {
  private static let record = DependencyTests.sources + "/../Tests/ArchitectureTests/interface.txt"

  /// The values of these modules that a library shows to its users, by their first names; nil is all.
  private static let modules: [(name: String, values: Set<String>?)] = {
    let exports = ["NetworkPath", "Overline"].flatMap { module in
      let text = try? Files.read("\(DependencyTests.sources)/\(module)/Exports.swift")
      return String(decoding: text ?? [], as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("@_exported") }
    }
    func values(_ module: String) -> Set<String> {
      Set(
        exports.compactMap { line in
          let parts = line.split(separator: ".")
          return parts.count == 2 && parts[0].hasSuffix(" \(module)") ? String(parts[1]) : nil
        })
    }
    return [
      ("Overline", nil), ("NetworkPath", nil), ("OverlineTestKit", nil), ("Banner", values("Banner")),
      ("PathModel", values("PathModel")),
    ]
  }()

  private static let graphs = Result {
    try modules.map { module in
      let symbols = try SymbolGraph(module.name).symbols
      return (module.name, symbols.filter { module.values?.contains($0.pathComponents[0]) ?? true && !$0.isInherited })
    }
  }

  @Test func thePublicInterfaceIsAsItWasWrittenDown() throws {
    let lines = try Self.graphs.get().flatMap { module, symbols in
      symbols.map { "\(module) \($0.name): \($0.declaration)" }.sorted()
    }
    #expect(lines.count > 200)
    if ProcessEnvironment["OVERLINE_RECORD"] != nil {
      try Files.replace(Self.record, with: Array((lines.joined(separator: "\n") + "\n").utf8))
    }
    let known = String(decoding: try Files.read(Self.record), as: UTF8.self).split(separator: "\n").map(String.init)
    let new = Set(lines).subtracting(known).sorted()
    let gone = Set(known).subtracting(lines).sorted()
    #expect(new.isEmpty && gone.isEmpty, "make record; new: \(new) gone: \(gone)")
  }

  @Test func everyPublicSymbolIsDocumented() throws {
    for (module, symbols) in try Self.graphs.get() {
      #expect(symbols.filter { $0.docComment == nil }.map { "\(module) \($0.name)" } == [])
    }
  }

  /// Warnings are of links that lead nowhere, and of text that is lost.
  @Test(arguments: [("Overline", []), ("NetworkPath", ["PathModel"])])
  func theDocumentationIsMadeWithoutAWarning(_ module: String, _ reexported: [String]) throws {
    let made = try Subprocess.run("mktemp", ["-d", "/tmp/overline-XXXXXX"])
    let directory = String(made.outputText.dropLast())
    defer { _ = try? Subprocess.run("rm", ["-rf", directory]) }
    try SymbolGraph.extract(module, reexporting: reexported, into: directory)
    // A copy of docc's own pages: it cannot use those of another user, who may have installed Swift (fchown(2) says EPERM).
    let prepare = """
      cd "$1" && mkdir one && mv "$2".symbols.json one
      cp -r "$(dirname "$(readlink -f "$(command -v docc)")")/../share/docc/render" pages
      """
    _ = try Subprocess.run("sh", ["-c", prepare, "sh", directory, module])
    let result = try Subprocess.run(
      "docc",
      [
        "convert", "\(DependencyTests.sources)/\(module)/\(module).docc", "--additional-symbol-graph-dir",
        "\(directory)/one", "--output-dir", "\(directory)/out", "--fallback-display-name", module,
        "--fallback-bundle-identifier", "overline",
      ], environment: ProcessEnvironment.all.map(\.description) + ["DOCC_HTML_DIR=\(directory)/pages"],
      timeout: .seconds(120))
    #expect(result.status == 0, "\(result.errorText)")
    #expect(!(result.outputText + result.errorText).contains("warning:"), "\(result.outputText)\(result.errorText)")
  }
}
