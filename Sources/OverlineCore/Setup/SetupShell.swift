/// A shell that Overline has startup files for.
package enum SetupShell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  /// Its startup file, below the home directory.
  package var startupFile: String {
    switch self {
    case .bash: ".bashrc"
    case .zsh: ".zshrc"
    case .fish: ".config/fish/config.fish"
    }
  }

  /// The line that puts a window into every terminal.
  func windowLine(_ share: String) -> String {
    sourceLine("\(share)/startup/window.\(rawValue)")
  }

  /// Nothing is sourced once Overline is removed.
  private func sourceLine(_ file: String) -> String {
    self == .fish ? "test ! -e \(file); or source \(file)" : "[[ ! -e \(file) ]] || source \(file)"
  }

  /// The lines that show the network's state in the prompt, and where in the startup file they belong.
  func promptLines(_ share: String) -> (place: String, lines: [String]) {
    let source = sourceLine("\(share)/prompt/overline.\(rawValue)")
    switch self {
    case .bash:
      return ("after the line that sets PS1", [source, "PS1='${OVERLINE_PROMPT:+[$OVERLINE_PROMPT] }'$PS1"])
    case .zsh:
      return (
        "after the line that sets PROMPT",
        [source, "setopt prompt_subst", "PROMPT='${OVERLINE_PROMPT:+[$OVERLINE_PROMPT] }'$PROMPT"]
      )
    case .fish:
      return (
        "line 2 in the function fish_prompt, before it prints, and line 1",
        [source, "set -q OVERLINE_PROMPT; and echo -n \"[$OVERLINE_PROMPT] \""]
      )
    }
  }

  /// The line that makes the shell find the program.
  func pathLine(_ folder: String) -> String {
    self == .fish ? "fish_add_path \(folder)" : "export PATH=\(folder):\"$PATH\""
  }
}
