// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors in this repository, whose Makefile sets the variable. A package that depends on this one by path compiles it with a
/// compiler of its own, which may warn of more; so may a distribution's, which sets it to 0.
let strict: [SwiftSetting] =
  ["", "0"].contains(Context.environment["OVERLINE_STRICT"] ?? "") ? [] : [.treatAllWarnings(as: .error)]

/// Every Swift target is compiled alike, in Swift 6 mode.
let common: [SwiftSetting] =
  strict + [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]

/// Targets that decide, and those that carry, parse and paint what terminals show, are optimized in debug builds too: the tests take a third less time. A dependant
/// may not have unsafe flags in its products.
let optimized: [SwiftSetting] = strict.isEmpty ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Sources also mark every unsafe construct where it stands. Tests need not: they call C to make namespaces.
let settings = common + [.strictMemorySafety()]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings + more)
}

/// A program that uses the library as anybody's would.
func example(_ name: String, _ dependency: Target.Dependency) -> Target {
  .executableTarget(
    name: "Overline\(name)Example", dependencies: [dependency], path: "Tests/Examples/\(name)", swiftSettings: common)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], _ more: [SwiftSetting] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name,
    dependencies: dependencies + ["OverlineProcess", "OverlineTestKit", "OverlineTestSupport", "OverlineTestThread"],
    exclude: exclude,
    swiftSettings: common + more)
}

/// The same targets twice: fed with their corpus by the tests, or by libFuzzer in the package that `make fuzz` builds, whose runtime
/// takes over the program and is nothing that a usual build should need.
let fuzzed: [Target.Dependency] = [
  "NetworkPath", "Overline", "OverlineCore", "OverlineProcess", "OverlineShell", "OverlineSystem",
  "OverlineTestSupport",
  "OverlineTranscripts",
]
let fuzz: [Target] =
  Context.environment["OVERLINE_FUZZ"] == nil
  ? [
    .testTarget(
      name: "FuzzTests", dependencies: fuzzed + ["OverlineTestThread"], path: "Tests/Fuzz",
      exclude: ["CFuzzer", "Corpus", "Fuzz.swift"], swiftSettings: common)
  ]
  : [
    .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: fuzzed + ["CFuzzer"], path: "Tests/Fuzz",
      exclude: ["CFuzzer", "Corpus", "CorpusTests.swift"], swiftSettings: common),
  ]

/// The commit as a number, which is all that a define can hand over. `Context.gitInformation` would be that of the first build: the
/// manifest's answers are kept until it or its environment changes.
let commit = "0x0" + (Context.environment["OVERLINE_COMMIT"] ?? "")

