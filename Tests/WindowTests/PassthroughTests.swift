import Overline
import OverlineCore
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// Where a window would be a hindrance, the program runs as if it had been called directly.
@Suite(.ownThread) struct PassthroughTests {
  private static func decision(
    _ environment: [String: String] = [:], isOneTerminal: Bool = true,
    size: TerminalSize? = .init(rows: 24, columns: 80),
    height: Int = 1, isWindowsTerminal: Bool = false
  ) -> PassthroughReason? {
    var banner = BannerAppearance.offline
    banner.height = height
    let all = ["TERM": "xterm"].merging(environment) { $1 }
    return PassthroughReason(
      environment: { all[$0] }, isOneTerminal: isOneTerminal, size: size, banner: banner,
      isWindowsTerminal: isWindowsTerminal)
  }

  @Test func eachReason() {
    #expect(Self.decision() == nil)
    #expect(Self.decision(["TMUX": "/tmp/tmux-0/default,1,0"]) == .insideTmux)
    #expect(Self.decision(["OVERLINE_SOCKET": "/run/x"]) == .insideWindow)
    // A window without a runtime directory has no socket.
    #expect(Self.decision(["OVERLINE_WINDOW": "12"]) == .insideWindow)
    #expect(Self.decision(["OVERLINE_WINDOW": "none"]) == .notWanted)
    #expect(Self.decision(["OVERLINE_WINDOW": "none", "OVERLINE_SOCKET": "/run/x"]) == .insideWindow)
    #expect(Self.decision(["TERM": "dumb"]) == .dumbTerminal)
    #expect(
      PassthroughReason(
        environment: { _ in nil }, isOneTerminal: true, size: .init(rows: 24, columns: 80), banner: .offline,
        isWindowsTerminal: false)
        == .dumbTerminal)
    #expect(Self.decision(isWindowsTerminal: true) == .insideWindow)
    #expect(Self.decision(isOneTerminal: false) == .noTerminal)
    #expect(Self.decision(size: nil) == .tooLow(rows: 0))
    #expect(Self.decision(size: .init(rows: 0, columns: 0)) == .tooLow(rows: 0))
    #expect(Self.decision(size: .init(rows: 4, columns: 80)) == .tooLow(rows: 4))
    #expect(Self.decision(size: .init(rows: 5, columns: 80)) == nil)
    // Below 16 rows a banner is one row, whatever the configuration.
    #expect(Self.decision(size: .init(rows: 5, columns: 80), height: 3) == nil)
    // As through ssh: only the terminal's name shows it.
    #expect(Self.decision(["TERM": "tmux-256color"]) == nil)
  }

  private static let script = "tty; echo socket=$OVERLINE_SOCKET. leader=$(ps -o sid= -p $$) sh=$$"

  @Test(arguments: [
    (["TMUX=/tmp/tmux-0/default,1,0"], 24), (["OVERLINE_SOCKET=/run/x"], 24), (["OVERLINE_WINDOW=1"], 24),
    (["TERM=dumb"], 24), ([], 4),
  ])
  func itBecomesTheProgram(_ environment: [String], _ rows: Int) throws {
    let world = try WindowWorld()
    let terminal = try world.run("--verbose", "--", "sh", "-c", Self.script, environment: environment, rows: rows)
    #expect(terminal.end() == 0)
    #expect(terminal.text.hasPrefix("overline: no window: "))
    // The program belongs only to the window directly around it.
    let socket = environment.first { $0.hasPrefix("OVERLINE_SOCKET=") }?.dropFirst("OVERLINE_SOCKET=".count) ?? ""
    #expect(terminal.text.contains("socket=\(socket). "))
    #expect(terminal.text.contains("sh=\(terminal.pid)\r\n"))
    let quiet = try world.run("sh", "-c", Self.script, environment: environment, rows: rows)
    #expect(quiet.end() == 0)
    #expect(quiet.text.hasPrefix("/dev/pts/"))
  }

  /// Inside tmux the window around it cannot show anything.
  @Test func insideTmuxAWindowsSocketIsIgnored() throws {
    let world = try WindowWorld()
    let terminal = try world.run(
      "sh", "-c", Self.script, environment: ["TMUX=/tmp/tmux-0/default,1,0", "OVERLINE_SOCKET=/run/x"], rows: 24)
    #expect(terminal.end() == 0)
    #expect(terminal.text.contains("socket=. "))
  }

  @Test func pipesAndPagersBehave() throws {
    let world = try WindowWorld()
    let terminal = try world.start(
      "sh",
      [
        "-c",
        "$OVERLINE run -- printf 'one\\ntwo\\n' | cat -A; echo in | $OVERLINE run cat; $OVERLINE run true | $OVERLINE run wc -c",
      ])
    #expect(terminal.end() == 0)
    #expect(terminal.text == "one$\r\ntwo$\r\nin\r\n0\r\n")
    let piped = try world.namespace.inside {
      try Subprocess.run(
        WindowWorld.executable, ["run", "--", "sh", "-c", "cat; exit 4"], input: Array("x".utf8),
        environment: world.environment)
    }
    #expect((piped.status, piped.outputText, piped.errorText) == (4, "x", ""))
    let missing = try world.namespace.inside {
      try Subprocess.run(WindowWorld.executable, ["run", "no-such-program"], environment: world.environment)
    }
    #expect(missing.status == 127)
    #expect(missing.errorText == "overline: no-such-program: command not found\n")
  }

  @Test func aPagerBehindAPipe() throws {
    let world = try WindowWorld()
    let terminal = try world.start("sh", ["-c", "$OVERLINE run -- seq 1 200 | less; echo END"])
    try terminal.wait(for: "23")
    try terminal.type("q")
    try terminal.wait(for: "END")
    #expect(terminal.end() == 0)
  }

  @Test(arguments: [["run"], ["run", "--"], ["run", "--verbose"], ["run", "--verbose", "--"]])
  func withoutACommandItIsTheLoginShell(_ arguments: [String]) throws {
    let world = try WindowWorld()
    let terminal = try world.start(WindowWorld.executable, arguments, environment: ["PS1=prompt:"])
    try terminal.wait(for: "prompt:")
    try terminal.type("echo $0; exit 6\n")
    #expect(terminal.end() == 6)
    #expect(terminal.text.contains("/bin/sh\r\n"))
  }

  /// Options after the program are the program's.
  @Test func optionsOfTheProgramAreItsOwn() throws {
    let world = try WindowWorld()
    for arguments in [
      ["run", "echo", "--verbose", "-q", "--"], ["run", "--verbose", "echo", "--verbose", "-q", "--"],
      ["run", "--no-motion", "--", "echo", "--verbose", "-q", "--"],
    ] {
      let terminal = try world.start(WindowWorld.executable, arguments)
      #expect(terminal.end() == 0)
      #expect(terminal.textAfterTitle == "--verbose -q --\r\n", "\(arguments)")
    }
  }

  /// An argument before the program that is no option of ours is a request for help or a mistake, and no program.
  @Test func helpAndMistakes() throws {
    let world = try WindowWorld()
    func run(_ arguments: String...) throws -> Subprocess.Result {
      try Subprocess.run(WindowWorld.executable, ["run"] + arguments, environment: world.environment)
    }
    for arguments in [["--help"], ["-h"], ["--verbose", "--help"]] {
      let help = try Subprocess.run(WindowWorld.executable, ["run"] + arguments, environment: world.environment)
      #expect(help.status == 0)
      #expect(help.outputText.contains("USAGE: overline run"), "\(arguments)")
    }
    #expect(try run("--version").outputText == run("--", WindowWorld.executable, "--version").outputText)
    let mistake = try run("--vrebose", "true")
    #expect(mistake.status == 64)
    #expect(mistake.errorText.contains("unknown option \"--vrebose\"; did you mean \"--verbose\"?"))
    let program = try run("--", "--help")
    #expect(program.status == 127)
    #expect(program.errorText == "overline: --help: command not found\n")
  }
}
