import Overline
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore
import OverlineShell

/// A title is text wherever it is shown, and runs nothing.
@Suite(.ownThread) struct InjectionTests {
  static let titles = [
    "#(touch FILE)", "##(touch FILE)", "###(touch FILE)", "#{E:#(touch FILE)}", "#{E:OVERLINE_TEXT}",
    "#{E:#{E:OVERLINE_TEXT}}",
    "#{T:#(touch FILE)}", "#[fg=green]x", "##[fg=green]x", "#[align=left", "a ' b \" c", "; run-shell 'touch FILE'",
    "x;", "\\; x", "a $HOME ${HOME} $(touch FILE) `touch FILE`", "~", "~/x", "%if 1", "%H:%M 100%", "#", "##",
    "a,b}c{d",
    "x #{version} y", "\\e[31m", "-t x", "--",
  ]

  /// Themes that expand more than once, as users' themes do.
  private static let theme =
    "#{OVERLINE_TEXT}|#{E:OVERLINE_TEXT}|#{T:OVERLINE_TEXT}|#{E:#{E:OVERLINE_TEXT}}|#{T:#{E:#{T:OVERLINE_TEXT}}}"
    + "|#{?OVERLINE_TEXT,#{OVERLINE_TEXT},}|#{=/90/x:OVERLINE_TEXT}|#{l:#{OVERLINE_TEXT}}"
    + "|#{E:OVERLINE_BG}#{E:#{E:OVERLINE_FG}}"

