internal import ArgumentParser
internal import OverlineObservers

struct ReloadCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Have the monitor read its configuration again.",
    discussion: """
      The monitor and every window do so by themselves when the file changes. A configuration that cannot be used changes \
      nothing: this says what is wrong in it and exits with 78.
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish { try ask(.reload, options: options) }
  }
}
