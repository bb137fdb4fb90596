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

  /// How a bar reads its format.
  private struct Bar {
    /// The line of an outage, which the guide or the bar's own documents show.
    var documented: String
    /// The line while no banner shows.
    var empty: String
    /// The text that the bar shows for a line; nil if the line holds anything else. Nil for a program that reads the lines itself in a test.
    var shown: ((String) throws -> String?)?
    /// Whether the line tells of the loss before the banner shows: for an icon, not for words and colours.
    var tellsDuringGrace = false
  }

  /// Nil for a format that is no bar. For a new format the compiler asks here.
  private func bar(_ format: ObserverFormat) -> Bar? {
    switch format {
    case .plain: Bar(documented: "No connection", empty: "") { $0 }
    case .waybar:
      Bar(
        documented:
          #"{"text":"No connection","alt":"offline","tooltip":"offline: default via 192.0.2.1 dev eth0 has no carrier","class":["offline"],"percentage":0}"#,
        empty:
          #"{"text":"","alt":"online","tooltip":"online via eth0, wired, gateway 192.0.2.1, IPv4, IPv6, DNS","class":["online"],"percentage":100}"#,
        shown: { shown(try #require(try object($0)["text"] as? String)) }, tellsDuringGrace: true)
    case .i3statusRust:
      Bar(
        documented: #"{"icon":"","state":"Critical","text":"No connection","short_text":"offline"}"#,
        empty: #"{"icon":"","state":"Idle","text":"","short_text":""}"#
      ) { shown(try #require(try object($0)["text"] as? String)) }
    case .i3bar:
      Bar(
        documented:
          ##"[{"full_text":"No connection","short_text":"offline","color":"#ffffff","background":"#b3261e","urgent":true}],"##,
        empty: "[],"
      ) {
        let blocks = try JSONSerialization.jsonObject(with: Data($0.dropLast().utf8)) as? [[String: Any]]
        return $0.hasSuffix(",") ? blocks?.first.map { $0["full_text"] as? String } ?? "" : nil
      }
    // `i3blocksShowsTheTitles`
    case .i3blocks:
      Bar(
        documented:
          ##"{"full_text":"<span background='#b3261e' foreground='#ffffff'> No connection </span>","short_text":"offline","markup":"pango"}"##,
        empty: #"{"full_text":""}"#)
    case .polybar:
      Bar(documented: "%{B#b3261e}%{F#ffffff} No connection %{F-}%{B-}", empty: "") {
        let parts = $0.split(separator: "%{", omittingEmptySubsequences: false)
        if parts.count == 1 { return $0 }
        guard parts.count == 5, parts[2].hasPrefix("F#ffffff} "), parts[2].hasSuffix(" ") else { return nil }
        return String(parts[2].dropFirst("F#ffffff} ".count).dropLast()).replacing("\u{ff05}{", with: "%{")
      }
    // `tmuxShowsTheTitle`
    case .tmux: Bar(documented: "#[bg=#b3261e,fg=#ffffff] No connection #[default]", empty: "")
    case .text, .json, .env, .prompt: nil
    }
  }

  @Test("each bar shows a hostile title as text", arguments: ObserverFormat.allCases.filter(\.isBar), hostile)
  func eachBarShowsTheTitle(_ format: ObserverFormat, _ title: String) throws {
    guard let shown = bar(format)?.shown else { return }
    #expect(try shown(format.string(offline(title: title))) == TerminalText.sanitized(title))
  }

  @Test(arguments: ObserverFormat.allCases) func theDocumentedLines(_ format: ObserverFormat) {
    let bar = bar(format)
    #expect((bar != nil) == format.isBar, "isBar says whether it is a bar, which is in the table above")
    if let bar { #expect(format.string(offline()) == bar.documented) }
  }

  @Test(arguments: ObserverFormat.allCases.filter(\.isBar))
  func whileNothingShowsBarsShowNothing(_ format: ObserverFormat) {
    #expect(format.string(online()) == bar(format)?.empty)
  }

  /// The rule of the guide: the state tells the truth at once, the banner's words and colours come with the banner.
  @Test("a loss shorter than the grace delay changes no bar's words and colours", arguments: ObserverFormat.allCases)
  func theGraceDelay(_ format: ObserverFormat) throws {
    let grace = ObserverState(
      seq: 2, time: time, since: time, path: offlinePath, phase: .grace, appearance: .offline, inset: TerminalInsets())
    let text = format.string(grace)
    if let bar = bar(format) {
      if let shown = bar.shown { #expect(try shown(text) == "") }
      return #expect((text != bar.empty) == bar.tellsDuringGrace)
    }
    switch format {
    case .text: #expect(text == offlinePath.explanation)
    case .prompt: #expect(text == "offline")
    case .env: #expect(text.hasPrefix("OVERLINE_STATE='offline'\nOVERLINE_STATUS='unsatisfied'\n"))
    case .json:
      #expect(try object(text)["state"] as? String == "offline")
      #expect(try (object(text)["path"] as? [String: Any])?["status"] as? String == "unsatisfied")
    default: break
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

  @Test("with an icon a bar shows it while no banner does, and the banner's words otherwise")
  func anIconStandsInForTheBanner() throws {
    for format in ObserverFormat.allCases {
      guard let bar = bar(format) else {
        #expect(format.string(online(), icon: "●") == format.string(online()), "\(format)")
        continue
      }
      #expect(format.string(offline(), icon: "●") == format.string(offline()), "\(format)")
      let line = format.string(online(), icon: "●")
      #expect(line.contains("●") && !line.contains("null"), "\(line)")
      // The banner is still to come: the icon does not alarm.
      var grace = offline()
      (grace.banner.phase, grace.banner.title, grace.banner.background, grace.banner.text) = (.grace, nil, nil, nil)
      let early = format.string(grace, icon: "●")
      #expect(early.contains("●") && !early.contains("Critical") && !early.contains("\"urgent\":true"), "\(early)")
      if let shown = bar.shown { #expect(try shown(line) == "●", "\(line)") }
      // Without a monitor the icon must not look as if all were well.
      let unknown = format.string(.unknown(time: "", explanation: "no monitor answers"), icon: "●")
      #expect(unknown.contains("● ?"), "\(unknown)")
    }
  }
}
