import Foundation
import Overline
import OverlineCore
import OverlineProcess
@testable import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCLI

/// The record of outages, from the kernel to the user.
@Suite(.ownThread) struct HistoryCommandTests {
  private func outages(_ world: World) throws -> [[String: Any]] {
    let text = try world.overline("history", "--json").output
    let json = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
    return try #require(json?["outages"] as? [[String: Any]])
  }

  @Test func outagesSurviveTheMonitorAndAreReadWhileItWrites() throws {
    let world = try World()
    #expect(try outages(world).isEmpty)
    #expect(try world.overline("history").outputText.hasPrefix("No monitor was running since "))
    let monitor = try world.startMonitor()
    try world.haveOutage(world.watchWords())
    #expect(try eventually { try outages(world).count == 1 && outages(world)[0]["ended"] as? String == "known" })
    try world.pullTheCable()
    #expect(try eventually { try outages(world).last?["ended"] as? String == "now" })
    #expect(monitor.end(.terminate) == 0)
    let all = try outages(world)
    #expect(all.map { $0["ended"] as? String } == ["known", "monitor"])
    #expect(all.map { $0["reason"] as? String } == ["no-carrier", "no-carrier"])
    #expect(all.map { $0["interface"] as? String } == ["eth0", "eth0"])
    let text = try world.overline("history").outputText
    #expect(text.contains("default via 192.0.2.1 dev eth0 has no carrier (until the monitor ended)\n"))
    #expect(text.contains("2 outages, "))
    let now = LocalTime(WallTime.now)
    let head = text.split(separator: "\n").prefix(3)
    #expect(head[0].hasPrefix("Start ") && head[0].hasSuffix("Length  Cause"))
    #expect(head[1] == "\(HistoryText.months[now.month - 1]) \(now.year)")
    // The columns stand below their titles.
    #expect(head[2].dropFirst(head[0].count - 5).hasPrefix("default via"), "\(head)")
    #expect(!text.contains("\u{1b}"))
    #expect(try world.overline("history", "--since", "24h").status == 0)
    let wrong = try world.overline("history", "--since", "soon")
    #expect(wrong.status == 64)
    #expect(wrong.errorText.contains("yesterday"))
  }

  @Test("history prints a heading for each month, and a sentence without an outage") func monthsAreHeadings() throws {
    let world = try World()
    let day: Int64 = 86_400_000
    let now = WallTime.now.milliseconds
    // One session of a monitor for 70 days, with an outage of a minute every thirtieth.
    let begin = now - 70 * day
    var lines: [String] = []
    func add(_ event: String, at time: Int64, _ cause: String = "") {
      let clock = time - begin + 1
      lines.append("1\t\(event)\t1000-1-0a1b2c3d\t\(time)\t\(clock)\t\(clock)\(cause)\t.")
    }
    add("online", at: begin)
    for number in 1...2 {
      add("offline", at: begin + Int64(number) * 30 * day, "\tno-carrier\teth0\toffline: outage \(number)")
      add("online", at: begin + Int64(number) * 30 * day + 60_000)
    }
    add("end", at: now)
    try Files.makePrivateDirectories("\(world.folder)/state/overline")
    try Files.replace(
      "\(world.folder)/state/overline/history", with: Array((lines.joined(separator: "\n") + "\n").utf8))
    let text = try world.overline("history", "--since", "2000h").outputText.split(separator: "\n").map(String.init)
    for number in 1...2 {
      let time = LocalTime(WallTime(milliseconds: begin + Int64(number) * 30 * day))
      let row = try #require(text.firstIndex { $0.contains("outage \(number)") })
      #expect(text[row].contains("\(HistoryText.weekdays[time.weekday - 1]) "))
      let heading = try #require(text[..<row].last { $0.hasSuffix(" \(time.year)") })
      #expect(heading == "\(HistoryText.months[time.month - 1]) \(time.year)")
    }
    #expect(try world.overline("history", "--since", "24h").outputText.hasPrefix("No outage since "))
  }

