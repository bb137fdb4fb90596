import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The public interface. A change of it is a decision: `make record` records it, and the difference is seen in review.
@Suite(.ownThread) struct InterfaceTests {
  private static let record = DependencyTests.sources + "/../Tests/ArchitectureTests/interface.txt"

  /// The modules that programs import.
  private static let modules = ["Overline", "NetworkPath", "OverlineTestKit"]

  private static let graphs = Result {
    try modules.map { ($0, try SymbolGraph($0).symbols.filter { !$0.isInherited }) }
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

  /// docc warns of links that lead nowhere, and of text that is lost.
  @Test(arguments: ["Overline", "NetworkPath"])
  func theDocumentationIsMadeWithoutAWarning(_ module: String) throws {
    let directory = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(directory) }
    try SymbolGraph.extract(module, into: directory)
    // A copy of docc's own pages: docc cannot use those of another user, such as the one that installed Swift (fchown(2)
    // reports EPERM).
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
    // DocC documents what a module declares: a type that lies elsewhere has no page.
    let pages =
      module == "NetworkPath"
      ? ["nwpath/status-swift.property", "nwinterface", "nwendpoint", "pathtarget"]
      : ["bannerappearance", "terminalcolor", "toastcontent"]
    for page in pages {
      let file = "\(directory)/out/data/documentation/\(module.lowercased())/\(page).json"
      #expect(Files.exists(file), "\(page)")
    }
  }
}
