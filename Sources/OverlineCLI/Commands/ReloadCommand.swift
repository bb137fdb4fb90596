internal import ArgumentParser
internal import OverlineCore

struct ReloadCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Make the monitor read its configuration again.",
    discussion: """
      The monitor and every window read it by themselves when the file changes. An invalid configuration changes nothing: this prints \
      its errors and exits with 78.
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish { try ask(.reload, options: options) }
  }
}