  @Test func titlesAreTextEverywhere() throws {
    let scene = try Scene(["set -g status-left-length 1000", "set -g status-left '\(Self.theme)'"], columns: 1000)
    let file = scene.server.socket + ".touched"
    defer { try? Files.remove(file) }
    for title in Self.titles.map({ $0.replacing("FILE", with: file) }) {
      // Marks at both ends, since spaces at a line's ends are invisible.
      scene.window.update(.titled("<\(title)>", detail: "<<\(title)>>"))
      try scene.wait(for: "<\(title)> · <<\(title)>>")
      let everyone = "<\(title.replacing("#", with: "＃"))>|"
      #expect(try eventually { try scene.screen.rows()[22].hasPrefix(everyone) })
      #expect(
        try scene.server.tmux("show-environment", "-gh", "OVERLINE_TEXT") == "OVERLINE_TEXT=\(everyone.dropLast())\n")
    }
    #expect(!Files.exists(file))
    #expect(scene.errorsSeen == [])
  }

  private static let toastTheme = theme.replacing("OVERLINE_TEXT", with: "OVERLINE_TOAST")
    .replacing("OVERLINE_BG", with: "OVERLINE_TOAST_BG").replacing("OVERLINE_FG", with: "OVERLINE_TOAST_FG")

  /// A toast's words come from any program that can reach the monitor. Here they show below a banner with the same words.
  @Test func toastsAreTextEverywhere() throws {
    let scene = try Scene(
      ["set -g status-left-length 1000", "set -g status-left '\(Self.toastTheme)'"], columns: 1000)
    let file = scene.server.socket + ".touched"
    defer { try? Files.remove(file) }
    for title in (Self.titles + ["#{E:OVERLINE_TOAST}", "#{T:#{E:OVERLINE_TOAST_LINE}}"]).map({
      $0.replacing("FILE", with: file)
    }) {
      scene.window.show(TmuxContent(banner: .titled(title), toast: .resting("<\(title)>", message: "<<\(title)>>")))
      try scene.wait(for: "✓ <\(title)> · <<\(title)>>")
      let everyone = "✓ <\(title)> · <<\(title)>>".replacing("#", with: "＃")
      #expect(try eventually { try scene.screen.rows()[21].hasPrefix(everyone + "|") })
      #expect(
        try scene.server.tmux("show-environment", "-gh", "OVERLINE_TOAST") == "OVERLINE_TOAST=\(everyone)\n")
    }
    #expect(!Files.exists(file))
    #expect(scene.errorsSeen == [])
  }

  /// The test above would pass even if no theme ran anything. This one proves that these themes do.
  @Test func withoutTheSignTheseThemesDoRunCommands() throws {
    let scene = try Scene()
    let file = scene.server.socket + ".touched"
    defer { try? Files.remove(file) }
    try scene.server.source("setenv -gh X '##(touch \(file))'", "set -g status-left '#{E:#{E:X}}'")
    #expect(eventually { Files.exists(file) })
  }

  /// Characters that the server's C library does not know: unassigned ones, noncharacters, and signs newer than it. tmux
  /// would measure the first of them forever.
  @Test(arguments: ["\u{378}", "\u{ffff}", "\u{10ffff}", "\u{1fae8}", "\u{1cc00}", "\u{e0100}", "a\u{301}\u{e0041}"])
  func noCharacterStopsTheServer(_ character: String) throws {
    let scene = try Scene()
    scene.window.show(
      TmuxContent(
        banner: .titled("<x\(character)>", detail: character), toast: .resting("(x\(character))", message: character)))
    try scene.wait(for: "<")
    try scene.wait(for: "(")
    #expect(try scene.server.tmux("display-message", "-p", "alive") == "alive\n")
  }

  @Test func controlCharactersAreGone() throws {
    let scene = try Scene()
    scene.window.update(.titled("a\u{1b}[31mb\nc\u{9b}31md\u{7}e"))
    try scene.wait(for: "a[31mb c31mde")
    scene.window.show(
      TmuxContent(banner: nil, toast: .resting("f\u{1b}]0;x\u{7}g\r\nh\u{0}", message: "i\u{202e}j\u{9d}k\nl")))
    try scene.wait(for: "f]0;xg h · ijk l")
    #expect(scene.errorsSeen == [])
  }

  @Test(arguments: [80, 40, 14])
  func aLongTitleEndsInAnEllipsisAtEachClientsWidth(columns: Int) throws {
    let scene = try Scene(columns: columns)
    let other = try scene.server.attachedScreen(columns: 70)
    let title = String(repeating: "#[x] 日本 ", count: 500)
    scene.window.update(.titled(title, detail: "never"))
    for screen in [scene.screen, other] {
      #expect(try eventually { try screen.rows()[23].hasPrefix("#[x] 日本 #") })
      let row = try screen.rows()[23].trimming
      #expect(row.hasSuffix("…"))
      let width = row.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x3000 ? 2 : 1) }
      #expect((0...1).contains((screen === other ? 70 : columns) - width))
    }
  }

  @Test func aMessageAndATitleThatDoNotFitAreCut() throws {
    let scene = try Scene(columns: 60)
    let narrow = try scene.server.attachedScreen(columns: 25)
    let exact = try scene.server.attachedScreen(columns: 38)
    let narrowest = try scene.server.attachedScreen(columns: 12)
    scene.window.show(
      TmuxContent(banner: nil, toast: .resting("Upload failed", message: "Check your internet.", style: .error)))
    try scene.wait(for: "           ✗ Upload failed · Check your internet.")
    try scene.wait(for: "✗ Upload failed · Check your internet.", on: exact)
    try scene.wait(for: "✗ Upload failed · Check …", on: narrow)
    try scene.wait(for: "✗ Upload fa…", on: narrowest)
    // At each width part of the truncated text is visible, and no style or doubled sign is cut in half.
    for (title, row) in [
      ("123456789", "✓ 123456789…"), ("12345678", "✓ 12345678 …"), ("1234567", "✓ 1234567 ·…"),
      ("123456", "✓ 123456 · …"),
      ("12345", "✓ 12345 · #…"), ("1234", "✓ 1234 · ##…"), ("1234567890", "✓ 123456789…"),
    ] {
      scene.window.show(TmuxContent(banner: nil, toast: .resting(title, message: "###[fg=red]")))
      try scene.wait(for: row, on: narrowest)
    }
    // A text of 64 KiB.
    let long = String(repeating: "日本 ", count: 9000)
    scene.window.show(TmuxContent(banner: nil, toast: .resting(long, message: long)))
    try scene.wait(for: "✓ 日本 日本…", on: narrowest)
    #expect(scene.errorsSeen == [])
  }

  @Test func aCauseShowsWhereItFits() throws {
    let scene = try Scene(columns: 60)
    let narrow = try scene.server.attachedScreen(columns: 25)
    scene.window.update(BannerFrame(appearance: .offline, detail: "eth0 has no carrier"))
    try scene.wait(for: "           ⚠ No connection · eth0 has no carrier")
    try scene.wait(for: "     ⚠ No connection     ", on: narrow)
  }

  /// A client in a locale without UTF-8 beside one with it: signs, separators and ellipses have forms that each can show.
  @Test func aClientWithoutUTF8HasSignsOfASCII() throws {
    let scene = try Scene()
    func plain(columns: Int) throws -> TmuxTestScreen {
      try scene.server.attachedScreen(columns: columns, isUTF8: false)
    }
    let (wide, narrow) = (try plain(columns: 80), try plain(columns: 30))
    scene.window.show(
      TmuxContent(
        banner: BannerFrame(appearance: .offline, detail: "eth0 has no carrier"),
        toast: .resting("Upload failed", message: "Check your internet.", style: .error)))
    try scene.wait(for: "⚠ No connection · eth0 has no carrier")
    try scene.wait(for: "✗ Upload failed · Check your internet.")
    try scene.wait(for: "! No connection - eth0 has no carrier", on: wide)
    try scene.wait(for: "x Upload failed - Check your internet.", on: wide)
    try scene.wait(for: "       ! No connection", on: narrow)
    try scene.wait(for: "x Upload failed - Check you...", on: narrow)
    for style in ToastStyle.allCases {
      scene.window.show(TmuxContent(banner: nil, toast: .resting("Title", style: style)))
      try scene.wait(for: "\(BannerAppearance(style.token).icon!.ascii) Title", on: wide)
      #expect(try !wide.rows().joined().contains("_"))
    }
    #expect(scene.errorsSeen == [])
  }

  /// Values as a real server's parser returns them.
  @Test func quotingSurvivesTmuxsParser() throws {
    let server = try TmuxTestServer()
    for value in Self.titles + ["a\nb", "", " ", "'", "''", "\"", "\\", "\\n", "日本", "x'\ny'", "\u{7f}\u{1}"] {
      try TmuxClient(TmuxServer(socket: server.socket)).run([["set-environment", "-g", "X", value]])
      // tmux 3.5a prints control characters as escapes.
      let escaped = value == "\u{7f}\u{1}" ? #"\177\001"# : value
      let shown = try server.tmux("show-environment", "-g", "X")
      #expect(shown == "X=\(value)\n" || shown == "X=\(escaped)\n", "\(value.debugDescription)")
    }
  }
}

extension String {
  fileprivate var trimming: Substring {
    var rest = self[...]
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}
