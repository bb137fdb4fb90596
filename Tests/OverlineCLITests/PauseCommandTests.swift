import NetworkPath
import Overline
import OverlineCore
import OverlineProcess
import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing
@testable import OverlineCLI

/// `overline pause`: no banner and no toast, in tmux, windows and bars, for a time.
@Suite(.ownThread) struct PauseCommandTests {
  private static let configuration = "[banner]\ngrace-delay = \"0s\"\nhide-delay = \"0s\"\nmotion = \"off\"\n"

  private func shows(_ screen: TmuxTestScreen) throws -> Bool {
    try screen.rows().contains { $0.contains("No connection") }
  }

  @Test func nothingShowsUntilTheUserResumes() throws {
    let scene = try Scene()
    let server = try TmuxTestServer()
    let screen = try server.attachedScreen(columns: 100)
    let monitor = try scene.startMonitor()
    #expect(try scene.overline("tmux", "attach", "--server", server.socket).status == 0)
    let window = try scene.window()
    try scene.world.pullTheCable()
    try window.waitForBanner()
    #expect(try eventually { try shows(screen) })
    let pause = try scene.overline("pause", "1h")
    #expect(
      pause.outputText.wholeMatch(of: /Paused until (\d{4}-\d\d-\d\d )?\d\d:\d\d\.\n/) != nil, "\(pause.outputText)")
    // The window reads the file, or follows the monitor: either may come first.
    try window.waitUntilGone("No connection")
    #expect(try eventually { try !shows(screen) })
    #expect(try eventually { try scene.overline("status").outputText.contains("; paused until ") })
    let status = try scene.overline("status")
    #expect(status.status == 1 && status.outputText.hasPrefix("offline: "), "the state goes on")
    #expect(try scene.overline("status", "--format", "prompt").outputText == "paused")
    #expect(try scene.overline("status", "--format", "plain").outputText.hasPrefix("paused until "))
    #expect(try scene.overline("status", "--format", "env").outputText.contains("\nOVERLINE_PAUSED_UNTIL='20"))
    #expect(try scene.overline("status", "--format", "waybar").outputText.contains(#""class":["offline","paused"]"#))
    // Nothing is lost without a word.
    let toast = try scene.overline("toast", "Saved")
    #expect(toast.status == 0 && toast.errorText.contains("; the toast was not shown"), "\(toast.errorText)")
    #expect(!window.text.contains { $0.contains("Saved") })
    // It survives the monitor.
    monitor.end(.terminate)
    let second = try scene.startMonitor()
    #expect(try scene.overline("status").outputText.contains("; paused until "))
    // A window that opens now is as quiet.
    let late = try scene.window()
    #expect(late.text.first?.hasPrefix("READY") == true)
    #expect(try scene.overline("resume").outputText == "Resumed.\n")
    try window.waitForBanner()
    try late.waitForBanner()
    #expect(try eventually { try shows(screen) })
    #expect(try scene.overline("resume").errorText.contains("nothing is paused"))
    withExtendedLifetime(second) {}
  }

  @Test func withoutAMonitorWindowsAreQuietToo() throws {
    let scene = try Scene()
    let window = try scene.window()
    try scene.world.pullTheCable()
    try window.waitForBanner()
    #expect(try scene.overline("pause", "1h").status == 0)
    try window.waitUntilGone("No connection")
    #expect(try scene.overline("resume").status == 0)
    try window.waitForBanner()
  }

  /// A question waits for its answer.
  @Test func anAlertShows() throws {
    let scene = try Scene()
    #expect(try scene.overline("pause", "1h").status == 0)
    let question = "\(WindowWorld.executable) alert 'Deploy?' --button Deploy"
    let window = try scene.world.window("sh", "-c", "echo READY; \(question); echo RC=$?; cat")
    try window.wait(for: "[ Deploy ]")
    // Keys typed at once answer nothing: they were meant for another program.
    #expect(
      eventually {
        window.type("\r")
        _ = eventually(within: .milliseconds(700)) { !window.text.contains { $0.contains("[ Deploy ]") } }
        return !window.text.contains { $0.contains("[ Deploy ]") }
      })
    try window.wait(for: "RC=0")
  }

  /// Windows still obey the hours in the file, so the user must be able to end them.
  @Test func theHoursOfAKilledMonitorEnd() throws {
    let world = try World()
    try world.configure("\(Self.configuration)[quiet]\nhours = \"00:00-23:59\"\n")
    let monitor = try world.startMonitor()
    #expect(try eventually { try world.overline("path", "--json").outputText.contains(#""paused":{"#) })
    monitor.end(.kill)
    #expect(try world.overline("resume").outputText.hasPrefix("Resumed"))
    #expect(try world.overline("path", "--json").outputText.contains(#""paused":null"#))
  }

  @Test func theHoursOfTheConfigurationBeginByTheClock() throws {
    let world = try World()
    let now = LocalTime(WallTime.now)
    func clock(_ minutes: Int) -> String {
      let time = (now.hour * 60 + now.minute + minutes + 1440) % 1440
      return [time / 60, time % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
    }
    try world.configure("\(Self.configuration)[quiet]\nhours = \"\(clock(-10))-\(clock(10))\"\n")
    let monitor = try world.startMonitor()
    #expect(try eventually { try world.overline("status").outputText.contains("; paused until ") })
    // `path` knows what windows know. A pause that has ended in the hours must not take the hours from them.
    func end(_ command: String) throws -> Substring? {
      let json = try world.overline(command, "--json").outputText
      return json.firstRange(of: #""paused":"#).map { json[$0.upperBound...].prefix { $0 != "}" } }
    }
    #expect(try world.overline("pause", "1").status == 0)
    #expect(try eventually { try end("path")?.contains("until") == true && end("path") == end("status") })
    try world.configure(Self.configuration)
    #expect(try eventually { try end("path")?.hasPrefix("null") == true }, "the hours are gone")
    try world.configure("\(Self.configuration)[quiet]\nhours = \"\(clock(-10))-\(clock(10))\"\n")
    #expect(try eventually { try world.overline("status").outputText.contains("; paused until ") })
    // A pause ends first, and the hours go on.
    #expect(try world.overline("pause", "1m").outputText.hasPrefix("Paused until "))
    #expect(try world.overline("resume").outputText.contains("it stays quiet until "))
    // A monitor with a socket elsewhere has its own hours, here none, and leaves those of windows alone.
    let other = try world.start("monitor", "--socket", "\(world.folder)/other/m.sock", "--config", "/dev/null")
    try other.lines.wait("its first line") { !$0.isEmpty }
    #expect(other.end(.terminate) == 0)
    #expect(try end("path")?.contains("until") == true)
    // The user ends them for today.
    #expect(try world.overline("resume").status == 0)
    #expect(try eventually { try !world.overline("status").outputText.contains("paused") })
    monitor.end(.terminate)
    let second = try world.startMonitor()
    #expect(try !world.overline("status").outputText.contains("paused"))
    withExtendedLifetime(second) {}
  }

  /// Without a monitor the hours do nothing, but a pause of the user stays.
  @Test func theHoursEndWithTheirMonitor() throws {
    let world = try World()
    try world.configure("\(Self.configuration)[quiet]\nhours = \"00:00-23:59\"\n")
    let monitor = try world.startMonitor()
    #expect(try world.overline("pause", "1m").status == 0)
    #expect(try eventually { try world.overline("path", "--json").outputText.contains("T23:59:00") })
    #expect(monitor.end(.terminate) == 0)
    let left = try world.overline("path", "--json").outputText
    #expect(left.contains(#""paused":{"#) && !left.contains("T23:59:00"), "\(left)")
  }

  @Test(arguments: [
    (["pause"], "say for how long"), (["pause", "1h", "--until", "18:00"], "say either"),
    (["pause", "soon"], "is not a duration"), (["pause", "0"], "is not a duration"),
    (["pause", "--until", "25:00"], "is not a time to come"),
    (["pause", "--until", "2020-01-01"], "is not a time to come"),
  ])
  func whatCannotBeMeantIsRefused(_ arguments: [String], _ words: String) throws {
    let world = try World()
    let result = try world.namespace.inside {
      try Subprocess.run(World.executable, arguments, environment: world.environment, timeout: .seconds(30))
    }
    #expect(result.status == 64)
    #expect(result.errorText.contains(words), "\(result.errorText)")
  }

  @Test func aTimeOfDayIsTheNextOne() throws {
    let noon = try #require(LocalTime(year: 2026, month: 11, day: 29, hour: 12).wallTime)
    func hours(_ text: String) -> Int64? {
      Since.parse(next: text, now: noon).map { ($0.milliseconds - noon.milliseconds) / 3_600_000 }
    }
    #expect(hours("18:00") == 6)
    #expect(hours("9:00") == 21)
    #expect(hours("12:00") == 24)
    #expect(hours("2026-11-30 06:00") == 18)
    #expect(hours("2026-11-29") == nil)
    #expect(Since.length("2d") == 172_800_000)
    #expect(Since.length("90") == 90_000)
    #expect(Since.length("-1h") == nil)
  }
}
