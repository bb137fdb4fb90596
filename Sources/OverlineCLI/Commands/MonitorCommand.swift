internal import ArgumentParser

struct MonitorCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Watch the network, serve observers, drive tmux servers.",
    discussion: "Runs in the foreground until it is interrupted, and says each change in one line.")

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish { try Monitor.run(options: options) }
  }
}
