import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// A window without a banner is invisible.
@Suite(.ownThread) struct TransparencyTests {
  /// Any bytes after a first character, cut anywhere. Before a program that moves before it prints, a window asks for the cursor.
  private static func noise(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes = [UInt8(ascii: "x")]
    bytes.reserveCapacity(count)
    while bytes.count < count {
      withUnsafeBytes(of: generator.next()) { bytes += $0 }
    }
    return Array(bytes.prefix(count))
  }

  @Test(arguments: [1, 4095, 4097, 65_537, 3_000_000])
  func whatTheProgramPrintsReachesTheTerminalByteForByte(_ count: Int) throws {
    let world = try WindowWorld()
    let bytes = Self.noise(count)
    try Files.replace("\(world.folder)/noise", with: bytes)
    let terminal = try world.script("stty raw; cat $HOME/noise")
    #expect(terminal.end(within: .seconds(30)) == 0)
    #expect(terminal.outputAfterTitle == bytes)
  }

  @Test(arguments: [1, 5000, 1_000_000])
  func whatIsTypedReachesTheProgramByteForByte(_ count: Int) throws {
    let world = try WindowWorld()
    let terminal = try world.script(
      "stty raw -echo; printf ready; head -c \(count) >$HOME/typed; printf done")
    try terminal.wait(for: "ready")
    let bytes = Self.noise(count)
    try terminal.type(bytes)
    try terminal.wait(for: "done", within: .seconds(30))
    #expect(try Files.read("\(world.folder)/typed") == bytes)
    #expect(terminal.end() == 0)
    #expect(terminal.textAfterTitle == "readydone")
  }

  /// A megabyte between the marks of bracketed paste, while the program prints as much.
  @Test func bothWaysAtOnce() throws {
    let world = try WindowWorld()
    let terminal = try world.script(
      "stty raw -echo; printf ready; head -c 1000012 | tee $HOME/typed; printf done")
    try terminal.wait(for: "ready")
    let bytes = Array("\u{1b}[200~".utf8) + Self.noise(1_000_000).map { $0 & 0x7f } + Array("\u{1b}[201~".utf8)
    try terminal.type(bytes)
    #expect(terminal.end(within: .seconds(30)) == 0)
    #expect(terminal.outputAfterTitle == Array("ready".utf8) + bytes + Array("done".utf8))
    #expect(try Files.read("\(world.folder)/typed") == bytes)
  }

  @Test func theLastWordsOfAProgramAreNotLost() throws {
    let world = try WindowWorld()
    for round in 0..<20 {
      let terminal = try world.script("printf 'round \(round) %04000d end' 7")
      #expect(terminal.end() == 0)
      #expect(terminal.textAfterTitle.hasPrefix("round \(round) 0000") && terminal.textAfterTitle.hasSuffix("7 end"))
    }
  }

  @Test func aTerminalsModesAreThoseOfTheProgramAndThenTheShellsAgain() throws {
    let world = try WindowWorld()
    let terminal = try world.start(
      "sh",
      [
        "-c",
        """
        stty -echo intr ^A erase ^H; stty -g; $OVERLINE run stty -g
        $OVERLINE run sh -c 'stty raw; printf x'; stty -g; echo END
        """,
      ])
    try terminal.wait(for: "END")
    let lines = terminal.textAfterTitle.replacing("x", with: "").split(separator: "\r\n")
    #expect(lines.count == 4)
    #expect(Set(lines.dropLast()).count == 1, "\(lines)")
  }

  @Test func aProgramSeesItsTerminalAndItsSize() throws {
    let world = try WindowWorld()
    let terminal = try world.script("stty size; test -t 0 -a -t 1 -a -t 2 && tty; echo END >/dev/tty", rows: 31)
    try terminal.wait(for: "END")
    let lines = terminal.textAfterTitle.split(separator: "\r\n")
    #expect(lines.first == "31 80")
    #expect(lines.dropFirst().first?.hasPrefix("/dev/pts/") == true)
  }

  @Test func aRedirectedStandardErrorStaysRedirected() throws {
    let world = try WindowWorld()
    let terminal = try world.start(
      "sh", ["-c", "$OVERLINE run sh -c 'echo out; echo oops >&2' 2>$HOME/errors"])
    #expect(terminal.end() == 0)
    #expect(terminal.textAfterTitle == "out\r\n")
    #expect(try Files.read("\(world.folder)/errors") == Array("oops\n".utf8))
  }

  /// While hidden, a change of size passes at once, as one signal.
  @Test func aChangeOfSizeIsOneSignal() throws {
    let world = try WindowWorld()
    // bash forgets a signal that comes while it handles the previous one.
    let terminal = try world.run(
      "bash", "-c",
      "trap w=1 WINCH; echo READY; while :; do [ $w ] && { w=; echo W $(stty size) E; }; sleep 0.02; done")
    try terminal.wait(for: "READY")
    for rows in 25...30 {
      terminal.resize(columns: 90, rows: rows)
      try terminal.wait(for: "W \(rows) 90 E")
    }
    #expect(terminal.textAfterTitle.ranges(of: "W ").count == 6)
  }

  /// O_NONBLOCK belongs to the open file, which the shell shares.
  @Test func theShellsDescriptorsStayAsTheyWere() throws {
    let world = try WindowWorld()
    let terminal = try world.start(
      "sh",
      ["-c", "$OVERLINE run sh -c 'grep flags /proc/'$$'/fdinfo/1; echo IN'; grep flags /proc/$$/fdinfo/1; echo END"])
    try terminal.wait(for: "END")
    let flags = terminal.textAfterTitle.split(separator: "\r\n").filter { $0.hasPrefix("flags") }
    #expect(flags.count == 2)
    #expect(flags.allSatisfy { $0.hasSuffix("2") && !$0.hasSuffix("4002") }, "\(flags)")
  }

  /// A terminal shows the name of the process that it started. A window in a shell's terminal changes no title.
  @Test func aTerminalsOwnWindowShowsItsProgramsName() throws {
    let world = try WindowWorld()
    let own = try world.run("/bin/echo", "done")
    #expect(own.end() == 0)
    #expect(own.text == "\u{1b}]2;echo\u{1b}\\done\r\n")
    let terminal = try world.start("sh", ["-c", "$OVERLINE run echo done; exit $?"])
    try terminal.wait(for: "done\r\n")
    #expect(terminal.text == "done\r\n")
  }
}
