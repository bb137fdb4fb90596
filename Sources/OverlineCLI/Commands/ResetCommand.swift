internal import ArgumentParser
internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

struct ResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Repair this terminal after a window was killed.",
    discussion: """
      Use it after a window, or any program, was killed with kill -9. It resets margins, modes, attributes and keys, and leaves the \
      alternate screen. The text on the screen stays, also that of a banner, except the cursor's line.
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      guard isTerminal(0) else {
        throw CommandError("standard input is not a terminal; run it in the terminal to repair", status: .failure)
      }
      try TerminalRepair.run()
      return .success
    }
  }
}
