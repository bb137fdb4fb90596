internal import ArgumentParser

struct Overline: ParsableCommand {
  // Every command states its name explicitly: deriving five names from types by reflection costs 0.3 ms at each start.
  static let configuration = CommandConfiguration(
    commandName: "overline",
    abstract: "Shows a banner above your terminal while the network is offline, and gives the row back afterwards.",
    discussion: """
      `overline monitor` watches the network, serves observers and drives tmux servers. status, watch, toast, banner and tmux ask it if \
      it runs; metrics and reload require it; the other commands work without it.

      Exit status: 0 online or done; 1 offline, the wait timed out, or the doctor found a problem; 2 an error; 64 wrong usage; 69 a \
      monitor is required and none runs; 78 an invalid configuration. run exits as its program does, alert with the answer.
      """,
    version: Version.text,
    subcommands: [
      MonitorCommand.self, RunCommand.self, StatusCommand.self, WatchCommand.self, WaitCommand.self, PathCommand.self,
      ToastCommand.self, BannerCommand.self, AlertCommand.self, TmuxCommand.self, DemoCommand.self, ConfigCommand.self,
      ReloadCommand.self, RefreshCommand.self, HistoryCommand.self, MetricsCommand.self, DoctorCommand.self,
      ResetCommand.self,
    ])
}
