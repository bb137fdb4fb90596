/// What `overline setup` prints: for each place where the banner can show, the lines for this machine, and the file that they belong to.
package struct Setup: Sendable {
  /// What the shell has found on this machine.
  package struct Facts: Sendable {
    /// The home directory.
    package var home: String
    /// The installation's prefix, such as `/home/me/.local`; nil for a program that is not installed.
    package var prefix: String?
    /// The folders of `PATH`.
    package var searchPath: [String] = []
    /// The user's shell; nil for any other.
    package var shell: SetupShell?
    /// The folders in which zsh searches completions.
    package var zshFunctions: [String]?
    package var terminal: SetupTerminal?
    package var hasTmux = false
    package var hasStarship = false
    package var bars: [SetupBar] = []
    /// Whether systemd runs for this user.
    package var hasSystemd = false
    /// The text of a file below the home directory; nil if there is none.
    package var file: @Sendable (_ name: String) -> String?
    /// The text of a file below `share/overline`.
    package var installed: @Sendable (_ name: String) -> String?

    package init(
      home: String, prefix: String?, file: @escaping @Sendable (String) -> String?,
      installed: @escaping @Sendable (String) -> String?
    ) {
      (self.home, self.prefix, self.file, self.installed) = (home, prefix, file, installed)
    }
  }

  /// Lines for one purpose.
  package struct Step: Equatable, Sendable {
    /// `For a banner in tmux, in ~/.tmux.conf`
    package var purpose: String
    package var lines: [String]
  }

  /// What is left to do, in the order of its use.
  package private(set) var steps: [Step] = []
  /// The purposes whose lines are in their files.
  package private(set) var done: [String] = []

  /// Nil for a program without its installed files: it is in no place that a startup file could name.
  package init?(_ facts: Facts) {
    guard let prefix = facts.prefix else { return nil }
    let typed = Self.typed(prefix, home: facts.home)
    let share = "\(typed)/share/overline"
    addPath(facts, prefix, typed)
    if let shell = facts.shell { addWindows(facts, shell, share) }
    if let terminal = facts.terminal {
      // The setting has quotes of its own.
      let program = typed.hasPrefix("'") ? "overline" : "\(typed)/bin/overline"
      steps.append(
        Step(
          purpose: "Instead, for a banner in \(terminal.name) only (\(terminal.place))",
          lines: [terminal.setting(program)]))
    }
    if facts.hasTmux {
      add(
        "a banner in tmux", "in", ".tmux.conf",
        ["run-shell " + (share.hasPrefix("'") ? "\"\(share)/overline.tmux\"" : "\(share)/overline.tmux")], facts,
        "overline.tmux")
    }
    addMonitor(facts, prefix, typed)
    if let shell = facts.shell {
      let (place, lines) = shell.promptLines(share)
      add("a word in the prompt", "\(place), in", shell.startupFile, lines, facts, "prompt/overline.")
      if facts.hasStarship, let block = facts.installed("prompt/starship.toml").map(Self.withoutComments) {
        add("that word in starship", "in", ".config/starship.toml", block, facts, "OVERLINE_PROMPT")
      }
    }
    for bar in facts.bars {
      guard let block = facts.installed(bar.snippet).map(Self.withoutComments) else { continue }
      add("\(bar.rawValue)\(bar.addition)", "in", bar.file, block, facts, "overline watch")
    }
  }

  private mutating func addWindows(_ facts: Facts, _ shell: SetupShell, _ share: String) {
    // As the guide of 0.2 said.
    let isOld = facts.file(shell.startupFile).map {
      Self.withoutComments($0).contains { $0.contains("exec ") && $0.contains("overline run") }
    }
    if isOld == true {
      steps.append(
        Step(
          purpose:
            "In place of the line with exec overline run in ~/\(shell.startupFile), which ends your shell if the program is missing",
          lines: [shell.windowLine(share)]))
    } else {
      add(
        "a banner in every terminal", "at the end of", shell.startupFile, [shell.windowLine(share)], facts,
        "startup/window.")
    }
  }

  private mutating func addPath(_ facts: Facts, _ prefix: String, _ typed: String) {
    guard let shell = facts.shell else {
      if !facts.searchPath.contains("\(prefix)/bin") {
        steps.append(Step(purpose: "So that your shell finds overline", lines: ["export PATH=\(typed)/bin:\"$PATH\""]))
      }
      return
    }
    if !facts.searchPath.contains("\(prefix)/bin") {
      let place = shell == .fish ? ", type" : ", type this, and write it into ~/\(shell.startupFile) too"
      steps.append(Step(purpose: "So that your shell finds overline\(place)", lines: [shell.pathLine("\(typed)/bin")]))
    }
    // zsh reads completions from the folders that are in fpath when compinit runs.
    // Debian's package has them elsewhere.
    let folder = "share/zsh/site-functions"
    if let folders = facts.zshFunctions,
      !folders.contains(where: { ["\(prefix)/\(folder)", "\(prefix)/share/zsh/vendor-completions"].contains($0) })
    {
      add(
        "completion in zsh", "above compinit, in", shell.startupFile, ["fpath=(\(typed)/\(folder) $fpath)"], facts,
        "\(typed)/\(folder)")
    }
  }

  private mutating func addMonitor(_ facts: Facts, _ prefix: String, _ typed: String) {
    guard facts.hasSystemd else {
      return steps.append(
        Step(
          purpose: "For tmux, bars, prompts and hooks, start the monitor with your session, as from its autostart",
          lines: ["overline monitor"]
        ))
    }
    // Where systemd looks for units below share; elsewhere it needs the file's path (systemd.unit(5)).
    let isKnown = ["\(facts.home)/.local", "/usr/local", "/usr"].contains(prefix)
    let unit = isKnown ? "overline" : "\(typed)/share/systemd/user/overline.service"
    steps.append(
      Step(
        purpose: "For tmux, bars, prompts and hooks, start the monitor with your session; type",
        lines: ["systemctl --user enable --now \(unit)"]))
  }

  /// - Parameter mark: a text that the file contains once this is done.
  private mutating func add(
    _ purpose: String, _ place: String, _ file: String, _ lines: [String], _ facts: Facts, _ mark: String
  ) {
    let isThere = facts.file(file).map { Self.withoutComments($0).contains { $0.contains(mark) } }
    if isThere == true {
      done.append("\(purpose) (~/\(file))")
    } else {
      steps.append(Step(purpose: "For \(purpose), \(place) ~/\(file)", lines: lines))
    }
  }

  /// A path as a user types it: a shell expands no ~ in quotes.
  private static func typed(_ path: String, home: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._+-".utf8.contains($0)
      }
    }
    if !isPlain { return "'\(path.replacing("'", with: "'\\''"))'" }
    return path.hasPrefix("\(home)/") ? "~\(path.dropFirst(home.count))" : path
  }

  private static func withoutComments(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .filter { line in !["#", "//", ";"].contains { line.drop { $0 == " " }.hasPrefix($0) } }
      .drop { $0.isEmpty }.reversed().drop { $0.isEmpty }.reversed()
  }

  /// The whole answer.
  package var lines: [String] {
    let left = steps.flatMap { ["\($0.purpose):"] + $0.lines.map { "    \($0)" } }
    return left + (done.isEmpty ? [] : ["Done: \(done.joined(separator: ", "))."])
  }
}