  @Test func aKilledMonitorsOutageIsNotMadeUp() throws {
    let world = try World()
    let monitor = try world.startMonitor()
    try world.pullTheCable()
    #expect(try eventually { try outages(world).last?["ended"] as? String == "now" })
    monitor.end(.kill)
    #expect(try outages(world).map { $0["ended"] as? String } == ["killed"])
    let killed = try world.overline("history").outputText
    #expect(killed.contains(/:[0-9]{2} {13}\?  .*eth0 has no carrier \(the monitor was killed/), "\(killed)")
    #expect(killed.contains("1 outage, offline for an unknown time; online at most "))
    #expect(killed.contains("the monitor was killed during it; its end is unknown"))
    // Half a line, as left by a writer that was killed while writing.
    let file = "\(world.folder)/state/overline/history"
    try Files.replace(file, with: Files.read(file) + Array("1 online 77-1".utf8))
    try world.plugTheCable()
    // The kernel may report the carrier up to a second late. The second monitor must not start in an outage.
    #expect(try world.overline("wait").status == 0)
    let second = try world.startMonitor()
    defer { second.end(.terminate) }
    try world.haveOutage(world.watchWords())
    #expect(try eventually { try outages(world).map { $0["ended"] as? String } == ["killed", "known"] })
    #expect(try world.overline("history").outputText.contains("the monitor was killed during it; it ended by 20"))
  }

  @Test func aFullDiskOrNoneIsOneSentenceAndTheMonitorGoesOn() throws {
    let world = try World()
    let script = """
      mkdir -p $XDG_STATE_HOME; mount -t tmpfs -o size=16k,mode=700 tmpfs $XDG_STATE_HOME
      mkdir $XDG_STATE_HOME/overline; dd if=/dev/zero of=$XDG_STATE_HOME/fill bs=1k 2>/dev/null
      \(World.executable) monitor 2>\(world.folder)/errors >\(world.folder)/lines & monitor=$!
      until grep -q 'history cannot' \(world.folder)/errors; do sleep 0.05; done
      ip link set eth0p down
      until grep -q carrier \(world.folder)/lines; do sleep 0.05; done
      rm $XDG_STATE_HOME/fill
      ip link set eth0p up
      until grep -q known $XDG_STATE_HOME/said 2>/dev/null; do
        \(World.executable) history --json >$XDG_STATE_HOME/said; sleep 0.05
      done
      kill $monitor; wait; cat \(world.folder)/errors >&2; \(World.executable) history --json
      """
    let result = try world.namespace.inside {
      try Subprocess.run(
        "unshare", ["--mount", "sh", "-c", script], environment: world.environment, timeout: .seconds(60))
    }
    #expect(result.errorText.ranges(of: "the history cannot").count == 1, "\(result.errorText)")
    #expect(result.errorText.contains("No space left on device; the monitor goes on without"))
    // The pending line was written once there was room.
    #expect(result.outputText.contains("\"ended\":\"known\""))
    #expect(result.outputText.contains("\"began\":\"known\""))
  }

  @Test func aHomeThatCannotBeWrittenIsOneSentence() throws {
    let world = try World()
    let script = """
      mkdir -p $XDG_STATE_HOME; mount -t tmpfs -o ro tmpfs $XDG_STATE_HOME
      \(World.executable) monitor 2>\(world.folder)/errors >\(world.folder)/lines & monitor=$!
      for what in down up down; do
        ip link set eth0p $what; sleep 0.3
      done
      until grep -q carrier \(world.folder)/lines; do sleep 0.05; done
      kill $monitor; wait; cat \(world.folder)/errors >&2
      """
    let result = try world.namespace.inside {
      try Subprocess.run(
        "unshare", ["--mount", "sh", "-c", script], environment: world.environment, timeout: .seconds(60))
    }
    #expect(result.errorText.split(separator: "\n").count == 1)
    #expect(result.errorText.contains("the history cannot be written: cannot make the directory"))
    #expect(result.errorText.contains("Read-only file system; the monitor goes on without"))
  }

  /// A directory in the lock's place stands for a full disk.
  @Test("history does not say that no monitor was running while one runs that cannot write")
  func aMonitorThatCannotWriteIsNotMissing() throws {
    let world = try World()
    try Files.makePrivateDirectories("\(world.folder)/state/overline/history.lock")
    let monitor = try world.startMonitor()
    try monitor.errors.first("why it is not written") { $0.contains("the history cannot be written") }
    #expect(eventually { Files.exists("\(world.folder)/overline/state") })
    for result in [try world.overline("history"), try world.overline("history", "--json")] {
      #expect(result.errorText.hasPrefix("overline: the running monitor cannot write the history: cannot "))
      #expect(result.errorText.hasSuffix("/history.lock: Is a directory\n"))
    }
    #expect(try world.overline("history").outputText.hasPrefix("Nothing was recorded since 20"))
    #expect(try outages(world).isEmpty)
    // The disk of the runtime directory may be full too.
    #expect(try Subprocess.run("rm", ["\(world.folder)/overline/state"]).status == 0)
    #expect(try world.overline("history").outputText.hasPrefix("Nothing was recorded since 20"))
    #expect(monitor.end(.terminate) == 0)
    let without = try world.overline("history")
    #expect(without.outputText.hasPrefix("No monitor was running since ") && without.errorText == "", "\(without)")
  }

