import OverlineCore
import OverlineTestSupport
import OverlineTestThread
import Testing

/// What `overline setup` prints, by what a machine has.
@Suite(.ownThread) struct SetupTests {
  private static func setup(_ files: [String: String] = [:], _ change: (inout Setup.Facts) -> Void) -> [String] {
    var facts = Setup.Facts(
      home: "/home/me", prefix: "/home/me/.local", file: { files[$0] },
      installed: { $0 == "bar/waybar.jsonc" ? "// in waybar\n{\n  // a click\n  \"a\": 1\n}\n" : nil })
    facts.shell = .bash
    change(&facts)
    return Setup(facts)?.lines ?? []
  }

  @Test func aMachineWithEverythingGetsEachLineWithItsFile() {
    let lines = Self.setup {
      $0.hasTmux = true
      $0.hasSystemd = true
      $0.terminal = .kitty
      $0.bars = [.waybar]
    }
    #expect(
      lines == [
        "So that your shell finds overline, type this, and write it into ~/.bashrc too:",
        "    export PATH=~/.local/bin:\"$PATH\"",
        "For a banner in every terminal, at the end of ~/.bashrc:",
        "    [[ ! -e ~/.local/share/overline/startup/window.bash ]] || source ~/.local/share/overline/startup/window.bash",
        "Instead, for a banner in kitty only (~/.config/kitty/kitty.conf):",
        "    shell sh -c '~/.local/bin/overline -V >/dev/null && exec ~/.local/bin/overline run; exec $SHELL'",
        "For a banner in tmux, in ~/.tmux.conf:", "    run-shell ~/.local/share/overline/overline.tmux",
        "For tmux, bars, prompts and hooks, start the monitor with your session; type:",
        "    systemctl --user enable --now overline",
        "For a word in the prompt, after the line that sets PS1, in ~/.bashrc:",
        "    [[ ! -e ~/.local/share/overline/prompt/overline.bash ]] || source ~/.local/share/overline/prompt/overline.bash",
        "    PS1='${OVERLINE_PROMPT:+[$OVERLINE_PROMPT] }'$PS1",
        "For waybar, and \"custom/overline\" into one of its lists of modules, in ~/.config/waybar/config.jsonc:",
        "    {",
        "      \"a\": 1", "    }",
      ], "\(lines.joined(separator: "\n"))")
  }

  @Test func whatIsThereAlreadyIsLeftOut() {
    let files = [
      ".bashrc":
        "source ~/.local/share/overline/startup/window.bash\nsource ~/.local/share/overline/prompt/overline.bash\n",
      ".tmux.conf": "run-shell ~/.local/share/overline/overline.tmux\n",
    ]
    let lines = Self.setup(files) {
      $0.hasTmux = true
      $0.searchPath = ["/bin", "/home/me/.local/bin"]
    }
    #expect(
      lines == [
        "For tmux, bars, prompts and hooks, start the monitor with your session, as from its autostart:",
        "    overline monitor",
        "Done: a banner in every terminal (~/.bashrc), a banner in tmux (~/.tmux.conf), a word in the prompt (~/.bashrc).",
      ], "\(lines)")
  }

  @Test func theLineOfAnEarlierGuideIsReplaced() {
    let old = "[[ $OVERLINE_WINDOW ]] || exec overline run\nsource ~/.local/share/overline/startup/window.bash\n"
    let lines = Self.setup([".bashrc": old]) { _ in }
    #expect(lines.contains { $0.hasPrefix("In place of the line with exec overline run in ~/.bashrc") }, "\(lines)")
    #expect(!lines.contains { $0.contains("a banner in every terminal") }, "\(lines)")
  }

  @Test func aLineThatIsCommentedOutIsNotDone() {
    let lines = Self.setup([".tmux.conf": "# run-shell ~/.local/share/overline/overline.tmux\n"]) { $0.hasTmux = true }
    #expect(lines.contains("    run-shell ~/.local/share/overline/overline.tmux"), "\(lines)")
  }

  @Test func aFolderWithASpaceIsQuoted() {
    let lines = Self.setup {
      $0.prefix = "/opt/my tools"
      $0.hasTmux = true
    }
    // tmux would take the quotes away, and its shell would see two words.
    #expect(lines.contains("    run-shell \"'/opt/my tools'/share/overline/overline.tmux\""), "\(lines)")
    #expect(lines.contains("    export PATH='/opt/my tools'/bin:\"$PATH\""), "\(lines)")
  }

  @Test func withoutItsFilesAProgramHasNoLines() {
    #expect(Self.setup { $0.prefix = nil }.isEmpty)
  }

  /// The guide's table and the program say the same.
  @Test(arguments: SetupTerminal.allCases) func theGuideHasTheSettingOfEachTerminal(_ terminal: SetupTerminal) throws {
    let guide = try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/EveryTerminal.md").text
    let row = guide.split(separator: "\n").first { $0.hasPrefix("| \(terminal.name)") }
    #expect(row?.contains("`\(terminal.setting("overline"))`") == true, "\(row ?? "")")
    for name in terminal.place.split(separator: ",").map({ $0.drop { $0 == " " } }) where name.hasPrefix("~") {
      #expect(row?.contains("`\(name)`") == true)
    }
  }

  @Test(arguments: [
    (["KITTY_WINDOW_ID": "1"], SetupTerminal.kitty), (["TERM": "foot-extra"], .foot),
    (["KONSOLE_VERSION": "1"], .konsole),
    (["TERM": "xterm-256color"], nil),
  ])
  func aTerminalIsKnownByItsEnvironment(_ environment: [String: String], _ terminal: SetupTerminal?) {
    #expect(SetupTerminal { environment[$0] } == terminal)
  }

  /// The snippets name the same files as the program.
  @Test(arguments: SetupBar.allCases) func eachBarHasItsSnippet(_ bar: SetupBar) throws {
    let text = try MarkdownDocument("config/\(bar.snippet)").text
    #expect(text.contains("~/\(bar.file)"), "\(bar.snippet)")
    #expect(text.contains("overline watch"))
  }
}
