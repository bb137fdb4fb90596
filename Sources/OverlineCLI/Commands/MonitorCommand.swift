internal import ArgumentParser

struct MonitorCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Watch the network, serve observers, drive tmux servers.",
    discussion: "Runs in the foreground until interrupted, and prints a line for each change.")

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish { try Monitor.run(options: options) }
  }
}