  /// Another user's, or a link: the obstacle, and the file that must stay as it is.
  @Test(
    .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can give a folder away"),
    arguments: [
      (
        "mkdir overline; chown 65534 overline", "cannot use the folder FOLDER: it belongs to user 65534, not to you (0)"
      ),
      (
        "mkdir overline; chmod 777 overline",
        "cannot use the folder FOLDER: it can be written by other users (mode 777)"
      ),
      (
        "mkdir away; ln -s away overline",
        "cannot use the folder FOLDER: it is not a folder; symbolic links are not followed here"
      ),
      ("mkdir overline; ln -s /dev/full overline/history", "cannot write FOLDER/history: Too many levels of symbolic"),
      (
        "mkdir overline; touch overline/history; chown 65534 overline/history",
        "cannot write FOLDER/history: it belongs to user 65534, not to you (0)"
      ),
    ])
  func aHistoryOfAnotherUserIsNotWritten(_ before: String, _ reason: String) throws {
    let world = try World()
    let state = "\(world.folder)/state"
    #expect(try Subprocess.run("sh", ["-ec", "mkdir -m 700 \(state); cd \(state); \(before)"]).status == 0)
    let monitor = try world.startMonitor()
    try world.haveOutage(world.watchWords())
    try monitor.errors.first("why it is not written") {
      $0.hasPrefix(
        "overline: the history cannot be written: \(reason.replacing("FOLDER", with: "\(state)/overline"))")
    }
    #expect(monitor.end(.terminate) == 0)
    #expect(monitor.errors.values.count == 1)
    #expect(try Subprocess.run("find", ["-L", state, "-type", "f", "-size", "+0"]).outputText == "")
  }

