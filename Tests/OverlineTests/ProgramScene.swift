import Glibc
import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineWindowTestKit

/// A program on a terminal that controls its window by a test's commands (Tests/WindowProgram).
final class ProgramScene: Sendable {
  let world: LibraryWorld
  let scene: TerminalScene
  private let commands: WindowCommands

  /// - Parameter wrapping: a shell command that runs the program, which it finds in `$0` and `$@`; nil runs it alone.
  init(
    _ style: String = "inline", rows: Int = 10, columns: Int = 60, environment: [String] = [], wrapping: String? = nil
  ) throws {
    world = try LibraryWorld()
    commands = try WindowCommands(in: world.folder)
    let program = [BuiltProgram.path("OverlineWindowProgram"), commands.path, style]
    let command = wrapping.map { ["sh", "-c", $0] + program } ?? program
    // Remove duplicate names: some readers use the first value, Swift's runtime uses the last.
    let names = environment.map { $0.prefix { $0 != "=" } }
    let others = LibraryWorld.environment.filter { !names.contains($0.prefix { $0 != "=" }) }
    scene = try world.machine.inside {
      try TerminalScene(command, environment: environment + others, rows: rows, columns: columns)
    }
  }

  /// Sends commands, one a line.
  func tell(_ lines: String...) throws { try commands.send(lines) }

  /// Prints a word and waits until it is on the screen: earlier commands have been executed, and painted.
  func settle(_ word: String) throws {
    try tell("print \(word)")
    try scene.wait(for: word)
  }

  func wait(_ what: String, until isThere: (ReferenceTerminal) -> Bool) throws { try scene.wait(what, until: isThere) }

  func wait(for text: String) throws { try scene.wait(for: text) }

  /// Waits until these are the last rows.
  func wait(forLast rows: String...) throws {
    try wait("\(rows) at the end") { zip($0.text.suffix(rows.count), rows).allSatisfy { $0.contains($1) } }
  }
}

/// The pipe from which a program reads its commands (Tests/WindowProgram).
final class WindowCommands: Sendable {
  let path: String
  private let pipe: FileDescriptor

  init(in folder: String) throws {
    path = "\(folder)/commands"
    guard mkfifo(path, 0o600) == 0 else { throw TestKitError("no pipe: errno \(errno)") }
    pipe = FileDescriptor(owning: Glibc.open(path, O_RDWR | O_CLOEXEC))
  }

  /// Sends commands, one a line.
  func send(_ lines: [String]) throws {
    try pipe.writeAll(Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}
