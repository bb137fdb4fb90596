import OverlineCore
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// `overline banner dismiss`, with and without a banner.
@Suite(.ownThread) struct BannerCommandTests {
  /// Once the banner has left its window.
  private func expectNone(_ scene: Scene) throws {
    let isSaid = try eventually {
      let none = try scene.overline("banner", "dismiss")
      return none.status == 0 && none.outputText == "" && none.errorText == "overline: no banner shows\n"
    }
    #expect(isSaid)
    let quiet = try scene.overline("banner", "dismiss", "--quiet")
    #expect(quiet.status == 0 && quiet.errorText == "")
  }

  private func expectDismissed(_ scene: Scene) throws {
    let dismissed = try scene.overline("banner", "dismiss")
    #expect(dismissed.status == 0 && dismissed.errorText == "", "\(dismissed)")
  }

  @Test func withoutABannerItSaysSo() throws {
    let scene = try Scene()
    let window = try scene.window()
    try expectNone(scene)
    // Also before the window has drawn it.
    for _ in 1...5 {
      #expect(try scene.overline("banner", "present", "Working").status == 0)
      try expectDismissed(scene)
    }
    try window.waitUntilGone("Working")
    try expectNone(scene)
  }

  @Test func theMonitorSaysSoToo() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    let bar = try scene.start("watch", "--format", "plain")
    try bar.lines.wait("the state") { !$0.isEmpty }
    try expectNone(scene)
    #expect(try scene.overline("banner", "present", "Working").status == 0)
    try bar.lines.wait("the banner") { $0.last == "Working" }
    try expectDismissed(scene)
    try bar.lines.wait("no banner") { $0.last == "" }
    try expectNone(scene)
    #expect(monitor.end(.terminate) == 0)
  }
}
