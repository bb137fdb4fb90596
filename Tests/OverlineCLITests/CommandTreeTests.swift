import ArgumentParser
import OverlineSystem
import OverlineTestKit
import OverlineTestThread
import Testing

@testable import OverlineCLI

/// A command that compiles and is in no list cannot be called.
@Suite(.ownThread) struct CommandTreeTests {
  private static func types(below command: any ParsableCommand.Type) -> [String] {
    [String(describing: command)] + command.configuration.subcommands.flatMap(types)
  }

  @Test("each command of the sources can be called") func eachCommandCanBeCalled() throws {
    let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Sources/OverlineCLI"
    let found = try Subprocess.run(
      "grep", ["-rhoE", "struct [A-Za-z]+: (ParsableCommand|ConfiguredCommand)", folder])
    let names = found.outputText.split(separator: "\n").map { $0.dropFirst("struct ".count).prefix { $0 != ":" } }
    #expect(names.count > 20)
    #expect(Set(names.map(String.init)) == Set(Self.types(below: Overline.self)))
  }
}
