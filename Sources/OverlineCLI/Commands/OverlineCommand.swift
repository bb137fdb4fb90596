internal import ArgumentParser

/// The program itself, with all its commands.
struct OverlineCommand: ParsableCommand {
  // Every command states its name explicitly: deriving five names from types by reflection costs 0.3 ms at each start.
  static let configuration = CommandConfiguration(
    commandName: "overline",
    abstract: "Shows a banner above your terminal while the network is offline.",
    discussion: """
      `overline monitor` watches the network, serves observers and drives tmux servers. status, watch, dismiss, toast, banner and tmux \
      ask it if it runs; metrics and reload require it; the other commands work without it.
      """,
    version: Version.text,
    groupedSubcommands: [
      CommandGroup(
        name: "Banner",
        subcommands: [
          MonitorCommand.self, RunCommand.self, TmuxCommand.self, DismissCommand.self, PauseCommand.self,
          ResumeCommand.self, DemoCommand.self,
        ]),
      CommandGroup(
        name: "Network",
        subcommands: [
          StatusCommand.self, WatchCommand.self, WaitCommand.self, PathCommand.self, QualityCommand.self,
          HistoryCommand.self, MetricsCommand.self,
        ]),
      CommandGroup(name: "Messages", subcommands: [ToastCommand.self, AlertCommand.self, BannerCommand.self]),
      CommandGroup(
        name: "Set-up",
        subcommands: [
          DoctorCommand.self, SetupCommand.self, ConfigCommand.self, CompletionsCommand.self, ReloadCommand.self,
          RefreshCommand.self,
          ResetCommand.self,
        ]),
    ])

  @Flag(name: .customShort("V"), help: "The same as --version.")
  var isVersion = false

  func validate() throws {
    if isVersion { throw CleanExit.message(Version.text) }
  }

  /// The commands by group. It fits into a terminal of 80 columns and 24 rows with a prompt below it, which ArgumentParser's does not.
  static var overview: String {
    var lines = ["\(configuration.abstract)"]
    for group in configuration.groupedSubcommands {
      for (index, command) in group.subcommands.enumerated() {
        if companions.contains(where: { $0 == command }) { continue }
        let (name, abstract) = row(command)
        lines.append(
          padded(index == 0 ? group.name : "", 10) + padded(name, 14)
            + (abstract.hasSuffix(".") ? abstract.dropLast() : abstract[...]))
      }
    }
    return (lines + ["Usage: overline COMMAND [OPTION...]   More: overline help COMMAND, man overline"])
      .joined(separator: "\n")
  }

  /// Commands that share the line of another one.
  private static let companions: [any ParsableCommand.Type] = [
    ResumeCommand.self, QualityCommand.self, SetupCommand.self,
  ]

  private static func row(_ command: any ParsableCommand.Type) -> (name: String, abstract: String) {
    let (name, abstract) = (command._commandName, command.configuration.abstract)
    if command == PauseCommand.self { return ("\(name), resume", abstract) }
    if command == PathCommand.self { return ("\(name), quality", "Print the kernel's route, and why; how good it is.") }
    if command == DoctorCommand.self {
      return ("\(name), setup", "Check what overline needs; print the lines to set it up.")
    }
    return (name, abstract)
  }

  private static func padded(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(1, columns - text.count))
  }
}
