internal import ArgumentParser
internal import OverlineCore
internal import OverlineSystem

struct RunCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a program below a banner that shows during outages.",
    discussion: """
      Without a command it runs your login shell. While the banner shows, the program's terminal is shorter by the banner's rows, and \
      the banner is above it. No monitor has to run.

      OVERLINE_SOCKET names the window's own socket for the programs inside: overline status --socket "$OVERLINE_SOCKET".

      Inside tmux, inside another window, in a pipe, with TERM=dumb, in a terminal that is too small, and where no window can be made, \
      the program runs as if called directly. The login shell then starts without its startup files if one of them may have run this \
      command. The exit status is the program's; 127 if there is no such program, 126 if it cannot be executed.
      """)

  @Option(help: ArgumentHelp("The shell to start, in place of $SHELL.", valueName: "path"), completion: .file())
  var shell: String?

  @Flag(help: "Start the shell as a login shell, which reads ~/.profile or ~/.zlogin too.")
  var login = false

  @Flag(help: "Print why there is no window.")
  var verbose = false

  @OptionGroup var options: CommonOptions

  @Argument(parsing: .captureForPassthrough, help: "The program and its arguments.")
  var command: [String] = []

  /// A login shell starts with any configuration: see ``RunWindow``.
  func checkNamedFile() {}

  func run() throws {
    // All words from the first one that is not our option belong to the program. So help and mistakes arrive here too.
    switch command.first {
    case "-h", "--help": throw CleanExit.helpRequest(self)
    case "--version": throw CleanExit.message(Version.text)
    case let word? where word.hasPrefix("-") && word != "--":
      throw ValidationError(
        Mistake.unknownOption(
          word, of: CommandPlace([], of: Self.self, path: ["run"]),
          otherwise: "; a program of that name goes behind --: overline run -- PROGRAM"
        ))
    case _: break
    }
    // Drops the `--` before the program.
    let command = command.first == "--" ? command.dropFirst() : command[...]
    if login || shell != nil, !command.isEmpty {
      throw ValidationError("--login and --shell are for a run without a program; write: overline run -- bash -l")
    }
    // The program's words unchanged, even if they are not UTF-8.
    let words = Array(ProcessEnvironment.platformArguments.suffix(command.count))
    try finish {
      try RunWindow.run(words, shell: LoginShell(shell, isLogin: login), isVerbose: verbose, options: options)
    }
  }
}
