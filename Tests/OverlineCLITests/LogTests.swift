@testable import OverlineCLI
@testable import OverlineCore
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The monitor's log in the journal and on a terminal.
@Suite(.ownThread) struct LogTests {
  private static let script = """
    : >$0; JOURNAL_STREAM=$(stat -c %d:%i $0) exec $1 monitor >>$0 2>>$0
    """

  @Test func theJournalGetsALineForAChangeAndHowGraveItIs() throws {
    let world = try World()
    let log = "\(world.folder)/log"
    let monitor = try world.namespace.inside {
      try TestProgram("sh", ["-c", Self.script, log, World.executable], environment: world.environment)
    }
    func lines() -> [Substring] {
      String(decoding: (try? Files.read(log)) ?? [], as: UTF8.self).split(separator: "\n")
    }
    #expect(eventually { lines().count == 1 })
    try world.pullTheCable()
    #expect(eventually { lines().count == 2 })
    try world.configure("[banner]\nnonsense = 1\n")
    #expect(eventually { lines().count == 4 })
    #expect(lines()[0].hasPrefix("<6>online via eth0, wired"))
    #expect(lines()[1].hasPrefix("<6>offline: "))
    #expect(lines()[2].hasPrefix("<4>\(world.folder)/overline/config.toml:2:1: banner.nonsense: "))
    #expect(lines()[3] == "<4>the configuration stays as it was")
    #expect(monitor.end(.terminate) == 0)
  }

  @Test("outside tmux and outside a window the monitor names a screen to use, and its log has colours")
  func onATerminal() throws {
    let world = try World()
    func log(_ more: [String]) throws -> TestTerminal {
      let terminal = try world.namespace.inside {
        try TestTerminal(
          World.executable, ["monitor"], environment: world.environment + ["TERM=xterm-256color"] + more)
      }
      try terminal.wait(for: "online")
      Signal.interrupt.send(to: terminal.pid)
      _ = terminal.end()
      return terminal
    }
    let plain = try log(["NO_COLOR=1"])
    #expect(
      plain.text.contains("  no screen for a banner here; try: overline run, or start the monitor inside tmux\r\n"))
    #expect(!plain.text.contains("\u{1b}"))
    #expect(try log([]).text.contains("\u{1b}[1;32monline\u{1b}[0m via eth0"))
    for variable in ["OVERLINE_WINDOW=1", "TMUX=/nonexistent,1,0"] {
      #expect(try !log([variable]).text.contains("no screen"), "\(variable)")
    }
  }

  @Test func aLineInALoopIsCounted() {
    var limit = RepeatLimit()
    let written = (0..<100).compactMap { limit.admit("again", at: .milliseconds($0)) }
    #expect(written.count == 10)
    #expect(limit.admit("another", at: .seconds(1)) == "another")
    #expect(limit.admit("again", at: .seconds(61)) == "again (and 90 times more, not written)")
    #expect(limit.admit("again", at: .seconds(62)) == "again")
    for number in 0..<10_000 { _ = limit.admit("line \(number)", at: .seconds(63)) }
    #expect(Mirror(reflecting: limit).children.compactMap { ($0.value as? any Collection)?.count } == [64])
  }
}
