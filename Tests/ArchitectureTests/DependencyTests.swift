import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The rules between the targets, each with its reason. A rule that is in the way is changed here, with a better reason.
@Suite(.ownThread) struct DependencyTests {
  /// A row of the table in `Rooms.md`.
  struct Room: CustomTestStringConvertible {
    var folder: String
    var isPure: Bool
    var mayBeUnsafe: Bool
    var imports: Set<String>

    var testDescription: String { folder }
  }

  private static let rooms: [Room] = {
    let document = "\(sources)/OverlineCLI/OverlineCLI.docc/Rooms.md"
    let lines = String(decoding: (try? Files.read(document)) ?? [], as: UTF8.self).split(separator: "\n")
    return lines.filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.filter { $0 != " " && $0 != "`" }
      }
      let kinds = cells[2].split(separator: ",")
      return Room(
        folder: cells[1], isPure: kinds.contains("pure"), mayBeUnsafe: kinds.contains("unsafe"),
        imports: Set(cells[4].split(separator: ",").map(String.init)))
    }
  }()

  static let sources = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Sources"

  private func files(_ target: String) throws -> [(name: String, lines: [Substring])] {
    let found = try Subprocess.run("find", ["\(Self.sources)/\(target)", "-name", "*.swift"])
    return try found.outputText.split(separator: "\n").map {
      (String($0), String(decoding: try Files.read(String($0)), as: UTF8.self).split(separator: "\n"))
    }
  }

  /// The line without its comment.
  private func code(_ line: Substring) -> Substring {
    line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
  }

  private func imports(_ line: Substring) -> String? {
    let words = line.split(separator: " ").filter {
      !["public", "internal", "package", "private", "@preconcurrency", "@_exported", "struct", "enum"].contains($0)
    }
    return words.count > 1 && words[0] == "import" ? String(words[1].prefix { $0 != "." }) : nil
  }

  @Test(arguments: rooms)
  func aFolderImportsOnlyWhatItMay(_ room: Room) throws {
    let files = try files(room.folder)
    #expect(!files.isEmpty)
    for file in files {
      for name in file.lines.compactMap(imports) {
        #expect(room.imports.contains(name), "\(file.name) imports \(name)")
      }
    }
  }

  /// The imports of these modules reach a client's program.
  @Test(arguments: ["NetworkPath": ["Dispatch"], "Overline": ["NetworkPath"]])
  func clientsSeeOnlyWhatTheyNeed(_ module: String, _ modules: [String]) throws {
    for file in try files(module) {
      for line in file.lines where line.hasPrefix("public import") || line.hasPrefix("@_exported") {
        #expect(modules.contains(imports(line) ?? ""), "\(file.name): \(line)")
      }
    }
  }

  @Test func everyFolderHasARoom() throws {
    // The program and its tools may import everything; C targets import nothing.
    let free: Set = [
      "COverline", "COverlineGlibc", "COverlineNetlink", "COverlineVersion", "OverlineCLI", "OverlineTestKit",
    ]
    let found = try Subprocess.run("ls", [Self.sources]).outputText.split(separator: "\n").map(String.init)
    for target in found where !free.contains(target) {
      let rooms = Self.rooms.filter { $0.folder == target || $0.folder.hasPrefix("\(target)/") }
      for file in try files(target).map(\.name) where !file.hasSuffix("/Exports.swift") {
        #expect(rooms.contains { file.hasPrefix("\(Self.sources)/\($0.folder)/") }, "\(file)")
      }
    }
  }

  /// A pure folder that reads a clock or starts a task cannot be tested as a timeline.
  @Test(arguments: rooms.filter(\.isPure))
  func pureFoldersReadNoClockAndStartNoTask(_ room: Room) throws {
    for file in try files(room.folder) {
      for line in file.lines.map(code) {
        for forbidden in ["Task {", "Task.", "Clock.now", "Clock().now", "print(", "async ", "await "] {
          #expect(!line.contains(forbidden), "\(file.name): \(line)")
        }
      }
    }
  }

  /// These act, even where NetworkPath and Overline, which OverlineCore imports, offer them.
  @Test func theCoreNamesNothingThatActs() throws {
    let acting = ["NWPathMonitor", "TerminalWindow", "EventSocket", "QuerySocket", "SocketDiagnostics"]
    for file in try files("OverlineCore") {
      for line in file.lines.map(code) {
        for name in acting { #expect(!line.contains(name), "\(file.name): \(line)") }
      }
      let readsJSON = file.name.hasSuffix("/JSONValue.swift")
      #expect(readsJSON || !file.lines.compactMap(imports).contains("FoundationEssentials"), "\(file.name)")
    }
  }

  @Test func unsafeStaysBehindTheWalls() throws {
    let walls =
      Self.rooms.filter(\.mayBeUnsafe).map(\.folder) + [
        "Overline/Terminal/Screen/ByteBlock.swift", "OverlineTestKit/TurnExecutor.swift",
      ]
    for file in try files("") where !walls.contains(where: { file.name.hasPrefix("\(Self.sources)/\($0)") }) {
      for line in file.lines.map(code) { #expect(!line.contains("unsafe "), "\(file.name): \(line)") }
    }
  }

  /// So a port to another C library changes one file.
  @Test("one file imports Glibc") func oneFileImportsTheCLibrary() throws {
    for target in try Subprocess.run("ls", [Self.sources]).outputText.split(separator: "\n") {
      for file in try files(String(target)) where file.lines.compactMap(imports).contains("Glibc") {
        #expect(file.name.hasSuffix("/OverlineSystem/Libc.swift"))
      }
    }
  }

  /// Swift's list can be empty: see ``ProcessEnvironment/arguments``.
  @Test func argumentsComeFromTheEntryPoint() throws {
    for file in try files("") {
      for line in file.lines.map(code) { #expect(!line.contains("CommandLine.arguments"), "\(file.name): \(line)") }
    }
  }

  /// Machines have no `default:`, so that a new phase does not compile until every event in it has been thought about.
  @Test func machinesNameEveryCase() throws {
    let machines = try files("").filter { $0.name.hasSuffix("Machine.swift") }
    #expect(machines.count > 5)
    for file in machines {
      for line in file.lines {
        #expect(!line.contains("default:") && !line.contains("case _:"), "\(file.name): \(line)")
      }
    }
  }

  /// Even in a folder that is a shell.
  @Test("machines and models import no system") func machinesAndModelsImportNoSystem() throws {
    let pure = try files("").filter { $0.name.hasSuffix("Machine.swift") || $0.name.hasSuffix("Model.swift") }
    for file in pure {
      for name in file.lines.compactMap(imports) {
        #expect(
          !["Glibc", "Dispatch", "OverlineProcess", "OverlineSystem", "Synchronization"].contains(name),
          "\(file.name) imports \(name)")
      }
      for line in file.lines.map(code) { #expect(!line.contains("Clock.now"), "\(file.name): \(line)") }
    }
  }

  @Test func noFileHasMoreThan400Lines() throws {
    for target in try Subprocess.run("ls", [Self.sources]).outputText.split(separator: "\n") {
      for file in try files(String(target)) { #expect(file.lines.count <= 400, "\(file.name)") }
    }
  }
}
