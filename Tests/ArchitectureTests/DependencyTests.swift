import OverlineTestKit
import POSIX
import Testing

/// The rules between the targets, each with its reason. A rule that is in the way is changed here, with a better reason.
@Suite struct DependencyTests {
  /// What each target may import. The order is the way of the data: kernel, path, banner, terminal, tmux, observers beside it.
  private static let allowed: [String: Set<String>] = [
    // Pure: they decide. No I/O, no clock, no task, no descriptor; time comes in as a parameter.
    "PathModel": [],
    "Banner": ["PathModel"],
    // When to ask whether anyone answers, and what the answer means.
    "Reachability": ["PathModel"],
    "History": [],
    // The wall around a look at 64 bytes at once, for which Swift has no words.
    "ByteBlock": ["CByteBlock"],
    "Terminal": ["Banner", "ByteBlock"],
    // FoundationEssentials reads its JSON: only programs link this target.
    "ObserverProtocol": ["Banner", "FoundationEssentials", "PathModel", "Terminal"],
    // The wall around C: one Swift name for each system call.
    "POSIX": ["CSystem", "Dispatch", "Glibc"],
    // Shells own descriptors and clocks, and translate. Only Netlink knows libnl.
    "Netlink": ["CNetlink", "CSystem", "Dispatch", "Glibc", "PathModel", "POSIX", "Synchronization"],
    // What clients import: nothing beyond Dispatch and the path's values may show in its public declarations.
    "NetworkPath": ["Dispatch", "Netlink", "PathModel", "POSIX", "Synchronization"],
    // What programs import to have a banner of their own. Its public declarations show the monitor and the values of a banner.
    "Overline": ["Banner", "Dispatch", "NetworkPath", "PathModel", "POSIX", "Synchronization", "Terminal"],
    // A program's library too: paths come in as events, and what is shown goes out as a value.
    "Window": ["Banner", "POSIX", "Synchronization", "Terminal"],
    "Tmux": ["Banner", "Dispatch", "POSIX", "Synchronization", "Terminal"],
    "ObserverSocket": ["Dispatch", "Glibc", "ObserverProtocol", "POSIX", "Synchronization"],
    // Only the program reads a file of settings: libraries get values.
    "Configuration": ["Banner", "PathModel", "POSIX", "Reachability", "Terminal", "Tmux"],
  ]

  /// Where `unsafe` may stand: behind the walls around C.
  private static let mayBeUnsafe: Set<String> = ["ByteBlock", "POSIX", "Netlink", "ObserverSocket", "OverlineTestKit"]

  static let sources = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Sources"

  private func files(_ target: String) throws -> [(name: String, lines: [Substring])] {
    let found = try Subprocess.run("find", ["\(Self.sources)/\(target)", "-name", "*.swift"])
    return try found.outputText.split(separator: "\n").map {
      (String($0), String(decoding: try Files.read(String($0)), as: UTF8.self).split(separator: "\n"))
    }
  }

  /// Without its comment.
  private func code(_ line: Substring) -> Substring {
    line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
  }

  private func imports(_ line: Substring) -> String? {
    let words = line.split(separator: " ").filter {
      !["public", "internal", "package", "private", "@preconcurrency", "@_exported", "struct", "enum"].contains($0)
    }
    return words.count > 1 && words[0] == "import" ? String(words[1].prefix { $0 != "." }) : nil
  }

  @Test(arguments: allowed.keys.sorted())
  func aTargetImportsOnlyWhatItMay(_ target: String) throws {
    let files = try files(target)
    #expect(!files.isEmpty)
    for file in files {
      for name in file.lines.compactMap(imports) {
        #expect(Self.allowed[target]!.contains(name), "\(file.name) imports \(name)")
      }
    }
  }

  /// A client sees Dispatch and the values of a path, and neither Foundation nor what lies below.
  @Test func clientsOfNetworkPathSeeOnlyWhatTheyNeed() throws {
    for file in try files("NetworkPath") {
      for line in file.lines where line.hasPrefix("public import") || line.hasPrefix("@_exported") {
        #expect(line == "public import Dispatch" || line.contains(" PathModel."), "\(file.name): \(line)")
      }
    }
  }

  @Test func clientsOfOverlineSeeOnlyTheMonitorAndTheValuesOfABanner() throws {
    for file in try files("Overline") {
      for line in file.lines where line.hasPrefix("public import") || line.hasPrefix("@_exported") {
        #expect(
          line == "public import Banner" || line.hasSuffix(" NetworkPath") || line.contains(" Banner."),
          "\(file.name): \(line)")
      }
    }
  }

  @Test func everyTargetHasARule() throws {
    let found = try Subprocess.run("ls", [Self.sources]).outputText.split(separator: "\n").map(String.init)
    // The program and its tools may import everything; C targets import nothing.
    let free: Set = [
      "CByteBlock", "CNetlink", "CSystem", "CVersion", "OverlineCLI", "OverlineManual", "BenchWatcher", "BenchLibrary",
      "BenchNothing", "OverlineBench",
      "OverlineTestKit",
    ]
    #expect(Set(found).subtracting(free) == Set(Self.allowed.keys))
  }

  /// A pure target that reads a clock or starts a task cannot be tested as a timeline.
  @Test(arguments: ["PathModel", "Banner", "ByteBlock", "History", "Reachability", "Terminal", "ObserverProtocol"])
  func pureTargetsReadNoClockAndStartNoTask(_ target: String) throws {
    for file in try files(target) {
      for line in file.lines.map(code) {
        for forbidden in ["Task {", "Task.", "Clock.now", "Clock().now", "print(", "async ", "await "] {
          #expect(!line.contains(forbidden), "\(file.name): \(line)")
        }
      }
    }
  }

  @Test func unsafeStaysBehindTheWalls() throws {
    for target in Set(Self.allowed.keys).union(["OverlineCLI"]).subtracting(Self.mayBeUnsafe) {
      for file in try files(target) {
        for line in file.lines.map(code) {
          #expect(!line.contains("unsafe "), "\(file.name): \(line)")
        }
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

  @Test func noFileIsLongerThanAnIdea() throws {
    for target in try Subprocess.run("ls", [Self.sources]).outputText.split(separator: "\n") {
      for file in try files(String(target)) { #expect(file.lines.count <= 400, "\(file.name)") }
    }
  }
}
