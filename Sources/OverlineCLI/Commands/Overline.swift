internal import ArgumentParser

struct Overline: ParsableCommand {
  // Every command states its name: deriving five names from types by reflection costs each start 0.3 ms.
  static let configuration = CommandConfiguration(
    commandName: "overline",
    abstract: "The line above your terminal: says when the network is away, and gives the row back when it returns.",
    discussion: """
      `overline monitor` watches the network, tells observers, and drives tmux servers. status, watch, \
      toast, banner and tmux ask it where there is one; metrics and reload need it; the others do without.

      Exit status, but of run (the program's) and alert (the answer): 0 online or done; 1 offline, the wait timed out, or the doctor \
      found a problem; 2 an error; 64 wrong usage; 69 no monitor where one is needed; 78 a bad configuration.
      """,
    version: Version.text,
    subcommands: [
      MonitorCommand.self, RunCommand.self, StatusCommand.self, WatchCommand.self, WaitCommand.self, PathCommand.self,
      ToastCommand.self, BannerCommand.self, AlertCommand.self, TmuxCommand.self, DemoCommand.self, ConfigCommand.self,
      ReloadCommand.self, HistoryCommand.self, MetricsCommand.self, DoctorCommand.self, ResetCommand.self,
    ])
}
