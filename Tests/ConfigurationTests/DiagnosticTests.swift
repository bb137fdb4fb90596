import NetworkPath
import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

@Suite(.ownThread) struct DiagnosticTests {
  @Test func everyErrorIsReportedAtItsPlace() {
    let text = """
      # a comment with [brackets] and title = "x"
      [banner]
      grace-delay = 250
        hide-delay = "2 weeks"   # two weeks
      motion = "of"

      [banner.offline]
      titel = "x"
      background = "#12345"
      height = 9
      bold = "yes"

      [path]
      ignore = [
        "docker*",
        "a b",
        7,
      ]
      [tmux]
      reserve = true
      [tmax]
      """
    #expect(
      diagnostics(text) == [
        #"c.toml:3:1: banner.grace-delay: is 250 seconds; allowed are durations from "0s" to "60s", such as "250ms", "1.5s" or "1m", or a number of seconds"#,
        #"c.toml:4:3: banner.hide-delay: is "2 weeks"; allowed are durations from "0s" to "600s", such as "250ms", "1.5s" or "1m", or a number of seconds"#,
        #"c.toml:5:1: banner.motion: is "of"; did you mean "on"?; allowed are "auto", "on", "off""#,
        #"c.toml:8:1: banner.offline.titel: is not a key of [banner.offline]; did you mean "title"?; allowed are title, background, text, bold, height, title-top-inset"#,
        ##"c.toml:9:1: banner.offline.background: "#12345" is not a colour; allowed are "#rrggbb" and the terminal's own "##
          + TerminalColor.ANSI.allCases.map(\.name).joined(separator: ", "),
        "c.toml:10:1: banner.offline.height: is 9; allowed are integers from 1 to 8",
        "c.toml:11:1: banner.offline.bold: is a string; allowed are true and false",
        #"c.toml:16:3: path.ignore: "a b" has a slash, a space or a control character, which no interface name has; "#
          + #"allowed is a list of interface names, in which * ? and [a-z] stand for others: ["docker*", "veth?"]"#,
        "c.toml:17:3: path.ignore: has an integer in it; "
          + #"allowed is a list of interface names, in which * ? and [a-z] stand for others: ["docker*", "veth?"]"#,
        #"c.toml:20:1: tmux.reserve: is a boolean; allowed are "auto", "always", "never""#,
        #"c.toml:21:2: tmax: is not a table here; did you mean "tmux"?; allowed are banner, path, tmux, toast, check, answers, quality, hooks, history, quiet, metrics"#,
      ])
  }

  @Test func toastErrorsAreReportedAtTheirPlace() {
    let text = """
      [toast]
      policy = "que"
      duration = "2s"
      edge = "left"
      focus-key = "ctrl-c"
      mouse = "on"
      [toast.info]
      background = "bleu"
      title = "x"
      [toast.warning]
      text = "#ffffff"
      [toast.eror]
      """
    let keys =
      #"allowed are "" for none and "ctrl-a" to "ctrl-z" but for c, h, i, j, m, q, s and z, which are keys already"#
    let found = diagnostics(text)
    #expect(
      found.filter { !$0.hasPrefix("c.toml:8:") } == [
        #"c.toml:2:1: toast.policy: is "que"; allowed are "queue", "replace", "ignore""#,
        #"c.toml:3:1: toast.duration: is less than "3s"; allowed are "3s" and more, and "0s" for until it is dismissed"#,
        #"c.toml:4:1: toast.edge: is "left"; allowed are "top", "bottom""#,
        #"c.toml:5:1: toast.focus-key: is "ctrl-c"; \#(keys)"#,
        "c.toml:6:1: toast.mouse: is a string; allowed are true and false",
        #"c.toml:9:1: toast.info.title: is not a key of [toast.info]; allowed are background, text"#,
        "c.toml:11:1: warning: toast.warning.text: text #ffffff on #f9c72c has a contrast of 1.58:1, below 4.5:1; #525252 can be read",
        #"c.toml:12:8: toast.eror: is not a key of [toast]; did you mean "error"?; allowed are policy, duration, edge, focus-key, mouse, info, success, warning, error"#,
      ])
    #expect(found.contains { $0.hasPrefix(#"c.toml:8:1: toast.info.background: "bleu" is not a colour"#) })
    for key in ["t", "ctrl-", "ctrl-tt", "ctrl-1", "alt-t", "ctrl-m", "^T"] {
      #expect(diagnostics(#"toast.focus-key = "\#(key)""#).first?.hasSuffix(keys) == true)
    }
  }

  /// Some editors put one at the beginning of every file.
  @Test func aByteOrderMarkMovesNothing() {
    #expect(diagnostics("\u{feff}[banner]\nmotion = 3\n") == diagnostics("[banner]\nmotion = 3\n"))
    #expect(diagnostics("\u{feff}[") == diagnostics("["))
    #expect(diagnostics("\u{feff}a = 1979-05-27T.7\n") == diagnostics("a = 1979-05-27T.7\n"))
  }

  @Test func targetsAreReadHoweverTheTableIsWritten() throws {
    let office = try PathTarget(name: "office", network: "10.20.0.0/16")
    let nas = try PathTarget(name: "nas", network: "2001:db8::7")
    for text in [
      "[path]\ntargets = { office = \"10.20.0.0/16\", nas = '2001:db8::7' }",
      "[path.targets]\noffice = \"10.20.0.0/16\"\nnas = \"2001:db8::7\"",
      "path.targets.office = '10.20.0.0/16'\npath.targets.nas = '2001:db8:0::7/128'",
    ] {
      #expect(try parsed(text).path.targets == [nas, office])
    }
  }

  /// A laptop inside its office's network reaches it by the default route.
  @Test func aTargetMayBeATable() throws {
    let office = try PathTarget(name: "office", network: "10.20.0.0/16", byRoute: .any)
    for text in [
      "[path]\ntargets = { office = { network = \"10.20.0.0/16\", by-route = \"any\" } }",
      "[path.targets.office]\nnetwork = \"10.20.0.0/16\"\nby-route = \"any\"",
    ] {
      #expect(try parsed(text).path.targets == [office])
    }
    let networks = #"allowed is a network or an address, such as "10.20.0.0/16", "2001:db8::/32" or "192.0.2.7""#
    let text = """
      [path.targets]
      none = { by-route = "own" }
      host = { network = "10.20.5.9/8" }
      kind = { network = "10.20.0.0/16", by-route = "some" }
      typo = { network = "10.20.0.0/16", by-routes = "any" }
      """
    #expect(
      diagnostics(text) == [
        #"c.toml:2:1: path.targets.none.network: is missing; \#(networks)"#,
        #"c.toml:3:10: path.targets.host.network: "10.20.5.9/8" is an address within a network; write 10.0.0.0/8 for the network, 10.20.5.9 for the address; \#(networks)"#,
        #"c.toml:4:36: path.targets.kind.by-route: is "some"; allowed are "own", "any""#,
        #"c.toml:5:36: path.targets.typo.by-routes: is not a key of [path.targets.typo]; did you mean "by-route"?; allowed are by-route, network"#,
      ])
  }

  @Test func aBadTargetIsAnErrorAtItsPlace() {
    let networks = #"allowed is a network or an address, such as "10.20.0.0/16", "2001:db8::/32" or "192.0.2.7""#
    let names =
      "is no name for a target; allowed is a letter, then letters, digits, - and _, at most 63 of them (ASCII)"
    let text = """
      [path.targets]
      good = "10.0.0.0/8"
      long = "10.0.0.0/33"
        host = "10.20.5.9/16"
      number = 7
      "a b" = "10.0.0.0/8"
      "\\u001b[31m" = "10.0.0.0/8"
      7up = "10.0.0.0/8"
      all = "0.0.0.0/0"
      loop = "127.0.0.0/8"
      cast = "ff02::1"
      word = "example.org"
      """
    #expect(
      diagnostics(text) == [
        #"c.toml:3:1: path.targets.long: "10.0.0.0/33" has no length from 0 to 32 after its slash; \#(networks)"#,
        #"c.toml:4:3: path.targets.host: "10.20.5.9/16" is an address within a network; write 10.20.0.0/16 for the network, 10.20.5.9 for the address; \#(networks)"#,
        "c.toml:5:1: path.targets.number: is an integer; \(networks)",
        "c.toml:6:1: path.targets.a b: \(names)",
        "c.toml:7:1: path.targets.[31m: \(names)",
        "c.toml:8:1: path.targets.7up: \(names)",
        #"c.toml:9:1: path.targets.all: "0.0.0.0/0" is the whole internet; the path without targets already covers it; \#(networks)"#,
        #"c.toml:10:1: path.targets.loop: "127.0.0.0/8" is reserved (loopback, link-local, multicast or broadcast), so no route shows whether it is reachable; \#(networks)"#,
        #"c.toml:11:1: path.targets.cast: "ff02::1" is reserved (loopback, link-local, multicast or broadcast), so no route shows whether it is reachable; \#(networks)"#,
        #"c.toml:12:1: path.targets.word: "example.org" is no network; \#(networks)"#,
      ])
    #expect(
      diagnostics("[path]\ntargets = [\"10.0.0.0/8\"]") == [
        #"c.toml:2:1: path.targets: is an array; allowed is a table of names and networks: { office = "10.20.0.0/16" }"#
      ])
  }

  /// Each target costs a look-up at every change of the network.
  @Test func moreTargetsThanThirtyTwoAreRefused() {
    func table(_ count: Int) -> String {
      "[path.targets]\n" + (0..<count).map { "t\($0) = \"10.\($0).0.0/16\"\n" }.joined()
    }
    #expect(diagnostics(table(32)).isEmpty)
    #expect(
      diagnostics(table(33)) == [
        "c.toml:1:7: path.targets: has 33 targets, and each costs time at every change; allowed are at most 32"
      ])
  }

  @Test func syntaxErrorsHaveTheirPlace() throws {
    let diagnostics = Configuration.parse("[banner]\ngrace-delay = \n", path: "c.toml").diagnostics
    let only = try #require(diagnostics.first)
    #expect(diagnostics.count == 1)
    #expect(only.severity == .error)
    #expect(only.line == 2)
    #expect(only.description.hasPrefix("c.toml:2:"))
  }

  @Test(arguments: [
    // A key is found in any notation.
    ("banner = { offline = { titel = 1 } }", "1:24", "banner.offline.titel"),
    ("banner.offline.titel = 1", "1:16", "banner.offline.titel"),
    ("\"banner\".'offline' . titel = 1", "1:22", "banner.offline.titel"),
    ("[ banner . \"offline\" ]\n\n\t titel = 1", "3:3", "banner.offline.titel"),
    ("[path]\nignore = [ # ] \"\n 'a', \"b#\", ]\n[banner.offline]\ntitel = 1", "5:1", "banner.offline.titel"),
    ("[banner.offline]\ntitle = '''\n[tmux]\ntitel = 2'''\ntitel = 1", "2:1", "banner.offline.title"),
    ("[banner.offline]\ntitle = \"\"\"a \\\"\"\" \n titel = 1\"\"\"\"\nheight = 0", "2:1", "banner.offline.title"),
    ("[[banner]]\nmotion = 'on'", "1:3", "banner"),
    ("banner = 1", "1:1", "banner"),
    ("[banner]\r\nmotions = 1\r\n", "2:1", "banner.motions"),
    ("[banner.restored]\ntitle = \"ä\" # ⚠\n\"ü\" = 1", "3:1", "banner.restored.ü"),
  ])
  func keysAreFoundHoweverTheyAreWritten(_ text: String, _ place: String, _ key: String) throws {
    let first = try #require(Configuration.parse(text, path: "c").diagnostics.first)
    #expect("\(first.line):\(first.column)" == place)
    #expect(first.key == key)
  }

  @Test(arguments: ["\\u001b[31m", "a\\nb", "\\u202e", "\\u0085"]) func titlesWithControlCharactersAreRejected(
    _ title: String
  ) {
    let found = diagnostics("banner.offline.title = \"\(title)\"")
    #expect(found.count == 1)
    #expect(found.first?.contains("has the control character U+") == true)
    #expect(found.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
  }

  @Test(arguments: ["", "  ", String(repeating: "x", count: 201)]) func titlesAreNeitherEmptyNorEndless(_ title: String)
  {
    #expect(diagnostics("banner.restored.title = \"\(title)\"").count == 1)
  }

  @Test func theTitleFitsIntoItsHeight() {
    #expect(diagnostics("banner.offline = { height = 3, title-top-inset = 2 }").isEmpty)
    #expect(
      diagnostics("banner.offline = { height = 2, title-top-inset = 2 }") == [
        "c.toml:1:32: banner.offline.title-top-inset: is 2, but the title must fit into height = 2; allowed are 0 to 1"
      ])
  }

  @Test func aPoorContrastIsAWarningAndNoError() throws {
    let text = "[banner.offline]\ntext = \"yellow\"\nbackground = \"#ffffff\""
    let (configuration, diagnostics) = Configuration.parse(text, path: "c.toml")
    #expect(configuration.banner.offline.textColor == .ansi(.yellow))
    #expect(
      diagnostics.map(\.description) == [
        "c.toml:2:1: warning: banner.offline.text: text yellow on #ffffff has a contrast of 1.70:1, below 4.5:1; #737300 can be read"
      ])
    let good = "[banner.offline]\ntext = \"black\"\nbackground = \"#ffffff\""
    #expect(Configuration.parse(good, path: "c").diagnostics.isEmpty)
  }
}
