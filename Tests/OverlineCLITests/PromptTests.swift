import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The snippets of `config/prompt` in the real shells. Each shell runs as the first process of a pid namespace, where the next process
/// number shows whether a process was started.
@Suite(.ownThread) struct PromptTests {
  static let shells = ["bash", "zsh", "fish"]

  /// State files, and the prompt's word for each. `@` is the start time of the shell itself, whose pid is 1.
  static let states: [(file: String, word: String)] = [
    (state("offline"), "offline"), (state("limited"), "limited"), (state("online"), ""), (state("restored"), ""),
    // The monitor has ended: its pid belongs to another process, or to none.
    (state("offline", start: "1"), ""), (state("offline", pid: "99999"), ""),
    // Nothing in a hostile file runs, and only the two words get into the prompt.
    (state("off$(touch ran)line"), ""), (state("offline", pid: "1/../1"), ""), (state("offline", start: "*"), ""),
    ("touch ran\n$(touch ran)\n`touch ran`\n" + state("offline"), "offline"),
    ("OVERLINE_STATE='\u{1b}]0;title\u{7}'\n" + state("online"), ""), (String(repeating: "x", count: 300_000), ""),
    (String(repeating: "\n", count: 300) + state("offline"), ""), ("\u{0}\u{1}\u{fffd}''''\n", ""), ("", ""),
  ]

  private static func state(_ state: String, pid: String = "1", start: String = "@") -> String {
    "OVERLINE_STATE='\(state)'\nOVERLINE_TITLE='No connection'\nOVERLINE_MONITOR_PID='\(pid)'\nOVERLINE_MONITOR_START='\(start)'\n"
  }

  @Test(arguments: shells) func thePromptShowsTheState(_ shell: String) throws {
    let world = try PromptWorld(shell)
    for (file, word) in Self.states { try world.expect(file: file, word: word) }
    #expect(try Subprocess.run("find", [world.folder, "-name", "ran"]).output == [])
  }

  @Test(arguments: shells) func aTruncatedFileIsIgnored(_ shell: String) throws {
    let world = try PromptWorld(shell)
    let whole = Array(Self.state("offline").utf8)
    let words = try world.words(files: (0...whole.count).map { String(decoding: whole[..<$0], as: UTF8.self) })
    // A file counts only if its last line is there, perhaps without its last characters.
    #expect(words.dropLast(3).allSatisfy { $0 == "" })
    #expect(words.last == "offline")
  }

  @Test(arguments: shells) func withoutAFileOrWithAPipeThereIsNothingAndNoWaiting(_ shell: String) throws {
    let world = try PromptWorld(shell)
    #expect(try world.run("rm -f state; \(world.ask)") == "[]\n")
    #expect(try world.run("rm -f state; mkfifo state; \(world.ask); rm state") == "[]\n")
    #expect(try world.run("rm -f state; mkdir state; \(world.ask); rmdir state") == "[]\n")
  }

