import OverlineCore
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Common typing errors.
@Suite(.ownThread) struct MistakeTests {
  @Test(arguments: [
    (["toast", "Hello", "world"], "must be one argument: put it in quotes"),
    (["banner", "present", "Hello", "world"], "must be one argument: put it in quotes"),
    (["toast", "Hello", "--duration", "3 s"], "\"3 s\" is not a duration; allowed are seconds, such as 5 or 0.5"),
    (["toast", "--dismiss", "Hello"], "--dismiss takes only --key"),
    (
      ["toast", "--dismiss", "--duration", "0"],
      "--dismiss takes only --key"
    ),
    (
      ["alert", "Deploy?", "Deploy", "Not now"], "each answer an option of its own: --button Deploy --button 'Not now'"
    ),
    (["alert", "Deploy", "it's\u{1b}[2J"], "--button 'it'\\''s[2J'"),
    (
      ["wait", "--timeout", "1d"],
      "\"1d\" is not a duration; allowed are seconds, such as 5 or 0.5, or a number with a unit"
    ),
    (["wait", "--stable", "x"], "\"x\" is not a duration"), (["wait", "-t=-1"], "\"-1\" is not a duration"),
    (["wait", "-t", "nan"], "\"nan\" is not a duration"),
    (["wait", "-t", "1000000001"], "takes at most 1000000000 seconds"),
    (["wait", "-i", "a\u{2028}b\u{1b}[2J"], "white space (is \"a b[2J\")"),
    (["wait", "--target", "nowhere"], "name it in [path] targets, or give a network such as 10.20.0.0/16"),
  ])
  func theMessageSaysWhatToDo(_ arguments: [String], _ words: String) throws {
    let result = try Subprocess.run(
      World.executable, arguments + ["--socket", "/nonexistent"], environment: TmuxTestServer.environment)
    #expect(result.status == 64)
    #expect(result.errorText.contains(words), "\(result.errorText)")
    #expect(result.errorText.hasPrefix("overline: ") && result.errorText.count { $0 == "\n" } == 1)
  }

  private static let formats = ObserverFormat.allCases.map(\.rawValue).joined(separator: ", ")

  /// Standard error has only the mistake and the remedy.
  @Test(arguments: [
    // Options
    ("wait --tiemout 5", "unknown option \"--tiemout\"; did you mean \"--timeout\"?"),
    ("wait --tiemout=5", "unknown option \"--tiemout\"; did you mean \"--timeout\"?"),
    ("wait -timeout 5", "unknown option \"-timeout\"; did you mean \"--timeout\"?"),
    ("wait -x", "unknown option \"-x\"; see: overline help wait"),
    ("config show --everything", "unknown option \"--everything\"; see: overline help config show"),
    // The value after it is not reported as superfluous.
    ("toast x --keey k", "unknown option \"--keey\"; did you mean \"--key\"?"),
    ("alert x --buton y", "unknown option \"--buton\"; did you mean \"--button\"?"),
    ("--frob", "unknown option \"--frob\"; see: overline help"),
    ("--quiet status", "--quiet comes before the command; write it after, as in: overline status --quiet"),
    ("run --verbos", "unknown option \"--verbos\"; did you mean \"--verbose\"?"),
    ("run --frob x", "unknown option \"--frob\"; a program of that name goes behind --: overline run -- PROGRAM"),
    // Values
    ("wait --timeout", "--timeout needs a value: --timeout <duration>; see: overline help wait"),
    ("wait -t -1", "-t: \"-1\" is negative; see: overline help wait"),
    // The last letter is not taken for `-h`.
    ("pause -1h", "\"-1h\" is negative; see: overline help pause"),
    ("history --format html --json", "say either --json or --format html; see: overline help history"),
    ("wait -t --quiet", "-t needs a value: -t <duration>; see: overline help wait"),
    ("status --json=yes", "--json takes no value; see: overline help status"),
    (
      "wait --for onlin",
      "--for: \"onlin\" is not allowed; did you mean \"online\"?; allowed are online, offline, change"
    ),
    ("status --format jsn", "--format: \"jsn\" is not allowed; did you mean \"json\"?; allowed are \(formats)"),
    ("watch --format=yaml", "--format: \"yaml\" is not allowed; allowed are \(formats)"),
    ("toast x --edge tpo", "--edge: \"tpo\" is not allowed; did you mean \"top\"?; allowed are top, bottom"),
    ("banner present x --height many", "--height: \"many\" is not a whole number; see: overline help banner present"),
    ("toast x --while 99999999999", "--while: \"99999999999\" is out of range; see: overline help toast"),
    (
      "history --since tomorow",
      "--since: \"tomorow\" is not a time in the past; "
        + "allowed are times such as 90m, 1.5h, 24h, 7d, today, yesterday, 2026-11-20 and \"2026-11-20 21:00\""
    ),
    // Arguments
    ("history 7d", "unexpected argument \"7d\"; did you mean --since 7d?"),
    ("status now", "unexpected argument \"now\"; see: overline help status"),
    ("reload it now", "unexpected arguments \"it\" \"now\"; see: overline help reload"),
    ("toast", "missing argument <title>; see: overline help toast"),
    ("banner present", "missing argument <title>; see: overline help banner present"),
    ("alert", "missing argument <title>; see: overline help alert"),
    // Commands
    ("statsu", "unknown command \"statsu\"; did you mean \"status\"?"),
    ("tmux frobnicate", "unknown command \"tmux frobnicate\"; the commands are attach, detach, status"),
    ("help wat", "unknown command \"wat\"; did you mean \"wait\"?"),
  ])
  func aMistakeIsOneLine(_ words: String, _ said: String) throws {
    let result = try Subprocess.run(
      World.executable, words.split(separator: " ").map(String.init), environment: TmuxTestServer.environment)
    #expect(result.errorText == "overline: \(said)\n")
    #expect(result.outputText == "")
    #expect(result.status == 64)
  }

  @Test(arguments: [
    ["--help"], ["wait", "-h"], ["run", "--help"], ["help", "toast"], ["--version"], ["wait", "--version"],
  ])
  func requestedHelpSucceedsIfItCanBeWritten(_ arguments: [String]) throws {
    let result = try Subprocess.run(World.executable, arguments, environment: TmuxTestServer.environment)
    #expect(result.status == 0)
    #expect(result.outputText != "" && result.errorText == "")
    let full = try Subprocess.run(
      "sh", ["-c", "\(World.executable) \(arguments.joined(separator: " ")) >/dev/full"],
      environment: TmuxTestServer.environment)
    #expect(full.status == 2)
    #expect(full.errorText == "overline: cannot write: No space left on device\n")
  }

  /// Only bash expands the ~ in PREFIX=~/.local.
  @Test func aPrefixThatIsNotAbsoluteIsRefused() throws {
    let result = try Subprocess.run("\(InstalledPrefix.config)/install.sh", ["~/.local"])
    #expect(result.status == 1)
    #expect(result.errorText == "PREFIX must be an absolute path, and is \"~/.local\"\n")
  }
}
