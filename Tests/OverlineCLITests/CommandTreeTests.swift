import ArgumentParser
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

@testable import OverlineCLI

/// A command that compiles and is in no list cannot be called.
@Suite(.ownThread) struct CommandTreeTests {
  private static func types(below command: any ParsableCommand.Type) -> [String] {
    [String(describing: command)] + command.configuration.subcommands.flatMap(types)
  }

  @Test("each command in the sources can be called") func eachCommandCanBeCalled() throws {
    let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Sources/OverlineCLI"
    let found = try Subprocess.run(
      "grep", ["-rhoE", "struct [A-Za-z]+: (ParsableCommand|ConfiguredCommand)", folder])
    let names = found.outputText.split(separator: "\n").map { $0.dropFirst("struct ".count).prefix { $0 != ":" } }
    #expect(names.count > 20)
    #expect(Set(names.map(String.init)) == Set(Self.types(below: OverlineCommand.self)))
  }

  /// The words of each command that does something. One with subcommands may do something itself too.
  static func actions(below command: any ParsableCommand.Type = OverlineCommand.self, _ path: [String] = [])
    -> [[String]]
  {
    let commands = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let own = commands.isEmpty || command is any ConfiguredCommand.Type ? [path] : []
    return own + commands.flatMap { actions(below: $0, path + [$0._commandName]) }
  }

  @Test("each command is in a list of HostileNameTests") func eachCommandIsTextOrPrintsNoName() {
    let tried = HostileNameTests.commands.map { $0.prefix { !$0.hasPrefix("-") }.joined(separator: " ") }
    let all = Self.actions().map { $0.joined(separator: " ") }
    #expect(Set(tried + HostileNameTests.otherCommands).symmetricDifference(all).sorted() == [])
  }

  @Test("the guide shows each command") func eachCommandIsInTheGuide() throws {
    let text = try MarkdownDocument.guide().map(\.text).joined()
    for path in Self.actions() {
      let command = (["overline"] + path).joined(separator: " ")
      #expect(text.contains(command), "\(command)")
    }
  }
}
