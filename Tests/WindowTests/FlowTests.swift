import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// Programs that do not read, terminals that accept no bytes: neither delays the other, and nothing grows.
@Suite(.ownThread) struct FlowTests {
  private static func residentKilobytes(_ pid: Int32) throws -> Int {
    let status = String(decoding: try Files.read("/proc/\(pid)/status"), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    return try #require(Int(line.filter(\.isNumber)))
  }

  @Test func aTerminalThatTakesNothingStopsTheProgramAndNothingGrows() throws {
    let world = try WindowWorld()
    let terminal = try world.script("echo READY; yes 'a line of some length, again and again'")
    try terminal.wait(for: "READY")
    try terminal.wait(for: "again", times: 1000)
    terminal.pause()
    // Until the terminal accepts no more.
    var last = -1
    _ = eventually {
      defer { last = (try? Self.bytesWritten(terminal.pid)) ?? -1 }
      return last == (try? Self.bytesWritten(terminal.pid)) && last > 0
    }
    let before = try Self.residentKilobytes(terminal.pid)
    #expect(
      Sanitizer.isWatching
        || !eventually(within: .milliseconds(500)) { (try? Self.residentKilobytes(terminal.pid)) ?? 0 > before + 512 })
    // Keys still get through.
    try terminal.type("\u{3}")
    #expect(try eventually { try world.processes().count <= 1 })
    try terminal.resume()
    #expect(terminal.end() == 130)
  }

  private static func bytesWritten(_ pid: Int32) throws -> Int {
    let counters = String(decoding: try Files.read("/proc/\(pid)/io"), as: UTF8.self)
    let line = try #require(counters.split(separator: "\n").first { $0.hasPrefix("wchar:") })
    return try #require(Int(line.filter(\.isNumber)))
  }

  @Test func aProgramThatNeverReadsStillPrints() throws {
    let world = try WindowWorld()
    let terminal = try world.script("stty raw -echo; i=0; while :; do echo tick $i.; i=$((i+1)); sleep 0.02; done")
    try terminal.wait(for: "tick 3.")
    // Until neither the program's terminal nor the window's accepts more.
    let keys = [UInt8](repeating: 0x61, count: 4096)
    var typed = 0
    #expect(
      eventually {
        let taken = terminal.typeAtOnce(keys)
        typed += taken
        return taken == 0 && !eventually(within: .milliseconds(300)) { terminal.typeAtOnce([0x61]) > 0 }
      })
    #expect(typed > 8 * 1024 && typed < 256 * 1024)
    let ticks = terminal.text.ranges(of: "tick").count
    try terminal.wait(for: "tick", times: ticks + 10)
    Signal.terminate.send(to: terminal.pid)
    #expect(terminal.end() == 143)
  }

  /// After a terminating signal the window does not wait for a stuck terminal.
  @Test func aStuckTerminalDoesNotKeepTheWindow() throws {
    let world = try WindowWorld()
    let terminal = try world.script("echo READY; yes")
    try terminal.wait(for: "READY")
    terminal.pause()
    Signal.terminate.send(to: terminal.pid)
    #expect(try eventually(within: .seconds(9)) { try world.processes().isEmpty })
    try terminal.resume()
    #expect(terminal.end() == 143)
  }

  @Test func anIdleWindowSleeps() throws {
    let world = try WindowWorld()
    let terminal = try world.script("echo READY; cat")
    try terminal.wait(for: "READY")
    // A thread may end while it is read.
    func wakeUps() -> Int? { try? ProcessFigures(pid: terminal.pid).wakeUps() }
    // After the first look at the network and the output, and after Dispatch has ended its threads.
    #expect(
      Sanitizer.threads > 0
        || eventually(within: .seconds(20)) {
          guard let before = wakeUps() else { return false }
          return !eventually(within: .milliseconds(1500)) { wakeUps() != before }
        })
    try terminal.type("\u{4}")
    #expect(terminal.end() == 0)
  }
}
