import Dispatch
import NetworkPath
import Overline
import OverlineCore
import OverlineTestThread
import Testing
@testable import OverlineCLI
@testable import OverlineShell

/// A path's way to the window and to its observers.
@Suite(.ownThread) struct PathOrderTests {
  @Test("a path reaches the window while the observers' queue is blocked") func windowFirst() throws {
    let link = try WindowLink()
    let observers = WindowService()
    let controller = WindowController(
      try ConfigurationKeeper(.defaults, orDefaults: true), link: link, observers: observers)
    observers.queue.suspend()
    defer { observers.queue.resume() }
    let lost = NWPath(status: .unsatisfied, explanation: "offline: eth0 is down", cause: "eth0 is down")
    controller.queue.sync { controller.pathChanged(lost) }
    #expect(link.takeRequests() == [.overlay(.banner(.networkFoundLost(cause: "eth0 is down", claim: "eth0 is down")))])
    // A path that follows another is a change, and waits for the grace delay.
    controller.queue.sync { controller.pathChanged(NWPath(status: .satisfied, explanation: "online")) }
    controller.queue.sync { controller.pathChanged(lost) }
    #expect(
      link.takeRequests() == [
        .overlay(.banner(.networkRestored)),
        .overlay(.banner(.networkLost(cause: "eth0 is down", claim: "eth0 is down"))),
      ])
  }
}
