internal import ArgumentParser

struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print the completions for bash, zsh or fish.",
    discussion: """
      `make install` and the packages install them. For a program without its files: source <(overline completions bash) in ~/.bashrc; \
      overline completions zsh >_overline in a folder of $fpath; overline completions fish | source in config.fish.
      """)

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash
    case zsh
    case fish
  }

  @Argument(help: "The shell: bash, zsh or fish.")
  var shell: Shell

  func run() throws {
    try finish {
      let kind: CompletionShell =
        switch shell {
        case .bash: .bash
        case .zsh: .zsh
        case .fish: .fish
        }
      let script = OverlineCommand.completionScript(for: kind)
      // bash sources it: it is no program.
      try Output.line(script.hasPrefix("#!") ? String(script.drop { $0 != "\n" }.dropFirst()) : script)
      return .success
    }
  }
}
