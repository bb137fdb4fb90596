import Glibc
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// Where no banner can be drawn it is printed as a line.
@Suite(.ownThread) struct PlainTests {
  @Test func inAPipeEachChangeIsALineOnStandardErrorAndNothingElse() throws {
    let scene = try ProgramScene(wrapping: "\"$0\" \"$@\" >\"${1%/*}/output\"; echo ended")
    try scene.tell("print data", "present Deploying", "present Deploying", "toast Saved", "monitor")
    try scene.wait(for: "Success: Saved. with a message")
    try scene.world.pullTheCable()
    try scene.wait(for: "⚠ No connection · eth0 has no carrier")
    try scene.world.plugTheCable()
    try scene.wait(for: "✓ Back online")
    try scene.wait("Deploying is back") { $0.text.filter { $0 == "Deploying" }.count == 2 }
    try scene.tell("rect", "present last words", "exit 0")
    try scene.wait(for: "ended")
    #expect(
      scene.scene.lines == [
        "Deploying", "Success: Saved. with a message", "⚠ No connection · eth0 has no carrier", "✓ Back online",
        "Deploying", "last words", "ended",
      ])
    let output = String(decoding: try Files.read("\(scene.world.folder)/output"), as: UTF8.self)
    #expect(output == "data\nrect: TerminalRect(row: 1, column: 1, rows: 24, columns: 80)\n")
    #expect(!String(decoding: scene.scene.output, as: UTF8.self).contains("\u{1b}"))
  }

  /// The process exits only after a slow reader has received the line that is being written.
  @Test(arguments: ["exit 0", "close\nexit 0"])
  func anExitLosesNoLine(_ end: String) throws {
    let scene = try ProgramScene(
      wrapping: "mkfifo \"${1%/*}/errors\"; exec \"$0\" \"$@\" >/dev/null 2>\"${1%/*}/errors\"")
    var descriptor: Int32 = -1
    #expect(
      eventually {
        descriptor = Glibc.open("\(scene.world.folder)/errors", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        return descriptor >= 0
      })
    let reader = FileDescriptor(owning: descriptor)
    while (try? reader.write([0x2e][...])) != nil {}
    try scene.tell("present last words")
    let process = "/proc/\(scene.scene.pid)"
    #expect(
      eventually {
        let threads = (try? Files.names(in: "\(process)/task")) ?? []
        return threads.contains { Self.wait(of: "\(process)/task/\($0)").contains("pipe_write") }
      })
    try scene.tell(end)
    // The program now waits in its exit, and no longer for commands; or it has ended.
    #expect(
      eventually {
        let wait = Self.wait(of: process)
        return scene.scene.hasEnded || wait != "0" && !wait.contains("pipe_read")
      })
    var text = ""
    #expect(
      eventually {
        text += (try? reader.read()).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.hasSuffix("last words\n")
      })
    #expect(try scene.scene.end() == 0)
  }

  /// The kernel function in which a thread, or a process's first one, waits.
  private static func wait(of thread: String) -> String {
    (try? Files.read("\(thread)/wchan")).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  @Test(arguments: ["TERM=dumb", "ACCESSIBLE=1"])
  func aTerminalThatIsReadByEarGetsLines(_ variable: String) throws {
    let scene = try ProgramScene(environment: [variable])
    try scene.tell("print before", "present Deploying")
    try scene.wait(for: "Deploying")
    try scene.tell("print after", "dismiss", "exit 0")
    #expect(try scene.scene.end() == 0)
    #expect(scene.scene.lines == ["before", "Deploying", "after"])
    #expect(!scene.scene.output.contains(0x1b))
  }

  @Test func withoutColorsThereIsStillABanner() throws {
    let scene = try ProgramScene(environment: ["NO_COLOR=1"])
    try scene.tell("present Deploying")
    try scene.wait(forLast: "• Deploying")
    let cells = scene.scene.look { $0.cells(inRow: 9) }
    #expect(cells.dropLast().allSatisfy { $0.isReverse && $0.background == .standard })
  }

  @Test func hostileTextIsOnlyText() throws {
    let scene = try ProgramScene()
    try scene.tell("present \u{1b}[2Jevil\u{202e}\u{0}\u{7}")
    try scene.wait(forLast: "[2Jevil")
    try scene.tell("toast \u{1b}]0;title\u{7}mean")
    try scene.wait(for: "]0;titlemean · with a message")
    #expect(scene.scene.look(\.title) == "")
    try scene.tell("present " + String(repeating: "long ", count: 13000))
    try scene.wait("an ellipsis") { $0.text[9].hasSuffix("…") }
  }

  @Test func inAWindowOfThreeRowsNothingShowsAndNothingIsLeft() throws {
    let scene = try ProgramScene(rows: 3)
    try scene.tell("present Deploying", "toast Saved", "presented", "toasted")
    try scene.wait(for: "toasted: true")
    try scene.tell("untoast", "dismiss", "exit 0")
    #expect(try scene.scene.end() == 0)
    #expect(scene.scene.lines.filter { $0 != "gone" } == ["presented: true", "toasted: true"])
  }
}
