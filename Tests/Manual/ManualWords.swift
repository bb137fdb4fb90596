/// What a manual page tells beyond its command's help. Commands are written as they are typed: `overline tmux attach`.
enum ManualWords {
  /// An entry of a list, and the commands whose pages have it; the page of `overline` has every one.
  struct Entry {
    let title: String
    let text: String
    let commands: [String]

    func isFor(_ command: String) -> Bool { command == "overline" || commands.contains(command) }
  }

  private static let screens = ["overline run", "overline demo", "overline toast", "overline alert"]
  private static let askers = [
    "overline status", "overline watch", "overline toast", "overline banner present", "overline banner dismiss",
    "overline dismiss", "overline tmux attach", "overline tmux detach", "overline tmux status", "overline reload",
    "overline metrics",
    "overline doctor", "overline monitor", "overline wait",
  ]
  private static let windows = [
    "overline run", "overline toast", "overline banner present", "overline banner dismiss", "overline dismiss",
    "overline alert", "overline refresh", "overline status", "overline watch",
  ]
  private static let configs = [
    "overline monitor", "overline run", "overline path", "overline quality", "overline wait", "overline demo",
    "overline doctor",
    "overline config", "overline config init", "overline config check", "overline config show", "overline config path",
    "overline reload", "overline resume",
  ]

  /// Where the reader of any command's page looks further.
  static func configures(_ command: String) -> Bool { configs.contains(command) || command == "overline" }

  static let environment = [
    Entry(
      title: "XDG_RUNTIME_DIR", text: "The folder for sockets and the state file.",
      commands: askers + windows + ["overline pause", "overline resume"]),
    Entry(
      title: "XDG_CONFIG_HOME", text: "The folder above the configuration; `~/.config` without it.", commands: configs),
    Entry(
      title: "XDG_STATE_HOME", text: "The folder above the history; `~/.local/state` without it.",
      commands: ["overline monitor", "overline history", "overline doctor"]),
    Entry(
      title: "OVERLINE_SOCKET",
      text: "The socket of the window that the process runs in; `overline run` sets it for its program.",
      commands: windows),
    Entry(
      title: "OVERLINE_WINDOW",
      text:
        "Set for the program in a window: `overline run` then makes none. `none` for a shell that `run` started without one.",
      commands: ["overline run"]),
    Entry(
      title: "TMUX", text: "The tmux server that the process runs in.",
      commands: [
        "overline run", "overline toast", "overline alert", "overline tmux attach", "overline tmux detach",
        "overline monitor", "overline dismiss",
      ]),
    Entry(
      title: "SHELL",
      text: "The shell of a window without a command, and that whose startup files `overline setup` means.",
      commands: ["overline run", "overline setup"]),
    Entry(title: "PATH", text: "Where tmux, bars and starship are looked for.", commands: ["overline setup"]),
    Entry(title: "TERM", text: "With `dumb`, Overline draws nothing and prints lines.", commands: screens),
    Entry(
      title: "COLORTERM", text: "With `truecolor` or `24bit`, colours are exact.",
      commands: screens + ["overline history"]),
    Entry(
      title: "NO_COLOR", text: "Not empty: no colours.",
      commands: screens + ["overline monitor", "overline history", "overline doctor"]),
    Entry(title: "ACCESSIBLE", text: "Set: nothing slides or fades.", commands: screens),
  ]

  static let files = [
    Entry(
      title: "~/.config/overline/config.toml", text: "The configuration: see overline.toml(5).", commands: configs),
    Entry(
      title: "~/.local/state/overline/history", text: "The outages, a line at the beginning and at the end of each.",
      commands: ["overline monitor", "overline history"]),
    Entry(
      title: "$XDG_RUNTIME_DIR/overline/monitor.sock", text: "The monitor's socket.", commands: askers),
    Entry(
      title: "$XDG_RUNTIME_DIR/overline/state",
      text: "The state as shell variables, while a monitor runs. A prompt reads it without starting a process.",
      commands: ["overline monitor", "overline status"]),
    Entry(
      title: "$XDG_RUNTIME_DIR/overline/quiet", text: "The end of a pause.",
      commands: ["overline pause", "overline resume"]),
    Entry(
      title: "$XDG_RUNTIME_DIR/overline/window-PID.sock", text: "The socket of a window.",
      commands: ["overline run", "overline refresh"]),
    Entry(
      title: "PREFIX/share/overline", text: "Snippets for tmux, bars, prompts and Prometheus.",
      commands: ["overline tmux attach", "overline status", "overline watch"]),
  ]

  /// The statuses of commands that give others than the usual ones.
  static func statuses(of command: String) -> [(String, String)] {
    switch command {
    case "overline run":
      [
        ("STATUS", "That of the program; 128 and the number of the signal that ended it."),
        ("126", "The program cannot be executed."), ("127", "There is no such program."), ("64", "Wrong usage."),
      ]
    case "overline alert":
      [
        ("0", "The first button."), ("1 to 7", "The others."), ("130", "The question was dismissed."),
        ("64", "Wrong usage."), ("70", "An error."),
      ]
    case "overline", "overline status", "overline path", "overline quality":
      [("0", "Online, or done."), ("1", "Offline, the wait timed out, or the doctor found a problem.")] + errors
    case "overline dismiss": [("0", "A banner was dismissed."), ("1", "No banner about the network shows.")] + errors
    case "overline wait": [("0", "The condition holds."), ("1", "The time is over.")] + errors
    case "overline doctor": [("0", "There is no problem."), ("1", "There is one.")] + errors
    case _: [("0", "Done.")] + errors
    }
  }

