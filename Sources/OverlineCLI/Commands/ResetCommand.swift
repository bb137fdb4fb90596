internal import ArgumentParser
internal import OverlineRun
internal import OverlineSystem

struct ResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Repair this terminal after a window was killed.",
    discussion: """
      For a window that was killed (kill -9), or any other program. Margins, modes, attributes and keys are as a shell wants \
      them again, and the alternate screen is left; what is on the screen stays, but for the cursor's line. A banner that stood \
      there stays too, as text.
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      guard isTerminal(0) else { throw CommandError("standard input is not a terminal", status: .failure) }
      try TerminalRepair.run()
      return .success
    }
  }
}
