import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// The examples (Tests/Examples), run as a user would, in networks that really go down.
@Suite(.ownThread) struct ExampleTests {
  @Test func aDownloadWaitsOutAnOutageAndGoesOnWhereItStopped() throws {
    let world = try LibraryWorld()
    let file = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let server = try world.internet.inside { try RangeServer(file: file, limit: 6_000) }
    let target = "\(world.folder)/file"
    let scene = try world.scene("OverlineDownloadExample", ["http://192.0.2.1:8000/file", target])
    #expect(eventually { (try? Files.read(target).count) == 6_000 })
    try world.pullTheCable()
    try scene.wait("the banner in the last row") { $0.text.last!.contains("No connection · eth0 has no carrier") }
    try scene.wait(for: "until byte 6000")
    server.release()
    try world.plugTheCable()
    try scene.wait(for: "done: 20000 bytes")
    #expect(try scene.end() == 0)
    #expect(try Files.read(target) == file)
    #expect(server.requests.values == [0, 6_000])
    // Nothing of the banner is left.
    #expect(
      scene.lines == [
        "from byte 0", "until byte 6000", "from byte 6000", "until byte 20000", "done: 20000 bytes in \(target)",
      ])
  }

  /// The router answers at once; the server accepts connections only after two attempts have failed.
  @Test func aDownloadSurvivesAServerThatBoots() throws {
    let world = try LibraryWorld()
    let file = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let server = try world.internet.inside { try RangeServer(file: file, limit: 6_000) }
    let target = "\(world.folder)/file"
    let scene = try world.scene("OverlineDownloadExample", ["http://192.0.2.1:8000/file", target])
    #expect(eventually { (try? Files.read(target).count) == 6_000 })
    try world.pullTheCable()
    try scene.wait("the banner in the last row") { $0.text.last!.contains("No connection") }
    try scene.wait(for: "until byte 6000")
    try world.internet.nft(
      "table inet test { chain c { type filter hook input priority 0; tcp dport 8000 reject with tcp reset; }; }")
    server.release()
    try world.plugTheCable()
    try scene.wait("two failed attempts") { $0.text.count { $0 == "until byte 6000" } >= 3 }
    try world.internet.nft("delete table inet test")
    try scene.wait(for: "done: 20000 bytes")
    #expect(try scene.end() == 0)
    #expect(try Files.read(target) == file)
  }

  @Test func aClockMakesRoomForTheBanner() throws {
    let world = try LibraryWorld()
    let scene = try world.scene("OverlineClockExample", [], rows: 24)
    let hasClock = { (row: String) in row.filter { $0 == ":" }.count == 2 }
    try scene.wait("the clock in the middle") { $0.isAlternate && hasClock($0.text[12]) }
    try world.pullTheCable()
    try scene.wait("the banner, and the clock below its middle") { terminal in
      terminal.text[0].contains("No connection") && terminal.text.indices.filter { hasClock(terminal.text[$0]) } == [12]
    }
    scene.resize(rows: 40, columns: 60)
    try scene.wait("both on a larger screen") { terminal in
      terminal.text[0].contains("No connection") && terminal.text.indices.filter { hasClock(terminal.text[$0]) } == [20]
    }
    try world.plugTheCable()
    try scene.wait("the clock alone") { $0.text[0].isEmpty && hasClock($0.text[20]) }
    scene.type("\u{3}")
    #expect(try scene.end() == 0)
    #expect(scene.look { !$0.isAlternate && $0.cursor.isVisible })
    #expect(scene.lines == [""])
  }

  /// Cell for cell, beside a shell without a clock.
  @Test func aClockThatEndsDuringAnOutageLeavesTheShellsScreenAsItWas() throws {
    let world = try LibraryWorld()
    let shell = #"printf '\033[1;37;41mrow\033[m %s\n' $(seq 23); printf '$ clock'; "#
    let scenes = try ["exec \"$0\"", "read line"].map { command in
      try world.machine.inside {
        try TerminalScene(
          ["sh", "-c", shell + command, BuiltProgram.path("OverlineClockExample")],
          environment: LibraryWorld.environment)
      }
    }
    try scenes[1].wait(for: "$ clock")
    try scenes[0].wait("the clock") { $0.isAlternate && $0.text[12].contains(":") }
    let time = scenes[0].text[12]
    try world.pullTheCable()
    // A second later it surely handles Ctrl-C.
    try scenes[0].wait("the banner, and another time") {
      $0.text[0].contains("No connection") && $0.text[12] != time
    }
    scenes[0].type("\u{3}")
    #expect(try scenes[0].end() == 0)
    let pictures = scenes.map { $0.picture() }
    #expect(pictures[0].rows == pictures[1].rows, "\(pictures[0].difference(from: pictures[1]))")
    #expect(!pictures[0].isAlternate && pictures[0].cursor.isVisible)
  }

  @Test func aDashboardShowsEachNetworkBelowTheBanner() throws {
    let world = try LibraryWorld()
    try world.machine.ip("link add eth1 type veth peer name office", "link set office up", "link set eth1 up")
    try world.machine.ip("addr add 10.20.0.2/16 dev eth1", "route add unreachable 10.30.0.0/16")
    let scene = try world.scene("OverlineDashboardExample", ["office=10.20.0.0/16", "lab=10.30.0.0/16"])
    let states = [
      ("internet", "online via eth0"), ("office", "is reachable via eth1"), ("lab", "not reachable"),
    ]
    /// The row of a network is above that of its cause.
    func shows(_ text: [String], _ name: String, _ cause: String) -> Bool {
      text.indices.dropLast().contains { text[$0].hasPrefix(" ● \(name) ") && text[$0 + 1].contains(cause) }
    }
    try scene.wait("each network and its cause") { terminal in
      terminal.isAlternate && states.allSatisfy { shows(terminal.text, $0.0, $0.1) }
    }
    try world.pullTheCable()
    try scene.wait("the banner, and the other networks as they were") { terminal in
      terminal.text[0].contains("No connection") && terminal.text[1].contains("The last 60 seconds")
        && shows(terminal.text, "internet", "eth0 has no carrier")
        && states.dropFirst().allSatisfy { shows(terminal.text, $0.0, $0.1) }
    }
    try world.plugTheCable()
    try scene.wait("the row given back") { $0.text[0].contains("The last 60 seconds") }
    scene.type("\u{3}")
    #expect(try scene.end() == 0)
    #expect(scene.look { !$0.isAlternate && $0.cursor.isVisible })
    #expect(scene.lines == [""])
  }

  @Test func tenLinesTellOfTheNetwork() throws {
    let world = try LibraryWorld()
    let scene = try world.scene("OverlinePathsExample", [])
    try scene.wait("online") { $0.text.prefix(1) == ["online"] }
    try world.pullTheCable()
    try scene.wait("offline") { $0.text.prefix(2) == ["online", "offline"] }
    try world.plugTheCable()
    try scene.wait("online again") { $0.text.prefix(3) == ["online", "offline", "online"] }
  }

  @Test("the code of the README and the guide compiles, and does what they say") func theGuidesCode() throws {
    for (page, names) in [
      ("README.md", ["Paths"]), ("Sources/OverlineCLI/OverlineCLI.docc/Guide/Library.md", ["Readme", "Paths"]),
    ] {
      let blocks = try MarkdownDocument(page).blocks.filter { $0.language == "swift" }.map { $0.text + "\n" }
      for name in names { #expect(blocks.contains(try MarkdownDocument("Tests/Examples/\(name)/main.swift").text)) }
    }
    let world = try LibraryWorld()
    let scene = try world.scene("OverlineReadmeExample", [])
    try scene.wait("the toast in the last row, and a line above it") { terminal in
      terminal.text.last!.contains("The first pages are here") && terminal.text.contains("fetching page 4 …")
    }
    try world.pullTheCable()
    try scene.wait("the banner in the last row") { $0.text.last!.contains("No connection · eth0 has no carrier") }
    try world.plugTheCable()
    try scene.wait("the last row given back") { terminal in
      !["No connection", "Back online"].contains { terminal.text.last!.contains($0) }
    }
  }
}
