internal import Overline

/// Checks of the places that show banners: tmux, the terminal and prompts.
package enum ScreenChecks {
  /// Facts about the tmux server around this process.
  package struct TmuxFacts {
    package var version: String
    /// By name, as `show-options -gv` prints them.
    package var options: [String: String]
    /// Nil without a monitor.
    package var attachment: Attachment?

    package init(version: String, options: [String: String], attachment: Attachment?) {
      self.version = version
      self.options = options
      self.attachment = attachment
    }

    package enum Attachment {
      /// The monitor drives this server.
      case attached
      case unknown
      /// The monitor's error, with advice.
      case failed(String)
    }
  }

  /// - Parameters:
  ///   - version: the output of `tmux -V`; nil if tmux is not installed.
  ///   - server: the server that this process runs in.
  package static func tmux(version: String?, server: Result<TmuxFacts, any Error>?) -> [Finding] {
    guard let version else {
      return [
        .note("tmux", "not installed (overline run works without)", "tmux 3.2 or later has a line for the banner")
      ]
    }
    switch server {
    case nil: return [.ok("tmux", "\(version); run doctor inside tmux to check its settings")]
    case .failure(let error): return [.problem("tmux", error)]
    case .success(let facts): return settings(facts)
    }
  }

  private static func settings(_ facts: TmuxFacts) -> [Finding] {
    var findings: [Finding] = []
    switch facts.attachment {
    case .attached?: findings.append(.ok("tmux", "\(facts.version), and the monitor drives this server"))
    case .failed(let error)?: findings.append(Finding(verdict: .problem, area: "tmux", text: error))
    case .unknown?:
      findings.append(
        .note(
          "tmux", "\(facts.version); the monitor does not know of this server", "overline tmux attach, or the plugin"))
    case nil:
      findings.append(
        .note("tmux", "\(facts.version); without a monitor it has no banner", "start one with: overline monitor"))
    }
    let terminal = facts.options["default-terminal"] ?? ""
    if !["tmux", "screen"].contains(where: terminal.hasPrefix) {
      findings.append(
        .note(
          "tmux", "default-terminal is \(terminal)", "programs in tmux expect: set -g default-terminal tmux-256color"))
    } else if !terminal.contains("256color") && !terminal.contains("direct") {
      findings.append(
        .note("tmux", "default-terminal is \(terminal), with few colours", "set -g default-terminal tmux-256color"))
    }
    if facts.options["status"] == "off" {
      findings.append(.ok("tmux", "status is off: the banner's line comes and goes alone"))
    }
    return findings
  }

  /// - Parameter environment: the value of a variable, nil when it is not set.
  package static func terminal(environment: (String) -> String?, isTerminal: Bool) -> [Finding] {
    guard isTerminal else { return [.note("terminal", "the output is not a terminal", "run doctor in one")] }
    let term = environment("TERM") ?? ""
    if term.isEmpty || term == "dumb" {
      return [.problem("terminal", "TERM is \(term.isEmpty ? "not set" : term)", "set it to your terminal's type")]
    }
    let capabilities = TerminalCapabilities(environment: environment, isTerminal: true)
    let colors =
      switch capabilities.colors {
      case .truecolor: "all colours"
      case .palette256: "256 colours"
      case .ansi16: "16 colours"
      case .monochrome: "no colours"
      }
    var findings = [
      Finding.ok("terminal", "\(term), \(colors); synchronized updates are not checked")
    ]
    if capabilities.colors < .truecolor, environment("NO_COLOR") == nil {
      findings.append(
        .note(
          "terminal", "COLORTERM does not say truecolor: fades have fewer steps",
          "export COLORTERM=truecolor if the terminal has 24-bit colours"))
    }
    if capabilities.usesASCII {
      findings.append(.note("terminal", "the locale is not UTF-8: banners use ASCII only", "export LANG=C.UTF-8"))
    }
    return findings
  }

  /// Facts about the shell's prompt.
  package struct PromptFacts {
    /// `zsh`
    package var shell: String
    /// The path of its startup file.
    package var startupFile: String
    /// That file's content; nil if it does not exist.
    package var startup: String?
    /// The path of the snippet for this shell; nil when it is not installed.
    package var snippet: String?

    package init(shell: String, startupFile: String, startup: String?, snippet: String?) {
      self.shell = shell
      self.startupFile = startupFile
      self.startup = startup
      self.snippet = snippet
    }
  }

  /// - Parameter facts: nil for a shell that has no snippet.
  package static func prompt(_ facts: PromptFacts?, shell: String) -> Finding {
    guard let facts else {
      return .note(
        "prompt", "there is no snippet for \(shell.isEmpty ? "this shell" : shell)",
        "use: overline status --format prompt")
    }
    if facts.startup?.contains("overline.\(facts.shell)") == true {
      return .ok("prompt", "\(facts.shell) sources the snippet")
    }
    let words = "\(facts.shell) does not show the network"
    guard let snippet = facts.snippet else {
      return .note(
        "prompt", "\(words), and its snippet is not installed", "make install, or the Debian package, installs it")
    }
    return .note("prompt", words, "in \(facts.startupFile): source \(snippet) (its first lines explain the rest)")
  }
}
