import ArgumentParser
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

@testable import OverlineCLI

/// The README and the guide say what the program does: their commands exist, their shell blocks run, their configurations are valid.
///
/// A block's language says what can be done with it: `sh` runs here, `console` needs a terminal, a session or a change of this machine,
/// and `text` is output.
@Suite(.ownThread) struct GuideTests {
  static let languages: Set = [
    "sh", "console", "bash", "zsh", "fish", "toml", "tmux", "json", "jsonc", "swift", "text",
  ]

  @Test("each block of code has a language that a test knows") func blocksHaveALanguage() throws {
    for document in try MarkdownDocument.guide() {
      for block in document.blocks {
        #expect(Self.languages.contains(block.language), "\(document.path): \(block.text.prefix(60))")
      }
    }
  }

  @Test("each command of the README and the guide is one that overline accepts") func commandsAreAccepted() throws {
    var count = 0
    for document in try MarkdownDocument.guide() {
      let blocks = document.blocks.filter { ["sh", "console", "bash", "zsh", "fish"].contains($0.language) }
      for line in blocks.flatMap({ $0.text.split(separator: "\n").map(String.init) }) + document.codeSpans {
        for words in ShellWords.commands(in: line) where words.first == "overline" {
          count += 1
          do {
            _ = try OverlineCommand.parseAsRoot(words.dropFirst().map { $0.contains("$$") ? "1" : $0 })
          } catch {
            #expect(
              OverlineCommand.exitCode(for: error) == .success,
              "\(document.path): \(line): \(OverlineCommand.message(for: error))")
          }
        }
      }
    }
    #expect(count > 80)
  }

  @Test("each shell block that can run runs") func shellBlocksRun() throws {
    let world = try World()
    // A route of its own, as a VPN adds it.
    try world.namespace.ip("route add 10.20.0.0/16 via 192.0.2.1")
    let monitor = try world.startMonitor()
    let bin = "\(world.folder)/bin"
    try Files.makePrivateDirectory(bin)
    for program in ["make", "git"] {
      _ = try Subprocess.run("ln", ["-s", "/bin/true", "\(bin)/\(program)"])
    }
    _ = try Subprocess.run("ln", ["-s", World.executable, "\(bin)/overline"])
    var environment = world.environment
    environment[0] = "PATH=\(bin):\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")"
    var count = 0
    for document in try MarkdownDocument.guide() {
      for block in document.blocks where block.language == "sh" {
        let result = try world.namespace.inside {
          // In a folder of the test's own, because a block may write a file.
          try Subprocess.run(
            "sh", ["-euc", "cd '\(world.folder)'\n" + block.text], environment: environment, timeout: .seconds(60))
        }
        #expect(result.status == 0, "\(document.path):\n\(block.text)\n\(result.outputText)\(result.errorText)")
        count += 1
      }
    }
    #expect(count >= 8)
    withExtendedLifetime(monitor) {}
  }

  @Test("the guide's build says that it failed only if it failed", arguments: [true, false])
  func theBuildSaysHowItEnded(_ isBuilt: Bool) throws {
    let block = try #require(MarkdownDocument.guide().flatMap(\.blocks).first { $0.text.contains("It failed") })
    // A toast that cannot be shown. Functions of the shell: a file that was just written cannot be run while another test's child has it open.
    let programs = "overline() { echo \"$*\"; return 1; }\nmake() { return \(isBuilt ? 0 : 1); }\n"
    let said = try Subprocess.run("sh", ["-c", programs + block.text], environment: ["PATH=/usr/bin:/bin"]).outputText
    #expect(said.contains("Built") == isBuilt && said.contains("It failed") != isBuilt, "\(said)")
  }

  @Test("each block for a shell is one that the shell can read", arguments: ["sh", "console", "bash", "zsh", "fish"])
  func shellBlocksAreRead(_ language: String) throws {
    let blocks = try MarkdownDocument.guide().flatMap(\.blocks).filter { $0.language == language }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let shell = language == "console" ? "sh" : language
      let result = try Subprocess.run(shell, ["-n"], input: Array((block.text + "\n").utf8))
      #expect(result.status == 0, "\(block.text)\n\(result.errorText)")
    }
  }

  @Test("each configuration of the guide is valid") func configurationsAreValid() throws {
    let world = try World()
    var count = 0
    for document in try MarkdownDocument.guide() {
      for block in document.blocks where block.language == "toml" {
        try world.configure(block.text + "\n")
        let result = try world.overline("config", "check")
        #expect(result.status == 0, "\(document.path):\n\(block.text)\n\(result.errorText)")
        count += 1
      }
    }
    #expect(count >= 6)
  }

  @Test("the README has at most 1,000 words") func theREADMEIsShort() throws {
    let count = try MarkdownDocument("README.md").wordCount
    #expect((500...1000).contains(count))
  }

  /// One file holds the project's address, for packages and the README.
  @Test func theCloneLineHasTheProjectsAddress() throws {
    let address = try MarkdownDocument("config/address").text.split(separator: "\n")[0]
    #expect(
      try MarkdownDocument("README.md").blocks.contains { $0.text.contains("git clone \(address) && cd overline") })
  }

  /// A reader finds the sentence that he needs. The pages of figures and of the configuration are looked up, not read.
  @Test("the guide's pages that are written by hand have at most 10,500 words") func theGuideIsShort() throws {
    let pages = try MarkdownDocument.guide().dropFirst().filter { page in
      !["/Benchmarks.md", "/Configuration.md"].contains { page.path.hasSuffix($0) }
    }
    #expect((5000...10_500).contains(pages.map(\.wordCount).reduce(0, +)))
  }

  @Test("the README's figures are those of the benchmarks page") func theREADMEHasTheFigures() throws {
    let readme = try MarkdownDocument("README.md").prose.joined(separator: "\n")
    let rows = try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/Benchmarks.md").prose
      .filter { $0.hasPrefix("| ") }.map {
        $0.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
      }
    func row(_ what: String, peer: String = "") throws -> [String] {
      try #require(rows.first { $0[0] == what && $0[2].hasPrefix(peer) }, "\(what)")
    }
    /// The first number of a cell, after the peer's name.
    func number(_ cell: String) throws -> Double {
      let value = cell.split(separator: ": ").last ?? ""
      return try #require(Double(value.prefix { $0.isNumber || $0 == "." }), "\(cell)")
    }
    func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    let lost = try row("link down → path, median", peer: "ip monitor")
    let (ours, printed) = (tenths(try number(lost[1]) / 1000), tenths(try number(lost[2]) / 1000))
    #expect(readme.contains("after \(ours) ms; `ip monitor` prints it after \(printed) ms"))

    let wakeUps = try row("idle monitor: wake-ups in 60 s")[1]
    let memory = tenths(try number(row("idle monitor alone: private memory (Anonymous)")[1]))
    #expect(readme.contains("wakes \(wakeUps) times a minute, with \(memory) MB of anonymous memory"))

    let hidden = try rows.filter { $0.count > 3 && $0[0].hasPrefix("window, hidden: ") && $0[2].hasPrefix("script: ") }
      .filter { $0[1].hasSuffix("MB/s") }.map { Int((try number($0[3]) * 100).rounded()) }
    #expect(hidden.count == 5)
    #expect(readme.contains("\(hidden.min() ?? 0) to \(hidden.max() ?? 0) % of the speed of script(1)"))
  }
}

/// A line of a shell as commands of words.
enum ShellWords {
  static func commands(in line: String) -> [[String]] {
    var commands: [[String]] = [[]]
    var word: String?
    var quote: Character?
    /// Whether the next word is a file that a redirection names.
    var isFile = false
    func endWord() {
      if let ended = word {
        if !isFile { commands[commands.count - 1].append(ended) }
        isFile = false
      }
      word = nil
    }
    for character in line {
      if let open = quote {
        // A substitution in double quotes is a command too.
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
        continue
      }
      switch character {
      case "\"", "'":
        quote = character
        word = word ?? ""
      case " ": endWord()
      case ">" where word == nil: isFile = true
      case "&", "|", ";", "(", ")":
        endWord()
        commands.append([])
      case "#" where word == nil:
        endWord()
        return commands
      default: word = (word ?? "") + String(character)
      }
    }
    endWord()
    return commands.map { words in words.first == "exec" ? Array(words.dropFirst()) : words }
  }
}
