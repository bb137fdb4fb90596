import Foundation
import Overline
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore
@testable import OverlineShell

@Suite(.ownThread) struct TmuxValueTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  /// The options with their examples, as lines for tmux.
  private static var examples: [String] {
    TmuxOptions.examples.map { name, value, words in
      let line = "set -g \(name.padding(toLength: 24, withPad: " ", startingAt: 0)) '\(value)'"
      return words.isEmpty ? line : "\(line)  # \(words)"
    }
  }

  @Test("the guide has each option: make record writes them") func optionsAreInTheGuide() throws {
    let text = (["```tmux"] + Self.examples + ["```"]).joined(separator: "\n")
    let page = GeneratedText("options", in: "Sources/OverlineCLI/OverlineCLI.docc/Guide/Tmux.md")
    #expect(try page.holds(text), "make record")
  }

  @Test("the plugin's file has each option: make record writes them") func optionsAreInThePlugin() throws {
    let file = "\(Self.root)/config/overline.tmux"
    var lines = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex(of: "# Options, set before that line:")) + 1
    let end = try #require(lines[start...].firstIndex(of: "#"))
    let comment = Self.examples.map { "#   \($0)" }
    if ProcessEnvironment["OVERLINE_RECORD"] != nil, lines[start..<end] != comment[...] {
      lines.replaceSubrange(start..<end, with: comment)
      try Files.replace(file, with: Array(lines.joined(separator: "\n").utf8), permissions: 0o755)
    }
    #expect(Array(lines[start..<end]) == comment, "make record")
  }

  /// Outside the table of options and its own declaration.
  @Test("each option is used") func eachOptionIsUsed() throws {
    let folder = "\(Self.root)/Sources"
    let own = try String(contentsOfFile: "\(folder)/OverlineCore/Tmux/TmuxOptions.swift", encoding: .utf8)
    let functions = try #require(own.components(separatedBy: "static var names").last)
    let words = Set(functions.split { !$0.isLetter })
    let users = try Subprocess.run(
      "grep", ["-rhoE", "options\\.[a-zA-Z]+", "\(folder)/OverlineCore/Tmux/FleetMachine.swift"])
    let used = Set(users.outputText.split(separator: "\n").map { String($0.dropFirst("options.".count)) })
    for case let name? in Mirror(reflecting: TmuxOptions()).children.map(\.label) {
      #expect(used.contains(name) || words.contains(name[...]), "\(name)")
    }
  }

  @Test("each option is asked for, and its value reaches its property") func eachOptionIsRead() {
    for (name, value, _) in TmuxOptions.examples {
      let options = TmuxOptions(values: [name: value])
      #expect(options.warnings == [] && options != TmuxOptions(), "\(name)")
    }
    // All properties but the warnings.
    #expect(Mirror(reflecting: TmuxOptions()).children.count - 1 == TmuxOptions.names.count)
  }

  @Test func theSocketIsTheFirstPartOfTMUX() {
    #expect(TmuxServer(environment: "/tmp/tmux-1000/default,4711,0")?.socket == "/tmp/tmux-1000/default")
    #expect(TmuxServer(environment: "/tmp/a,b/c,4711,-1")?.socket == "/tmp/a,b/c")
    #expect(TmuxServer(environment: "") == nil)
    #expect(TmuxServer(environment: "default,1,2") == nil)
  }

  @Test(arguments: [
    ("3.3a", true), ("3.2", true), ("3.2-rc2", true), ("3.1c", false), ("2.9", false), ("next-3.5", true),
    ("4.0", true),
  ])
  func versionsFrom3Point2AreSupported(text: String, isSupported: Bool) {
    #expect(TmuxVersion(text)?.isSupported == isSupported)
  }

  @Test func developersVersionsAreTaken() {
    #expect(TmuxVersion("master") == nil)
    #expect(TmuxVersion("openbsd-7.4") == nil)
  }

  @Test(arguments: [
    ("error connecting to /tmp/x (No such file or directory)", TmuxError.Code.serverGone),
    ("no server running on /tmp/x", .serverGone), ("server exited unexpectedly", .serverGone),
    ("error connecting to /tmp/x (Permission denied)", .refused), ("access not allowed", .refused),
    ("open terminal failed: protocol version mismatch (client 8, server 7)", .refused),
    ("unknown command: foo", .failed),
  ])
  func errorsAreSorted(text: String, code: TmuxError.Code) {
    #expect(TmuxError(attempt: "try", errors: text + "\n").code == code)
  }

  @Test func controlCharactersAreRemoved() {
    #expect(TmuxText.forOwnLine("a\u{1b}[31mb\u{9b}c\u{7f}d\u{0}e") == "a[31mbcde")
    #expect(TmuxText.forOwnLine("a\r\nb\nc\u{2028}d\te") == "a b c d e")
    #expect(TmuxText.forOwnLine("a\u{202e}b\u{2066}c") == "abc")
    #expect(TmuxText.forOwnLine("#(x) ##{y}") == "##(x) ####{y}")
    #expect(TmuxText.forUserFormats("#(x) ##{y}") == "＃(x) ＃＃{y}")
    #expect(TmuxText.forOwnLine(String(repeating: "x", count: 100_000)).count == 2000)
    let marks = TmuxText.forOwnLine("xx" + String(repeating: "\u{301}\u{20ac}", count: 100_000))
    #expect(marks.utf8.count <= 2000 && marks.utf8.count > 1990 && !marks.contains("\u{fffd}"))
  }

  @Test func stylesOverrideAnAppearance() {
    let style = TmuxStyle("bg=red,fg=#00FF10 nobold,italics,blink")
    #expect(style.unknown == ["blink"])
    let appearance = style.applied(to: .offline)
    #expect(appearance.backgroundColor == .ansi(.red))
    #expect(appearance.textColor == .rgb(.init(0, 255, 16)))
    #expect(appearance.attributes == .italic)
    #expect(appearance.title == "No connection")
  }

  @Test("tmux shows each attribute that a window shows", arguments: 0..<8) func attributesAreShown(_ bit: Int) {
    let attributes = TextAttributes(rawValue: 1 << UInt8(bit))
    func sequence(_ attributes: TextAttributes) -> String {
      TextStyle(attributes: attributes).controlSequence(colors: .truecolor)
    }
    let appearance = BannerAppearance(title: "x", backgroundColor: .systemGray, attributes: attributes)
    let line = StatusLine.Content(BannerFrame(appearance: appearance), on: .truecolor).line(.unicode)
    #expect((line != "x") == (sequence(attributes) != sequence([])))
  }

  @Test(arguments: [
    ("brightred", TerminalColor.ansi(.brightRed)), ("colour9", .ansi(.brightRed)),
    ("color231", .rgb(.init(255, 255, 255))),
    ("colour124", .rgb(.init(175, 0, 0))), ("colour232", .rgb(.init(8, 8, 8))),
    ("colour255", .rgb(.init(238, 238, 238))),
  ])
  func coloursHaveTmuxNames(name: String, color: TerminalColor) {
    #expect(TerminalColor(tmuxName: name) == color)
  }

  @Test(arguments: ["", "colour256", "#12345", "#12345g", "#+12345", "default", "reddish"])
  func otherNamesAreNoColours(name: String) {
    #expect(TerminalColor(tmuxName: name) == nil)
  }

  @Test func optionsSayWhatTheyCannotUnderstand() {
    let options = TmuxOptions(values: [
      "@overline_reserve": "sometimes", "@overline_offline_title": "No net", "@overline_limited_title": "Portal",
    ])
    #expect(options.reserve == nil)
    #expect(options.warnings == ["@overline_reserve: sometimes is not auto, always or never"])
    #expect(options.offline(.offline).title == "No net")
    #expect(options.restored(.restored) == .restored)
    #expect(options.limited(.limited).title == "Portal")
  }

  @Test func messagesToTheGuardianMayComeInPieces() {
    let messages: [GuardianMessage] = [.watch("/a b\n"), .release("/c"), .hurry, .farewell]
    var bytes: [UInt8] = []
    var result: [GuardianMessage] = []
    for byte in messages.flatMap(\.bytes) {
      bytes.append(byte)
      result += GuardianMessage.parse(from: &bytes)
    }
    #expect(result == messages)
    #expect(bytes.isEmpty)
  }
}
