internal import ArgumentParser
internal import POSIX
internal import Window

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a program below a banner that shows while the network is away.",
    discussion: """
      Without a command it runs your login shell. The program needs to know nothing: its terminal is a row shorter while the \
      banner shows. Needs no monitor.

      Inside tmux, inside another window, in a pipe, and where there is no room, the program runs as if it had been called \
      itself. Exit status: the program's.
      """)

  @Flag(help: "Say why there is no window.")
  var verbose = false

  @OptionGroup var options: CommonOptions

  @Argument(parsing: .captureForPassthrough, help: "The program and its arguments.")
  var command: [String] = []

  func run() throws {
    // What stands before the program itself.
    let command = command.first == "--" ? Array(command.dropFirst()) : command
    try finish { try RunWindow.run(command, isVerbose: verbose, options: options) }
  }
}

struct ResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Repair this terminal after a window was killed.",
    discussion: "Margins, modes, attributes and keys are as a shell wants them; what is on the screen stays.")

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      guard isTerminal(0) else { throw CommandError("standard input is not a terminal", status: .failure) }
      try TerminalRepair.run()
      return .success
    }
  }
}