  /// After su the variable may name another user's folder.
  @Test(.enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can give a file away"), arguments: shells)
  func anotherUsersFileIsIgnored(_ shell: String) throws {
    let world = try PromptWorld(shell)
    try world.write(Self.state("offline"))
    #expect(try world.run("\(world.ask); chown 65534 state; \(world.ask)") == "[offline]\n[]\n")
  }

  @Test("a relative XDG_RUNTIME_DIR is ignored", arguments: shells) func aRelativeDirectory(_ shell: String) throws {
    let world = try PromptWorld(shell)
    try world.write(Self.state("offline"))
    // The shell runs beside the state file.
    let relative = shell == "fish" ? "set -gx XDG_RUNTIME_DIR .." : "XDG_RUNTIME_DIR=.."
    #expect(try world.run("\(world.ask); \(relative); \(world.ask)") == "[offline]\n[]\n")
  }

  @Test(arguments: shells) func noProcessIsStarted(_ shell: String) throws {
    let world = try PromptWorld(shell)
    try world.write(Self.state("offline"))
    let many = (0..<20).map { _ in "__overline_prompt" }.joined(separator: "; ")
    // The first may start a thread of fish, which has a number too.
    let numbers = try world.run("__overline_prompt; sh -c 'echo $$'; \(many); sh -c 'echo $$'; \(world.ask)").split(
      separator: "\n")
    #expect(numbers.count == 3 && numbers[2] == "[offline]")
    #expect(Int(numbers[1]) == Int(numbers[0]).map { $0 + 1 }, "\(numbers)")
  }

  /// The snippet leaves the status of the last command unchanged.
  ///
  /// zsh keeps it for its hooks by itself.
  @Test(arguments: shells.filter { $0 != "zsh" }) func theLastStatusIsKept(_ shell: String) throws {
    let world = try PromptWorld(shell)
    try world.write(Self.state("offline"))
    let status = shell == "fish" ? "$status" : "$?"
    #expect(try world.run("sh -c 'exit 7'; __overline_prompt; echo \(status)") == "7\n")
  }

  /// As users have it: the snippet in the startup file, and the monitor's own file.
  @Test(arguments: shells) func aRealMonitorIsInTheRealPrompt(_ shell: String) throws {
    let world = try World()
    let monitor = try world.startMonitor()
    defer { monitor.end(.terminate) }
    try world.pullTheCable()
    let state = "\(world.folder)/overline/state"
    #expect(
      eventually { (try? Files.read(state)).map { String(decoding: $0, as: UTF8.self).contains("'offline'") } == true })
    let snippet = "\(InstalledPrefix.config)/prompt/overline.\(shell)"
    let (command, startup) =
      switch shell {
      case "bash":
        ("bash --rcfile \(world.folder)/rc", "source \(snippet)\nPS1='${OVERLINE_PROMPT:+[$OVERLINE_PROMPT] }> '")
      case "zsh":
        (
          "env ZDOTDIR=\(world.folder) zsh",
          "source \(snippet)\nsetopt prompt_subst\nPROMPT='${OVERLINE_PROMPT:+[$OVERLINE_PROMPT] }> '"
        )
      default:
        (
          "fish --no-config -C 'source \(world.folder)/rc'",
          "source \(snippet)\nfunction fish_prompt\nset -q OVERLINE_PROMPT; and echo -n \"[$OVERLINE_PROMPT] \"\necho -n '> '\nend"
        )
      }
    for name in ["rc", ".zshrc"] { try Files.replace("\(world.folder)/\(name)", with: Array((startup + "\n").utf8)) }
    let server = try TmuxTestServer(
      command: "env HOME=\(world.folder) XDG_RUNTIME_DIR=\(world.folder) \(command)")
    let hasPrompt = { (prompt: String) in
      try server.tmux("capture-pane", "-p").split(separator: "\n").last?.hasPrefix(prompt) == true
    }
    let isOffline = try eventually { try hasPrompt("[offline] >") }
    let shown = try server.tmux("capture-pane", "-p")
    #expect(isOffline, "\(shown)")
    // A stopped monitor cannot withdraw its word, so the word does not count until the monitor continues.
    for (signal, prompt) in [("STOP", ">"), ("CONT", "[offline] >")] {
      _ = try Subprocess.run("kill", ["-\(signal)", "\(monitor.pid)"])
      let isShown = try eventually {
        try server.tmux("send-keys", "Enter")
        return try hasPrompt(prompt)
      }
      #expect(isShown, "\(signal)")
    }
    try world.plugTheCable()
    let isOnline = try eventually {
      // A prompt shows the state at the time when it was drawn.
      try server.tmux("send-keys", "Enter")
      return try hasPrompt(">")
    }
    #expect(isOnline)
  }
}

/// A folder with a state file, and a shell that has sourced its snippet.
private final class PromptWorld: Sendable {
  let folder: String
  private let shell: String
  /// The snippet's answer, in brackets.
  let ask: String

  init(_ shell: String) throws {
    self.shell = shell
    folder = try TemporaryFolder.make()
    try Files.makePrivateDirectory("\(folder)/overline")
    ask =
      shell == "fish"
      ? "__overline_prompt; echo \"[$OVERLINE_PROMPT]\"" : "__overline_prompt; echo \"[${OVERLINE_PROMPT-}]\""
  }

  deinit { TemporaryFolder.remove(folder) }

  func write(_ text: String) throws { try Files.replace("\(folder)/overline/state", with: Array(text.utf8)) }

  /// Runs commands in the shell, in the folder of the state file; `@` in that file is replaced by the shell's start time first.
  func run(_ commands: String) throws -> String {
    let options = ["bash": "--norc", "zsh": "-f", "fish": "--no-config"][shell]!
    let snippet = "\(InstalledPrefix.config)/prompt/overline.\(shell)"
    let prepare =
      "start=$(sed 's/.*) //' /proc/1/stat | cut -d' ' -f20); sed -i \"s/@/$start/\" state 2>/dev/null; "
      + "exec \(shell) \(options) -c \"$1\""
    let result = try Subprocess.run(
      "unshare",
      [
        "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", "cd \(folder)/overline; \(prepare)",
        "sh",
        "source \(snippet); \(commands)",
      ], environment: TmuxTestServer.environment + ["XDG_RUNTIME_DIR=\(folder)", "XDG_CONFIG_HOME=\(folder)"],
      timeout: .seconds(30))
    #expect(result.errorText == "", "\(shell)")
    return result.outputText
  }

  func expect(file: String, word: String) throws {
    try write(file)
    let said = try run(ask)
    #expect(said == "[\(word)]\n", "\(shell): \(file.prefix(200))")
  }

  /// The words for many files, one after another in one shell. Each is put in place as the monitor does it.
  func words(files: [String]) throws -> [String] {
    for (number, file) in files.enumerated() {
      try Files.replace("\(folder)/overline/\(number)", with: Array(file.utf8))
    }
    let steps = files.indices.map { "mv -f \($0) state; \(ask)" }.joined(separator: "; ")
    let start = "for f in *; do sed -i \"s/@/$(sed 's/.*) //' /proc/1/stat | cut -d' ' -f20)/\" $f; done"
    try Files.replace("\(folder)/overline/prepare", with: Array(start.utf8))
    return try run("sh prepare; \(steps)").split(separator: "\n").map { String($0.dropFirst().dropLast()) }
  }
}
