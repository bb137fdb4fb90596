import FoundationEssentials
import OverlineProcess
import OverlineSystem
import OverlineTestSupport

/// The compiler's list of a module's public declarations (`swift symbolgraph-extract`).
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { var precise: String }
    struct Fragment: Decodable { var spelling: String }
    struct Comment: Decodable {}
    struct Availability: Decodable { var isUnconditionallyDeprecated: Bool? }

    var identifier: Identifier
    var pathComponents: [String]
    var docComment: Comment?
    var declarationFragments: [Fragment]
    var availability: [Availability]?

    /// Inherited from another module's protocol.
    var isInherited: Bool { identifier.precise.contains("::SYNTHESIZED::") }
    var name: String { pathComponents.joined(separator: ".") }
    var isDeprecated: Bool { availability?.contains { $0.isUnconditionallyDeprecated == true } ?? false }
    var declaration: String {
      // An opaque type ends in a newline.
      let text = declarationFragments.map { $0.spelling.filter { !$0.isNewline } }.joined()
      return (isDeprecated ? "deprecated " : "") + text
    }
  }

  var symbols: [Symbol]

  /// Writes a module's graph into a directory.
  static func extract(_ module: String, into directory: String) throws {
    let flags = try Subprocess.run("pkg-config", ["--cflags", "libnl-3.0"]).outputText.split { $0 == " " || $0 == "\n" }
    let modules = ["-Xcc", "-fmodule-map-file=\(BuiltProgram.folder)/COverline.build/module.modulemap"]
    let result = try Subprocess.run(
      "swift",
      [
        "symbolgraph-extract", "-module-name", module, "-I", "\(BuiltProgram.folder)/Modules", "-I",
        "\(DependencyTests.sources)/COverlineNetlink", "-target", target, "-minimum-access-level", "public",
        "-output-dir",
        directory,
      ] + modules + flags.flatMap { ["-Xcc", String($0)] }, timeout: .seconds(120))
    if result.status != 0 { throw TestKitError("symbolgraph-extract: \(result.errorText)") }
  }

  #if arch(arm64)
    private static let target = "aarch64-unknown-linux-gnu"
  #else
    private static let target = "x86_64-unknown-linux-gnu"
  #endif

  init(_ module: String) throws {
    let directory = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(directory) }
    try Self.extract(module, into: directory)
    // Extensions of another module's types have a file of their own: `OverlineTestKit@NetworkPath.symbols.json`.
    let files = try Files.names(in: directory).filter { $0.hasSuffix(".symbols.json") }.sorted()
    symbols = try files.flatMap { file in
      let bytes = try Files.read("\(directory)/\(file)", limit: 64 << 20)
      return try JSONDecoder().decode(SymbolGraph.self, from: Data(bytes)).symbols
    }
  }
}