  /// A writer may be killed at any time: the file has what it had written, and nothing else.
  @Test func killedWritersSpoilNothing() throws {
    let world = try World()
    for _ in 0..<6 {
      let monitor = try world.startMonitor()
      try world.pullTheCable()
      try monitor.lines.first("the outage") { $0.contains("no carrier") }
      try world.plugTheCable()
      monitor.end(.kill)
    }
    let file = "\(world.folder)/state/overline/history"
    let lines = String(decoding: try Files.read(file), as: UTF8.self).split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasSuffix("\t.") })
    let ended = try outages(world).compactMap { $0["ended"] as? String }
    #expect(ended.count == lines.count { $0.contains("\toffline\t") || $0.contains("\tfound\t") })
    #expect(!ended.isEmpty)
    #expect(ended.allSatisfy { ["known", "killed"].contains($0) })
  }

  @Test func tenThousandOutagesAreWrittenAndRead() throws {
    let world = try World()
    let place = HistoryPlace(folder: "\(world.folder)/state/overline")
    let store = HistoryStore(place) { Issue.record("\($0)") }
    var ledger = OutageLedger(session: .own)
    for number in 0..<10_000 {
      let cause = OutageLedger.Network.offline(reason: "no-carrier", explanation: "outage \(number)")
      for network in [cause, .online(interface: "eth0")] {
        for record in ledger.note(network, at: .now) { store.write(record, keeping: 10_000) }
      }
      // Slowly, as real outages come: only a few lines are pending.
      if number % 200 == 0 { store.finish() }
    }
    #expect(eventually(within: .seconds(30)) { (try? Files.countLines(place.file)) == 20_000 })
    let outages = try outages(world)
    #expect(outages.count == 10_000)
    #expect(outages.enumerated().allSatisfy { $1["explanation"] as? String == "outage \($0)" })
  }

  /// As users clear it: there is no command for that.
  @Test func aHistoryWhoseFolderWasRemovedBeginsAnew() throws {
    let world = try World()
    let place = HistoryPlace(folder: "\(world.folder)/state/overline")
    let store = HistoryStore(place) { Issue.record("\($0)") }
    var ledger = OutageLedger(session: .own)
    for count in 1...2 {
      let cause = OutageLedger.Network.offline(reason: "no-carrier", explanation: "outage \(count)")
      for network in [cause, .online(interface: "eth0")] {
        for record in ledger.note(network, at: .now) { store.write(record, keeping: 10) }
      }
      #expect(eventually { (try? Files.countLines(place.file)) == 2 })
      let removed = try Subprocess.run("rm", ["-r", place.folder])
      #expect(removed.status == 0)
    }
  }

  /// The kernel's lock stays with the removed file. The monitor that made the folder again has the new one.
  @Test func twoMonitorsDoNotWriteTheSameFileAfterItsFolderWasRemoved() throws {
    let world = try World()
    let place = HistoryPlace(folder: "\(world.folder)/state/overline")
    let said = Recorder<String>()
    let first = HistoryStore(place) { said.record($0) }
    let second = HistoryStore(place) { said.record($0) }
    var ledgers = (1...2).map { OutageLedger(session: .init(pid: $0, start: 1, boot: "1")) }
    func write(_ store: HistoryStore, _ ledger: Int, _ reason: String) {
      for record in ledgers[ledger].note(.offline(reason: reason, explanation: reason), at: .now) {
        store.write(record, keeping: 10)
      }
      for record in ledgers[ledger].note(.online(interface: "eth0"), at: .now) { store.write(record, keeping: 10) }
      store.finish()
    }
    write(first, 0, "one")
    write(second, 1, "two")
    #expect(said.values == ["another monitor writes the history \(place.file); this one records nothing there"])
    #expect(try Subprocess.run("rm", ["-r", place.folder]).status == 0)
    write(second, 1, "three")
    write(first, 0, "four")
    #expect(said.values.count == 2)
    let lines = String(decoding: try Files.read(place.file), as: UTF8.self)
    #expect(lines.contains("three") && !lines.contains("four") && !lines.contains("two"))
  }

  @Test func aSecondMonitorOfThisUserDoesNotWriteBetweenTheLines() throws {
    let world = try World()
    let first = try world.startMonitor()
    defer { first.end(.terminate) }
    try world.haveOutage(world.watchWords())
    #expect(try eventually { try outages(world).last?["ended"] as? String == "known" })
    let second = try world.start("monitor", "--socket", "\(world.folder)/other/monitor.sock")
    try second.errors.first("why it does not") { $0.contains("another monitor writes the history") }
    #expect(second.end(.terminate) == 0)
    #expect(try outages(world).count == 1)
  }

  @Test func theHistoryStaysAsSmallAsItIsToBe() throws {
    let world = try World()
    try world.configure("[history]\nkeep = 2\n")
    let monitor = try world.startMonitor()
    let watch = try world.watchWords()
    for _ in 0..<14 { try world.haveOutage(watch) }
    let file = "\(world.folder)/state/overline/history"
    #expect(try eventually { try outages(world).count < 14 })
    #expect(try Files.countLines(file) <= 24)
    try world.configure("[history]\nkeep = 0\n")
    try monitor.lines.first("the reload") { $0.hasSuffix("was read again") }
    let before = try Files.read(file)
    try world.haveOutage(watch)
    #expect(monitor.end(.terminate) == 0)
    #expect(try Files.read(file) == before)
  }

  @Test(
    "the names of two months never touch",
    arguments: [(25, "        Nov"), (20, "     Oct   Nov"), (9, "     Oct         Nov")])
  func monthsHaveRoom(_ day: Int, _ names: String) throws {
    let now = try #require(LocalTime(year: 2026, month: 11, day: day, hour: 12).wallTime)
    let time = HistoryTime(wall: now.milliseconds, boot: 1, awake: 1)
    let capabilities = TerminalCapabilities(environment: { ["TERM": "xterm"][$0] }, isTerminal: true)
    let chart = HistoryChart(
      history: History([UInt8](), now: time) { _ in false }, now: now, capabilities: capabilities)
    #expect(chart.month().first == names)
  }

  @Test func aClockIsReadAsPeopleWriteIt() throws {
    let now = try #require(LocalTime(year: 2026, month: 11, day: 20, hour: 12).wallTime)
    func since(_ text: String) -> LocalTime? { Since.parse(text, now: now).map { LocalTime($0) } }
    #expect(since("today") == LocalTime(now.at(hour: 0)))
    #expect(since("24h").map { ($0.day, $0.hour) } ?? (0, 0) == (19, 12))
    #expect(since("1.5h").map { ($0.hour, $0.minute) } ?? (0, 0) == (10, 30))
    #expect(since("90s").map { ($0.hour, $0.minute) } ?? (0, 0) == (11, 58))
    #expect(since("2026-11-20 08:30").map { ($0.hour, $0.minute) } ?? (0, 0) == (8, 30))
    #expect(since("2026-11-20T08:30") != nil)
    #expect(since("2026-11-01")?.day == 1)
    for wrong in [
      "", "h", "90", "1.5", "2026-11-21", "12:00", "-1d", "1y", "2026-13-01", "2026-11-20 25:00", "9999999d", "é",
      "today ",
    ] {
      #expect(Since.parse(wrong, now: now) == nil, "\(wrong)")
    }
  }
}

extension WallTime {
  fileprivate func at(hour: Int) -> WallTime {
    let local = LocalTime(self)
    return LocalTime(year: local.year, month: local.month, day: local.day, hour: hour).wallTime ?? self
  }
}
