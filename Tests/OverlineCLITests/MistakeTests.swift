import OverlineTestKit
import POSIX
import Testing

/// What people type, and mean something else.
@Suite struct MistakeTests {
  @Test(arguments: [
    (["toast", "Hello", "world"], "must be one argument: put it in quotes"),
    (["banner", "present", "Hello", "world"], "must be one argument: put it in quotes"),
    (["toast", "Hello", "--duration", "3 s"], "\"3 s\" is not a duration; allowed are seconds, such as 5 or 0.5"),
    (["toast", "--dismiss", "Hello"], "--dismiss takes away what is there; of a toast it takes only the --key"),
    (
      ["toast", "--dismiss", "--duration", "0"],
      "--dismiss takes away what is there; of a toast it takes only the --key"
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
  }

  /// Shells leave the ~ in PREFIX=~/.local alone, but for bash.
  @Test func aPrefixThatIsNotAbsoluteIsRefused() throws {
    let result = try Subprocess.run("\(InstalledPrefix.config)/install.sh", ["/bin/true", "/bin/true", "~/.local"])
    #expect(result.status == 1)
    #expect(result.errorText == "PREFIX must be an absolute path, and is \"~/.local\"\n")
  }
}
