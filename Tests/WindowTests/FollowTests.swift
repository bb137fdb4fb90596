import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// Settings follow their file; a terminal's hang-up does not reload them.
@Suite(.ownThread) struct FollowTests {
  private func offline(_ title: String) -> String {
    "[banner]\ngrace-delay = \"0s\"\nmotion = \"off\"\n[banner.offline]\ntitle = \"\(title)\"\n"
  }

  @Test func windowsFollowTheFile() throws {
    let world = try WindowWorld()
    try world.pullTheCable()
    let window = try world.window("sh", "-c", "printf 'READY\\n'; cat")
    try window.waitForBanner()
    try world.configure(offline("Changed"))
    try window.wait(for: "Changed")
    // An error is shown in the window, and the settings stay.
    try world.configure(offline("Bad") + "heigt = 1\n")
    try window.wait(for: "The configuration is not applied")
    try window.wait(for: "config.toml:6:1")
    #expect(window.text.contains { $0.contains("Changed") })
    try world.configure(offline("Good"))
    try window.wait(for: "Good")
    try window.waitUntilGone("is not applied")
    try world.configure("[path]\nignore = [\"eth0\"]\n" + offline("Ignored"))
    try window.wait(for: "Ignored")
    try window.wait(for: "ignored by the configuration")
    window.type("\u{4}")
    #expect(try window.end() == 0)
  }

  /// The file changes as soon as the program runs, before the window watches it.
  @Test func aChangeAtTheWindowsStartIsSeen() throws {
    let world = try WindowWorld()
    try world.pullTheCable()
    let new = try world.file("new", offline("Early"))
    let window = try world.window("sh", "-c", "mv \(new) \(world.folder)/overline/config.toml; cat")
    try window.wait(for: "Early")
  }

  /// A user may need a shell in a window to fix its configuration.
  @Test func whatCannotBeReadDoesNotKeepTheProgramFromRunning() throws {
    let world = try WindowWorld()
    try world.configure("x = 1\ny = 2\n")
    let window = try world.window("sh", "-c", "printf 'READY\\n'; cat")
    try window.wait(for: "going on with the defaults")
    try window.wait(for: "READY")
    // One line each. A toast repeats the first: a banner may have moved these lines to the scrollback.
    let lines = window.text.filter { $0.hasPrefix("overline: ") }
    #expect(lines.count == 3 && lines[1].contains("config.toml:2:1: y"))
    try window.wait(for: "is not applied")
    try world.pullTheCable()
    try window.wait(for: "No connection")
    try world.configure(offline("Mended"))
    try window.wait(for: "Mended")
    window.type("\u{4}")
    #expect(try window.end() == 0)
  }

  @Test func programsInAWindowReload() throws {
    let world = try WindowWorld()
    let reload = "\(WindowWorld.executable) reload --socket $OVERLINE_SOCKET; printf 'is %s\\n' $?"
    let window = try world.window("sh", "-c", "while read x; do \(reload); done")
    window.type("\n")
    try window.wait(for: "is 0")
    try world.configure("[banner]\nnonsense = 1\n")
    window.type("\n")
    try window.wait(for: "is 78")
  }

  /// SIGHUP tells both the monitor and the shell that started it that their terminal is gone.
  @Test func aMonitorGoesWithItsTerminalButReloadsInIt() throws {
    let world = try WindowWorld()
    try world.configure(offline("Bad") + "heigt = 1\n")
    let unusable = try world.scene([WindowWorld.executable, "monitor"])
    #expect(try unusable.end() == 78)
    try world.configure(offline("Good"))
    let monitor = try world.scene([WindowWorld.executable, "monitor"])
    try monitor.wait(for: "online via eth0")
    try world.configure(offline("Bad") + "heigt = 1\n")
    try monitor.wait(for: "stays as it was")
    try world.configure(offline("Better"))
    Signal.hangUp.send(to: monitor.pid)
    try monitor.wait(for: "the configuration was read again")
    monitor.hangUp()
    #expect(try monitor.end() == 0)
  }
}