  private static let errors = [
    ("2", "An error."), ("64", "Wrong usage."), ("69", "A monitor is required and none runs."),
    ("78", "An invalid configuration."),
  ]

  static let examples: [String: [(text: String, command: String)]] = [
    "overline": [
      ("See what an outage looks like:", "overline demo"),
      ("Start the monitor with your session, for tmux, bars and prompts:", "systemctl --user enable --now overline"),
      ("Run your shell below a banner:", "overline run"),
      ("Push when the network is back:", "overline wait && git push"),
    ],
    "overline monitor": [
      ("In the foreground:", "overline monitor"),
      ("As a service of your session:", "systemctl --user enable --now overline"),
    ],
    "overline run": [
      ("Your login shell:", "overline run"), ("One program:", "overline run -- ssh example.net"),
      ("Why there is no window:", "overline run --verbose -- true"),
    ],
    "overline tmux": [("The servers that the monitor drives:", "overline tmux status")],
    "overline tmux attach": [
      ("From a pane:", "overline tmux attach"),
      ("A server by its socket:", "overline tmux attach --server /tmp/tmux-1000/work"),
    ],
    "overline tmux detach": [("From a pane:", "overline tmux detach")],
    "overline tmux status": [("For programs:", "overline tmux status --json")],
    "overline demo": [
      ("An outage:", "overline demo"), ("Also banners, toasts and a question:", "overline demo --all"),
    ],
    "overline pause": [
      ("During a talk:", "overline pause 1h"), ("Until the evening:", "overline pause --until 18:00"),
    ],
    "overline resume": [("After the talk:", "overline resume")],
    "overline dismiss": [
      ("Wherever it shows, from outside of a window:", "overline dismiss"),
      ("What Overline still thinks:", "overline status"),
    ],
    "overline status": [
      ("Act only when online:", "overline status --quiet && git fetch"),
      ("For a tmux status line:", "set -g status-right '#(overline status --format tmux)'"),
    ],
    "overline watch": [
      ("A line for each change:", "overline watch"), ("A block of waybar:", "overline watch --format waybar"),
    ],
    "overline wait": [
      ("Push as soon as the network is there, for at most a minute:", "overline wait --timeout 60 && git push"),
      ("Wait for an outage:", "overline wait --for offline"),
      (
        "Wait for a network of the configuration, online for five seconds:", "overline wait --target office --stable 5s"
      ),
    ],
    "overline path": [
      ("The route and its reason:", "overline path"),
      ("Record the kernel's messages for a report:", "overline path --record report.txt"),
    ],
    "overline quality": [
      ("Why is it slow?", "overline quality"), ("As it changes:", "overline quality --watch"),
    ],
    "overline history": [
      ("The last week:", "overline history --since 7d"), ("For programs:", "overline history --json"),
    ],
    "overline metrics": [("Once:", "overline metrics")],
    "overline toast": [
      ("A message:", "overline toast Saved --style success"),
      ("Progress, replaced by the result:", "overline toast Building --key build --duration 0"),
    ],
    "overline banner": [("While a shell runs:", "overline banner present Deploying --while $$")],
    "overline banner present": [
      ("While a shell runs:", "overline banner present Deploying --while $$"),
      ("In colours of your own:", "overline banner present Recording --background '#6a1b9a' --text white"),
    ],
    "overline banner dismiss": [("The banner in front:", "overline banner dismiss")],
    "overline alert": [
      ("Ask before a deployment:", "overline alert 'Deploy?' --button Deploy --button Cancel && deploy")
    ],
    "overline config": [("Write the documented configuration:", "overline config init")],
    "overline config init": [
      ("Write it, and edit it:", "overline config init && $EDITOR \"$(overline config path)\"")
    ],
    "overline config check": [("Another file:", "overline config check --config new.toml")],
    "overline config show": [("One section:", "overline config show | grep -A9 '^\\[check\\]'")],
    "overline config path": [("Edit the file:", "$EDITOR \"$(overline config path)\"")],
    "overline completions": [
      ("bash, in ~/.bashrc:", "source <(overline completions bash)"),
      ("fish, in config.fish:", "overline completions fish | source"),
    ],
    "overline reload": [("After a change on a disk without notifications:", "overline reload")],
    "overline refresh": [("From inside the window:", "overline refresh")],
    "overline doctor": [
      ("In the terminal or tmux that you ask about:", "overline doctor"), ("Only problems:", "overline doctor --quiet"),
    ],
    "overline setup": [("After the installation:", "overline setup --print")],
    "overline reset": [("After kill -9 of a window:", "overline reset")],
  ]
}
