import Foundation
import Overline
import OverlineCore
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The formats of bars. Titles are hostile: anything in them that a bar reads as markup must show as text.
@Suite(.ownThread) struct BarFormatTests {
  static let hostile =
    FormatTests.hostile + [
      "<b>bold</b> & <span foreground='red'>", "&amp;", "\"},{\"full_text\":\"forged", "%{A1:touch x:}%{F#000}", "\\\"",
      "%",
      "#[fg=red]#(touch x)#{pid}", "}],[{", String(repeating: "<", count: 300),
    ]

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The text shown for Pango markup; nil when it is not well-formed, or not text alone.
  private func shown(_ markup: String) -> String? {
    var rest = Array(markup.utf8)[...]
    var text: [UInt8] = []
    let entities = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&apos;": "'"]
    while let first = rest.first {
      if first == UInt8(ascii: "<") { return nil }
      if first != UInt8(ascii: "&") {
        text.append(rest.removeFirst())
        continue
      }
      guard let entity = entities.first(where: { rest.starts(with: $0.key.utf8) }) else { return nil }
      text += entity.value.utf8
      rest = rest.dropFirst(entity.key.utf8.count)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text that a bar shows for a line; nil if the line holds anything else. For a new format the compiler asks here.
  private func shown(_ line: String, by format: ObserverFormat) throws -> String? {
    switch format {
    case .plain: return line
    case .waybar, .i3statusRust: return shown(try #require(try object(line)["text"] as? String))
    case .i3bar:
      let blocks = try JSONSerialization.jsonObject(with: Data(line.dropLast().utf8)) as? [[String: Any]]
      return line.hasSuffix(",") ? blocks?.first.map { $0["full_text"] as? String } ?? "" : nil
    case .polybar:
      let parts = line.split(separator: "%{", omittingEmptySubsequences: false)
      if parts.count == 1 { return line }
      guard parts.count == 5, parts[2].hasPrefix("F#ffffff} "), parts[2].hasSuffix(" ") else { return nil }
      return String(parts[2].dropFirst("F#ffffff} ".count).dropLast()).replacing("\u{ff05}{", with: "%{")
    // These programs read the lines themselves: `i3blocksShowsTheTitles`, `tmuxShowsTheTitle`.
    case .i3blocks, .tmux: return nil
    // No bars.
    case .text, .json, .env, .prompt: return nil
    }
  }

  @Test(
    "each bar shows a hostile title as text",
    arguments: ObserverFormat.allCases.filter { $0.isBar && $0 != .i3blocks && $0 != .tmux }, hostile)
  func eachBarShowsTheTitle(_ format: ObserverFormat, _ title: String) throws {
    #expect(try shown(format.string(offline(title: title)), by: format) == TerminalText.sanitized(title))
  }

  /// The line of an outage, which the guide or the bar's own documents show; nil for a format that is no bar. For a new format the compiler
  /// asks here.
  private func documented(_ format: ObserverFormat) -> String? {
    switch format {
    case .plain: "No connection"
    case .waybar:
      #"{"text":"No connection","alt":"offline","tooltip":"offline: default via 192.0.2.1 dev eth0 has no carrier","class":["offline"],"percentage":0}"#
    case .i3statusRust: #"{"icon":"","state":"Critical","text":"No connection","short_text":"offline"}"#
    case .i3bar:
      ##"[{"full_text":"No connection","short_text":"offline","color":"#ffffff","background":"#b3261e","urgent":true}],"##
    case .i3blocks:
      ##"{"full_text":"<span background='#b3261e' foreground='#ffffff'> No connection </span>","short_text":"offline","markup":"pango"}"##
    case .polybar: "%{B#b3261e}%{F#ffffff} No connection %{F-}%{B-}"
    case .tmux: "#[bg=#b3261e,fg=#ffffff] No connection #[default]"
    case .text, .json, .env, .prompt: nil
    }
  }

  @Test(arguments: ObserverFormat.allCases) func theDocumentedLines(_ format: ObserverFormat) {
    let line = documented(format)
    #expect((line != nil) == format.isBar, "isBar says whether it is a bar, which has a line above")
    if let line { #expect(format.string(offline()) == line) }
  }

  /// Whether a bar shows nothing for a line. For a new format the compiler asks here.
  private func showsNothing(_ line: String, by format: ObserverFormat) throws -> Bool {
    switch format {
    case .waybar, .i3statusRust: try object(line)["text"] as? String == ""
    case .i3bar: line == "[],"
    case .i3blocks: line == #"{"full_text":""}"#
    case .plain, .polybar, .tmux: line == ""
    // No bars.
    case .text, .json, .env, .prompt: false
    }
  }

  @Test(arguments: ObserverFormat.allCases.filter(\.isBar))
  func whileNothingShowsBarsShowNothing(_ format: ObserverFormat) throws {
    #expect(try showsNothing(format.string(online()), by: format))
  }

  /// The rule of the guide: the state tells the truth at once, the banner's words and colours come with the banner.
  @Test("a loss shorter than the grace delay changes no bar's words and colours", arguments: ObserverFormat.allCases)
  func theGraceDelay(_ format: ObserverFormat) throws {
    let grace = ObserverState(
      seq: 2, time: time, since: time, path: offlinePath, phase: .grace, appearance: .offline, inset: Inset())
    let text = format.string(grace)
    switch format {
    case .plain, .i3statusRust, .i3bar, .i3blocks, .polybar, .tmux: #expect(text == format.string(online()))
    case .waybar:
      #expect(try object(text)["text"] as? String == "")
      #expect(try object(text)["alt"] as? String == "offline")
    case .text: #expect(text == offlinePath.explanation)
    case .prompt: #expect(text == "offline")
    case .env: #expect(text.hasPrefix("OVERLINE_STATE='offline'\nOVERLINE_STATUS='unsatisfied'\n"))
    case .json:
      #expect(try object(text)["state"] as? String == "offline")
      #expect(try (object(text)["path"] as? [String: Any])?["status"] as? String == "unsatisfied")
    }
  }

  @Test(arguments: hostile) func waybarAndI3statusShowTheTitle(_ title: String) throws {
    var state = offline(title: title)
    state.path.explanation = title
    let text = TerminalText.sanitized(title)
    for format in [ObserverFormat.waybar, .i3statusRust] {
      let object = try object(format.string(state))
      #expect(shown(try #require(object["text"] as? String)) == text)
      if let tooltip = object["tooltip"] as? String { #expect(shown(tooltip)?.hasSuffix(text) == true) }
    }
  }

  /// i3bar reads the whole stream as one JSON text that never ends.
  @Test func i3barsStreamIsOneJSONText() throws {
    let lines = Self.hostile.map { ObserverFormat.i3bar.string(offline(title: $0)) + "\n" } + ["[]"]
    let stream = ObserverFormat.i3bar.preamble + lines.joined() + "]"
    let header = try object(String(stream.prefix { $0 != "\n" }))
    #expect(header["version"] as? Int == 1)
    let body = Data(stream.drop { $0 != "\n" }.utf8)
    let blocks = try #require(try JSONSerialization.jsonObject(with: body) as? [[[String: Any]]])
    #expect(blocks.count == Self.hostile.count + 1)
    for (line, title) in zip(blocks, Self.hostile) {
      let text = TerminalText.sanitized(title)
      // No words, no block.
      #expect(line.count == (text.isEmpty ? 0 : 1))
      #expect(line.allSatisfy { $0["full_text"] as? String == text && $0["markup"] == nil })
    }
  }

  @Test(arguments: hostile) func polybarFindsNoForeignTag(_ title: String) {
    let text = ObserverFormat.polybar.string(offline(title: title))
    if TerminalText.sanitized(title).isEmpty { return #expect(text == "") }
    #expect(text.split(separator: "%{", omittingEmptySubsequences: false).count == 5)
    #expect(text.hasPrefix("%{B#b3261e}%{F#ffffff} ") && text.hasSuffix(" %{F-}%{B-}"))
  }

  /// i3blocks itself, which reads the lines and writes the JSON of i3bar.
  @Test func i3blocksShowsTheTitles() throws {
    let directory = try TemporaryDirectory()
    let titles = Self.hostile + ["the end"]
    let lines = titles.map { ObserverFormat.i3blocks.string(offline(title: $0)) + "\n" }
    try Files.replace("\(directory.path)/said", with: Array(lines.joined().utf8))
    // One line of the file per request: i3blocks draws only the newest of those that wait.
    let command = "exec 3<>next; while IFS= read -r line; do printf '%s\\n' \"$line\"; read -r _ <&3; done <said"
    try Files.replace(
      "\(directory.path)/config",
      with: Array("[overline]\ncommand=cd \(directory.path); \(command)\ninterval=persist\nformat=json\n".utf8))
    _ = try Subprocess.run("mkfifo", ["\(directory.path)/next"])
    let program = try TestProgram(
      "i3blocks", ["-c", "\(directory.path)/config"], environment: TmuxTestServer.environment)
    for title in titles {
      let text = TerminalText.sanitized(title).replacing("\\", with: "\u{ff3c}")
      try program.lines.first("the title \(text)") { line in
        let json = line.hasPrefix(",") ? String(line.dropFirst()) : line
        let blocks = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
        return blocks?.contains {
          let fullText = $0["full_text"] as? String ?? ""
          if text.isEmpty { return fullText == "" }
          guard fullText.hasPrefix("<span background='#b3261e' foreground='#ffffff'> "), fullText.hasSuffix(" </span>")
          else { return false }
          let title = fullText.drop { $0 != ">" }.dropFirst(2).dropLast(" </span>".count)
          let words = shown(String(title)) ?? ""
          // Of a long title, as much as it keeps.
          let isCut = words.count > 200 && words.last == "…" && text.hasPrefix(words.dropLast())
          return $0["markup"] as? String == "pango" && (words == text || isCut)
        } == true
      }
      _ = try Subprocess.run("sh", ["-c", "echo >'\(directory.path)/next'"])
    }
  }

  /// tmux itself, which expands the output of a program in its status line.
  @Test(arguments: ["#[fg=red]#(touch x)#{pid}", "##{pid}", "%H:%M #S", "a,b}c"])
  func tmuxShowsTheTitle(_ title: String) throws {
    let directory = try TemporaryDirectory()
    let file = "\(directory.path)/line"
    try Files.replace(file, with: Array(ObserverFormat.tmux.string(offline(title: title)).utf8))
    let server = try TmuxTestServer(configuration: [
      "set -g status-left ''", "set -g status-interval 1", "set -g status-right-length 200",
      "set -g status-right '#(cat \(file))'",
    ])
    let screen = try server.attachedScreen()
    let expected = " " + title.replacing("#", with: "\u{ff03}")
    #expect(try OverlineTestSupport.eventually { try screen.rows().last?.contains(expected) == true })
  }
}