let package = Package(
  name: "overline",
  products: [
    .library(name: "NetworkPath", targets: ["NetworkPath"]),
    .library(name: "Overline", targets: ["Overline"]),
    .library(name: "OverlineTestKit", targets: ["OverlineTestKit"]),
    .executable(name: "overline", targets: ["OverlineCLI"]),
  ],
  traits: [
    .default(enabledTraits: ["Program"]),
    .trait(
      name: "Program",
      description:
        "What only the program overline needs. A package that uses a library writes traits: [] and fetches nothing else."
    ),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    // Only for tests: programs written for Apple's Combine. SwiftPM does not fetch it for a package that uses a library of this one.
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    // `MessageParser` says which messages libnl-route-3 parses. The Makefile links both statically.
    .systemLibrary(
      name: "COverlineNetlink", pkgConfig: "libnl-route-3.0", providers: [.apt(["libnl-3-dev", "libnl-route-3-dev"])]),
    // What Swift cannot import, and a look at 64 bytes at once.
    .target(name: "COverline"),
    // What a program needs to run with an older C library than that of the machine where it was built.
    .target(name: "COverlineGlibc"),
    .target(name: "COverlineVersion", cSettings: [.define("OVERLINE_COMMIT", to: commit)]),
    library("OverlineSystem", ["COverline"]),
    // What a program that owns its process needs besides: a program with the library has no use for it.
    library("OverlineProcess", ["COverline", "OverlineSystem"]),
    library("NetworkPath", ["COverline", "COverlineNetlink", "OverlineSystem"], optimized),
    library("Overline", ["COverline", "NetworkPath", "OverlineSystem"], optimized),
    // The path's recordings and their replay: a program with the library needs neither.
    library("OverlineTranscripts", ["COverlineNetlink", "NetworkPath", "OverlineSystem"], optimized),
    // Every decision of the program.
    library("OverlineCore", ["NetworkPath", "Overline"], optimized),
    library(
      "OverlineShell", ["NetworkPath", "Overline", "OverlineCore", "OverlineProcess", "OverlineSystem"], optimized),
    .executableTarget(
      name: "OverlineCLI",
      dependencies: [
        "COverlineGlibc", "COverlineVersion", "NetworkPath", "Overline", "OverlineCore", "OverlineProcess",
        "OverlineShell",
        "OverlineSystem",
        "OverlineTranscripts",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Program"])),
      ], swiftSettings: settings),
    // Writes the manual pages.
    .executableTarget(
      name: "OverlineManual", dependencies: ["OverlineCore", "OverlineProcess", "OverlineSystem"], path: "Tests/Manual",
      swiftSettings: settings),
    // For tests of other packages too.
    library("OverlineTestKit", ["NetworkPath", "Overline", "OverlineSystem"]),
    // What only the tests of this one use.
    .target(
      name: "OverlineTestSupport",
      dependencies: ["COverline", "NetworkPath", "Overline", "OverlineProcess", "OverlineSystem"],
      path: "Tests/TestSupport",
      swiftSettings: settings),
    .target(
      name: "OverlineTestThread", dependencies: ["OverlineSystem"], path: "Tests/TestThread", swiftSettings: common),
    // A terminal that others wrote, for tests only. It lies where compilers look anyway: without pkg-config, a build
    // without tests does not ask for it.
    .systemLibrary(name: "COverlineVTerm", path: "Tests/CVTerm"),
    .target(
      name: "OverlineReferenceTerminal", dependencies: ["COverlineVTerm"], path: "Tests/ReferenceTerminal",
      swiftSettings: common + optimized),
    tests("ReferenceTerminalTests", ["OverlineReferenceTerminal"]),
    // A terminal of our own, which reflows and behaves as one family or the other.
    .target(name: "OverlineSimulatedTerminal", path: "Tests/SimulatedTerminal", swiftSettings: common + optimized),
    tests("SimulatedTerminalTests", ["OverlineSimulatedTerminal"], optimized),
    tests(
      "WindowSimulationTests",
      ["NetworkPath", "Overline", "OverlineCore", "OverlineShell", "OverlineSystem", "OverlineSimulatedTerminal"],
      optimized,
      exclude: ["failures.txt"]),
    // A kernel and tmux servers as models, and a monitor that lives among them.
    .target(
      name: "OverlineSimulatedMachine", dependencies: ["NetworkPath", "Overline", "OverlineCore"],
      path: "Tests/SimulatedMachine", swiftSettings: common + optimized),
    tests(
      "SimulatedMachineTests",
      ["NetworkPath", "Overline", "OverlineCore", "OverlineShell", "OverlineSimulatedMachine", "OverlineSystem"]),
    tests(
      "MonitorSimulationTests", ["NetworkPath", "Overline", "OverlineCore", "OverlineSimulatedMachine"], optimized),
    // `overline run` on terminals that can be looked at, beside the same program alone.
    .target(
      name: "OverlineWindowTestKit",
      dependencies: ["OverlineTestSupport", "OverlineProcess", "OverlineSystem", "OverlineReferenceTerminal"],
      path: "Tests/WindowTestKit", swiftSettings: common),
    tests("EquivalenceTests", ["OverlineCLI", "OverlineSystem", "OverlineReferenceTerminal", "OverlineWindowTestKit"]),
    .executableTarget(
      name: "OverlineBenchWatcher", dependencies: ["NetworkPath", "OverlineSystem"], path: "Tests/Benchmarks/Watcher",
      swiftSettings: settings),
    .executableTarget(
      name: "OverlineBenchLibrary", dependencies: ["Overline"], path: "Tests/Benchmarks/Library",
      swiftSettings: settings),
    .executableTarget(name: "OverlineBenchNothing", path: "Tests/Benchmarks/Nothing", swiftSettings: settings),
    .executableTarget(
      name: "OverlineBench",
      dependencies: [
        "NetworkPath", "OverlineTestSupport", "OverlineProcess", "OverlineSystem", "Overline", "OverlineShell",
        "OverlineReferenceTerminal", "OverlineTranscripts",
      ], path: "Tests/Benchmarks/Figures",
      swiftSettings: settings),
    tests("BenchmarkTests", ["OverlineBench", "OverlineSystem"]),
    tests("ArchitectureTests", ["OverlineSystem"], exclude: ["interface.txt", "types.txt"]),
    tests("POSIXTests", ["OverlineSystem"]),
    tests(
      "PathModelTests", ["OverlineSimulatedMachine", "NetworkPath", "OverlineSystem", "OverlineTranscripts"],
      exclude: ["Qualities"]),
    tests(
      "NetlinkTests", ["COverlineNetlink", "NetworkPath", "OverlineSystem", "OverlineTranscripts"],
      exclude: ["Transcripts"]),
    // Programs written for Apple's framework, to be run in a namespace.
    .executableTarget(
      name: "OverlineApplePrograms",
      dependencies: ["NetworkPath", .product(name: "OpenCombine", package: "OpenCombine")],
      path: "Tests/ApplePrograms", swiftSettings: settings),
    tests("NetworkPathTests", ["OverlineApplePrograms", "NetworkPath", "OverlineSystem"]),
    tests("BannerTests", ["Overline"]),
    tests("ReachabilityTests", ["NetworkPath", "Overline", "OverlineCore"]),
    tests(
      "OverlineMonitorTests",
      ["NetworkPath", "Overline", "OverlineCore"]),
    tests("HistoryTests", ["OverlineCore"]),
    tests(
      "TerminalTests", ["Overline", "OverlineSystem", "OverlineReferenceTerminal"], exclude: ["Screen/Recordings"]),
    tests(
      "ObserverTests", ["COverline", "Overline", "OverlineCore", "OverlineShell", "NetworkPath", "OverlineSystem"]),
    tests(
      "ConfigurationTests", ["OverlineCore", "OverlineShell", "Overline", "NetworkPath", "OverlineSystem"]),
    // A monitor that can be killed, and its guardian.
    .executableTarget(
      name: "OverlineTmuxTestHelper",
      dependencies: ["OverlineCore", "OverlineProcess", "OverlineShell", "Overline", "OverlineSystem"],
      path: "Tests/TmuxTestHelper",
      swiftSettings: settings),
    tests(
      "WindowTests",
      [
        "NetworkPath", "Overline", "OverlineCLI", "OverlineSystem", "OverlineReferenceTerminal", "OverlineCore",
        "OverlineShell", "OverlineWindowTestKit",
      ]),
    tests("TmuxTests", ["OverlineCore", "OverlineShell", "Overline", "OverlineSystem", "OverlineTmuxTestHelper"]),
    tests(
      "OverlineCLITests",
      [
        "Overline", "OverlineCore", "OverlineShell", "NetworkPath", "OverlineCLI",
        "OverlineManual", "OverlineSystem", "OverlineTranscripts", "OverlineReferenceTerminal", "OverlineWindowTestKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], exclude: ["Version01", "Version02"]),
    tests("FaultTests", ["OverlineCLI", "OverlineSystem", "OverlineReferenceTerminal", "OverlineWindowTestKit"]),
    // Counts the allocations of a window's turns: it has functions of its own in the place of malloc(3) and memcpy(3). So no test may depend
    // on it: the tests' own program would be linked with them.
    .target(name: "COverlineMallocCount", path: "Tests/CMallocCount"),
    .executableTarget(
      name: "OverlineMallocProgram",
      dependencies: [
        "COverlineMallocCount", "Overline", "OverlineCore", "OverlineProcess", "OverlineShell", "OverlineSystem",
      ],
      path: "Tests/MallocProgram", swiftSettings: common),
    // A program that does with its window what it is told.
    .executableTarget(
      name: "OverlineWindowProgram", dependencies: ["NetworkPath", "Overline"], path: "Tests/WindowProgram",
      swiftSettings: common),
    example("Download", "Overline"),
    example("Clock", "Overline"),
    example("Dashboard", "Overline"),
    example("Paths", "NetworkPath"),
    example("Readme", "Overline"),
    tests(
      "OverlineTests",
      [
        "OverlineCLI",
        "OverlineClockExample", "OverlineDashboardExample", "OverlineDownloadExample", "NetworkPath", "Overline",
        "OverlineSystem", "OverlinePathsExample",
        "OverlineReadmeExample", "OverlineReferenceTerminal", "OverlineWindowProgram", "OverlineWindowTestKit",
      ]),
  ] + fuzz
)
