// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is compiled alike: Swift 6 mode, and warnings are errors.
let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Sources also mark every unsafe construct where it stands. Tests need not: they call C to make namespaces.
let settings = common + [.strictMemorySafety()]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A program that uses the library as anybody's would.
func example(_ name: String, _ dependency: Target.Dependency) -> Target {
  .executableTarget(
    name: "\(name)Example", dependencies: [dependency], path: "Tests/Examples/\(name)", swiftSettings: common)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["OverlineTestKit"], exclude: exclude, swiftSettings: common)
}

/// The same targets twice: fed with their corpus by the tests, or by libFuzzer in the package that `make fuzz` builds, whose runtime
/// takes over the program and is nothing that a usual build should need.
let fuzzed: [Target.Dependency] = [
  "Banner", "Configuration", "Netlink", "ObserverProtocol", "ObserverSocket", "OverlineTestKit", "PathModel", "POSIX",
  "Terminal", "Tmux",
]
let fuzz: [Target] =
  Context.environment["OVERLINE_FUZZ"] == nil
  ? [
    .testTarget(
      name: "FuzzTests", dependencies: fuzzed, path: "Tests/Fuzz", exclude: ["CFuzzer", "Corpus", "Fuzz.swift"],
      swiftSettings: common)
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
    .executable(name: "overline-manual", targets: ["OverlineManual"]),
    .executable(name: "overline-bench", targets: ["OverlineBench"]),
    .executable(name: "bench-watcher", targets: ["BenchWatcher"]),
    .executable(name: "bench-library", targets: ["BenchLibrary"]),
    .executable(name: "bench-nothing", targets: ["BenchNothing"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    // Only for tests: programs written for Apple's Combine. SwiftPM does not fetch it for a package that uses a library of this one.
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    // Messages and attributes of libnl-3 only. libnl-route-3 keeps tables of its own that the kernel answers better, and costs every
    // process 0.4 MB to load.
    .systemLibrary(name: "CNetlink", pkgConfig: "libnl-3.0", providers: [.apt(["libnl-3-dev"])]),
    .target(name: "CSystem"),
    .target(name: "CVersion", cSettings: [.define("OVERLINE_COMMIT", to: commit)]),
    library("POSIX", ["CSystem"]),
    library("PathModel"),
    library("Netlink", ["CNetlink", "CSystem", "PathModel", "POSIX"]),
    library("NetworkPath", ["Netlink", "PathModel", "POSIX"]),
    library("Banner", ["PathModel"]),
    library("Reachability", ["PathModel"]),
    library("History"),
    .target(name: "CByteBlock"),
    library("ByteBlock", ["CByteBlock"]),
    library("Terminal", ["Banner", "ByteBlock"]),
    library("Tmux", ["Banner", "Terminal", "POSIX"]),
    library("Window", ["Banner", "POSIX", "Terminal"]),
    library("Overline", ["Banner", "NetworkPath", "PathModel", "POSIX", "Terminal"]),
    library("ObserverProtocol", ["PathModel", "Banner", "Terminal"]),
    library("ObserverSocket", ["ObserverProtocol", "POSIX"]),
    library("Configuration", ["Banner", "PathModel", "POSIX", "Reachability", "Terminal", "Tmux"]),
    .executableTarget(
      name: "OverlineCLI",
      dependencies: [
        "Banner", "Configuration", "CVersion", "History", "Netlink", "ObserverProtocol", "ObserverSocket", "PathModel",
        "POSIX", "Reachability", "Terminal", "Tmux", "Window",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: settings),
    // Writes the manual pages. Nothing that is installed.
    .executableTarget(name: "OverlineManual", dependencies: ["ObserverProtocol", "POSIX"], swiftSettings: settings),
    library(
      "OverlineTestKit", ["Banner", "CSystem", "NetworkPath", "Overline", "PathModel", "POSIX", "Terminal"]),
    // A terminal that others wrote, for tests only. It lies where compilers look anyway: without pkg-config, whoever only builds is
    // not told to install it.
    .systemLibrary(name: "CVTerm", path: "Tests/CVTerm"),
    .target(
      name: "ReferenceTerminal", dependencies: ["CVTerm"], path: "Tests/ReferenceTerminal", swiftSettings: common),
    tests("ReferenceTerminalTests", ["ReferenceTerminal"]),
    // `overline run` on terminals that can be looked at, beside the same program alone.
    .target(
      name: "WindowTestKit", dependencies: ["OverlineTestKit", "POSIX", "ReferenceTerminal"],
      path: "Tests/WindowTestKit", swiftSettings: common),
    tests("EquivalenceTests", ["OverlineCLI", "POSIX", "ReferenceTerminal", "WindowTestKit"]),
    .executableTarget(
      name: "BenchWatcher", dependencies: ["NetworkPath", "POSIX"], swiftSettings: settings),
    .executableTarget(name: "BenchLibrary", dependencies: ["Overline"], swiftSettings: settings),
    .executableTarget(name: "BenchNothing", swiftSettings: settings),
    .executableTarget(
      name: "OverlineBench", dependencies: ["Netlink", "OverlineTestKit", "PathModel", "POSIX", "Terminal"],
      swiftSettings: settings),
    tests("ArchitectureTests", ["POSIX"], exclude: ["interface.txt"]),
    tests("POSIXTests", ["POSIX"]),
    tests("PathModelTests", ["PathModel"]),
    tests("NetlinkTests", ["Netlink", "PathModel", "POSIX"], exclude: ["Transcripts"]),
    // Programs written for Apple's framework, to be run in a namespace.
    .executableTarget(
      name: "ApplePrograms",
      dependencies: ["NetworkPath", .product(name: "OpenCombine", package: "OpenCombine")],
      path: "Tests/ApplePrograms", swiftSettings: settings),
    tests("NetworkPathTests", ["ApplePrograms", "Netlink", "NetworkPath", "PathModel", "POSIX"]),
    tests("BannerTests", ["Banner"]),
    tests("ReachabilityTests", ["PathModel", "Reachability"]),
    tests("HistoryTests", ["History", "POSIX"]),
    tests("TerminalTests", ["Banner", "POSIX", "ReferenceTerminal", "Terminal"], exclude: ["Screen/Recordings"]),
    tests(
      "ObserverTests", ["CSystem", "Terminal", "ObserverProtocol", "ObserverSocket", "Banner", "PathModel", "POSIX"]),
    tests(
      "ConfigurationTests", ["Configuration", "Banner", "PathModel", "POSIX", "Reachability", "Terminal", "Tmux"]),
    // A monitor that can be killed, and its guardian.
    .executableTarget(
      name: "TmuxTestHelper", dependencies: ["Tmux", "Banner", "POSIX"], path: "Tests/TmuxTestHelper",
      swiftSettings: settings),
    tests(
      "WindowTests",
      ["Banner", "OverlineCLI", "POSIX", "ReferenceTerminal", "Terminal", "Window", "WindowTestKit"]),
    tests("TmuxTests", ["Tmux", "Banner", "POSIX", "Terminal", "TmuxTestHelper"]),
    tests(
      "OverlineCLITests",
      [
        "Banner", "History", "Netlink", "ObserverProtocol", "ObserverSocket", "OverlineCLI", "OverlineManual",
        "PathModel", "POSIX",
        "ReferenceTerminal", "WindowTestKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    tests("FaultTests", ["OverlineCLI", "POSIX", "ReferenceTerminal", "WindowTestKit"]),
    // A program that does with its window what it is told.
    .executableTarget(
      name: "WindowProgram", dependencies: ["Overline"], path: "Tests/WindowProgram", swiftSettings: common),
    example("Download", "Overline"),
    example("Clock", "Overline"),
    example("Paths", "NetworkPath"),
    example("Readme", "Overline"),
    tests(
      "OverlineTests",
      [
        "ClockExample", "DownloadExample", "NetworkPath", "Overline", "PathsExample", "POSIX", "ReadmeExample",
        "ReferenceTerminal", "Terminal", "WindowProgram", "WindowTestKit",
      ]),
  ] + fuzz
)
