import OverlineReferenceTerminal
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// A window of a program that needs one network, and not the internet.
@Suite(.ownThread) struct TargetWindowTests {
  @Test func theBannerIsTheNetworksAndNotTheInternets() throws {
    let scene = try ProgramScene(columns: 100)
    let machine = scene.world.machine
    try machine.ip("route add 10.20.0.0/16 via 192.0.2.1")
    try scene.tell("targets 10.20.0.0/16")
    try scene.settle("watching")
    // The internet goes, the network stays.
    try machine.ip("route del default")
    try machine.ip("route change unreachable 10.20.0.0/16")
    try scene.wait("the missing network") { terminal in
      terminal.text.contains { $0.contains("No connection") && $0.contains("10.20.0.0/16") }
    }
    try machine.ip("route change 10.20.0.0/16 via 192.0.2.1")
    // Not on the screen: on a busy machine this banner can be gone before a look at it.
    try scene.scene.wait(forOutput: "Back online")
    try scene.scene.waitUntilGone("No connection")
    try scene.scene.waitUntilGone("Back online")
    #expect(!scene.scene.lines.contains { $0.contains("no route to the internet") })
  }
}
