internal import ArgumentParser
internal import OverlineCore

struct SetupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Print the lines for your shell, terminal, tmux, prompt and bar.",
    discussion: """
      For each, it prints the lines and the file that they belong to. It leaves out what this machine does not have, and the lines that your \
      startup files have already. It changes nothing: copy the lines that you want.
      """)

  @Flag(help: "Print the lines. That is all this command does, also without the option.")
  var print = false

  func run() throws {
    try finish {
      guard let setup = MachineSetup.read() else {
        throw CommandError(
          "this program is not installed: its startup files are missing beside it; install it with make install, install.sh or the package"
        )
      }
      for line in setup.lines { try Output.sentence(line) }
      return .success
    }
  }
}
