internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

/// `overline` alone, on a terminal: the network's state, what to try next, and where to read on.
enum FirstSteps {
  static func run() throws -> ExitStatus {
    let status = try StatusCommand.run(.text, path: CommonOptions.defaults.configuration().path)
    let monitor = (try? RuntimeDirectory.locate().socket).map(Files.exists) ?? false
    try Output.line("")
    for (command, words) in steps(hasMonitor: monitor) {
      try Output.line("  overline \(command)" + String(repeating: " ", count: 17 - command.count) + words)
    }
    try Output.line("\nAll commands: overline help. One command: overline help COMMAND, or man overline-COMMAND.")
    return status
  }

  private static func steps(hasMonitor: Bool) -> [(String, String)] {
    let here: (String, String)
    if ProcessEnvironment["OVERLINE_WINDOW"] != nil {
      here = ("path", "the kernel's route, and why; this shell has a banner already")
    } else if ProcessEnvironment["TMUX"] != nil {
      here =
        hasMonitor
        ? ("tmux attach", "the banner in this tmux") : ("monitor", "the monitor, which tmux, bars and prompts need")
    } else {
      here = ("run", "your shell, with the banner above it; needs no monitor")
    }
    return [
      ("demo", "a banner, without touching the network"), here,
      ("setup --print", "the lines for every terminal, tmux, prompt and bar"),
    ]
  }
}
