import OverlineCore
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing
@testable import OverlineCLI

/// An interface whose name contains terminal sequences, formats, markup and shell code, at every place where it is shown.
@Suite(.ownThread) struct HostileNameTests {
  /// An escape sequence, a C1 character, a format of tmux's, quotes, a tag, and an override of direction: fourteen bytes of fifteen.
  private static let name = "\u{1b}[5m\u{9b}#{'<\u{202e}\""
  private static let shown = "[5m#{'<\""

  private func expectText(_ bytes: [UInt8], _ what: String) {
    let text = String(decoding: bytes, as: UTF8.self)
    let unsafe = text.unicodeScalars.first { scalar in
      switch scalar.value {
      case 0x0a: false
      case 0x00...0x1f, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069: true
      default: false
      }
    }
    #expect(unsafe == nil, "\(what): \(text.debugDescription)")
  }

  /// Where our own escape sequences appear: none contains the name's bytes.
  private func expectNothingOfTheName(_ bytes: [UInt8], _ what: String) {
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
    for part in ["\u{1b}[5m", "\u{9b}", "\u{202e}"] { #expect(!text.contains(part.unicodeScalars), "\(what)") }
  }

  /// The commands that print names. `CommandTreeTests.eachCommandIsTextOrPrintsNoName` fails for a command that is in neither list.
  static let commands =
    [
      ["path"], ["path", "--json"], ["quality"], ["status", "--verbose"], ["history"], ["history", "--json"],
      ["history", "--format", "csv"], ["history", "--format", "markdown"], ["history", "--format", "html"], ["doctor"],
      ["doctor", "--json"],
      ["tmux", "status"], ["tmux", "status", "--json"], ["metrics"],
    ] + ObserverFormat.allCases.map { ["status", "--format", $0.rawValue] }
  /// These print no name, or as `status` and `monitor` do.
  static let otherCommands = [
    "alert", "banner dismiss", "banner present", "completions", "config check", "config init", "config path",
    "config show", "demo", "dismiss", "monitor", "refresh", "reload", "reset", "run", "tmux attach", "tmux detach",
    "pause", "resume", "setup",
    "toast",
    "wait", "watch",
  ]

  @Test func itIsTextEverywhere() throws {
    let scene = try Scene(
      configuration: "[hooks]\non-offline = \"env >$HOME/hook.new; mv $HOME/hook.new $HOME/hook\"\n")
    let (world, folder) = (scene.world, scene.world.folder)
    for arguments in [
      ["set", "eth0", "down"], ["set", "eth0", "name", Self.name], ["set", "dev", Self.name, "up"],
    ] {
      let result = try world.namespace.inside { try Subprocess.run("ip", ["link"] + arguments) }
      #expect(result.status == 0, "\(result.errorText)")
    }
    try world.namespace.ip("route add default via 192.0.2.1")
    let server = try TmuxTestServer()
    let screen = try server.attachedScreen(columns: 120)
    let monitor = try scene.startMonitor()
    #expect(try scene.overline("tmux", "attach", "--server", server.socket).status == 0)
    let window = try scene.window()

    func expectTextOfCommands() throws {
      for arguments in Self.commands {
        let result = try world.namespace.inside {
          try Subprocess.run(
            WindowWorld.executable, arguments,
            environment: world.environment + ["TMUX=\(server.socket),1,0"], timeout: .seconds(30))
        }
        #expect(!result.output.isEmpty || arguments.last == "plain", "\(arguments)")
        expectText(result.output + result.errors, "\(arguments)")
      }
    }
    #expect(try scene.overline("path").outputText.contains(Self.shown))
    #expect(try scene.overline("path", "--json").outputText.contains(#""name":"[5m#{'<\"""#))
    try expectTextOfCommands()

    try world.pullTheCable()
    try window.wait(for: Self.shown)
    try window.waitForBanner()
    expectNothingOfTheName(window.output, "the window")
    #expect(try eventually { try screen.rows().contains { $0.contains(Self.shown) } })
    expectNothingOfTheName(Array(try screen.cells().utf8), "tmux's screen")
    expectText(Array(try server.source("show -g", "show-environment -gh").utf8), "tmux's options")
    try expectTextOfCommands()

    for file in ["overline/state", "hook", ".local/state/overline/history"] {
      #expect(eventually { Files.exists("\(folder)/\(file)") }, "\(file)")
      // Its fields are separated by tabs.
      let bytes = try Files.read("\(folder)/\(file)").filter { $0 != 0x09 }
      expectText(bytes, file)
      #expect(String(decoding: bytes, as: UTF8.self).contains("[5m#{"), "\(file)")
    }
    #expect(try scene.overline("history").outputText.contains(Self.shown))
    #expect(monitor.end(.terminate) == 0)
    for line in monitor.lines.values + monitor.errors.values { expectText(Array(line.utf8), "the log") }
    #expect(monitor.lines.values.last?.contains(Self.shown) == true)
  }
}
