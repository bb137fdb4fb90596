import Overline
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore
@testable import OverlineShell

/// Each client sees colours that it can show, and readable text.
@Suite(.ownThread) struct PaletteTests {
  private static let green = (rgb: "48;2;46;125;50", palette: "48;5;28")

  private func shows(_ client: TestTerminal, _ color: String, after start: Int) -> Bool {
    eventually { String(decoding: client.output.dropFirst(start), as: UTF8.self).contains("\u{1b}[\(color)m") }
  }

  /// tmux itself would show the success toast's green as grey 239.
  @Test func aClientOf256ColoursSeesTheHue() throws {
    let scene = try Scene()
    let client = try scene.server.attach()
    try scene.show(.toast)
    #expect(shows(client, Self.green.palette, after: 0))
    #expect(!String(decoding: client.output, as: UTF8.self).contains("48;5;239"))
    try scene.hide()
    // The other client, which shows all colours, gets its own again.
    try scene.server.tmux(
      "detach-client", "-s", try scene.server.tmux("list-sessions", "-F", "#{session_id}").dropLast() + ":")
    let next = try scene.server.attachedScreen()
    scene.window.show(TmuxContent(banner: nil, toast: .resting("Saved")))
    try scene.wait(for: "Saved", on: next)
    #expect(try next.cells().contains(Self.green.rgb))
  }

  /// Whichever way tmux learned of it.
  @Test(arguments: ["set -g terminal-features 'xterm*:RGB'", "set -g terminal-overrides ',*:Tc'"])
  func aClientOfAllColoursSeesThem(configuration: String) throws {
    let server = try TmuxTestServer(configuration: ["set -g status-interval 0", configuration])
    let client = try server.attach()
    let window = TmuxWindow(server: TmuxServer(socket: server.socket))
    window.show(TmuxContent(banner: nil, toast: .resting("Saved")))
    #expect(shows(client, Self.green.rgb, after: 0))
  }

  /// A client that attaches meanwhile, before the next frame.
  @Test func theColoursAreThoseThatAllClientsShow() throws {
    let scene = try Scene()
    scene.window.show(TmuxContent(banner: nil, toast: .resting("Saved")))
    try scene.wait(for: "Saved")
    #expect(try scene.screen.cells().contains(Self.green.rgb))
    let late = try scene.server.attach()
    let start = late.output.count
    scene.window.show(TmuxContent(banner: nil, toast: .resting("Again")))
    #expect(shows(late, Self.green.palette, after: start))
    try scene.wait(for: "Again")
    #expect(try eventually { try scene.screen.cells().contains(Self.green.palette) })
    #expect(scene.errorsSeen == [])
  }

  @Test(
    arguments: [
      (nil, .truecolor), ("", .truecolor),
      ("Terminal 0: xterm for /dev/pts/1, flags=0x31:\n 0: acsc: (string) x", .truecolor),
      ("Terminal 0: a for b, flags=0x31:\nTerminal 1: xterm-256color for flags=0x31, flags=0x1:", .palette256),
      ("Terminal 0: linux for /dev/tty1, flags=0x0:", .palette256), ("something else", .truecolor),
    ] as [(String?, ColorDepth)])
  func theDepthIsWhatTmuxFoundOut(_ listing: String?, _ depth: ColorDepth) {
    #expect(ServerReading.colorDepth(listing) == depth)
  }

  /// In every frame of an outage, in colours of every kind.
  @Test func theCauseCanBeRead() throws {
    for depth in [ColorDepth.truecolor, .palette256] {
      for appearance in [BannerAppearance.offline, .restored, .limited] {
        let frame = BannerFrame(appearance: appearance, detail: "eth0 has no carrier")
        let content = StatusLine.Content(frame, on: depth)
        let style = content.detail(.unicode).prefix { $0 != " " }
        #expect(!content.detail(.unicode).contains("dim"))
        var shown = frame.appearance.adapted(to: depth)
        if depth == .truecolor {
          let name = style.dropFirst("#[fg=".count).dropLast()
          shown.textColor = try #require(TerminalColor(tmuxName: String(name)))
          #expect(shown.textColor != appearance.textColor)
        } else {
          #expect(style == "")
        }
        #expect(shown.contrastWarning == nil, "\(appearance.title) in \(depth)")
      }
    }
  }

  @Test func noTextIsFaint() throws {
    let scene = try Scene()
    scene.window.update(BannerFrame(appearance: .offline, detail: "eth0 has no carrier"))
    try scene.wait(for: "eth0 has no carrier")
    let banner = try #require(
      try scene.screen.cells().split(separator: "\n").first { $0.contains("eth0 has no carrier") })
    let attributes = banner.split(separator: "\u{1b}[").compactMap { $0.split(separator: "m").first }
    #expect(!attributes.contains { $0.split(separator: ";").first == "2" || $0.hasSuffix(";2") }, "\(attributes)")
  }
}
