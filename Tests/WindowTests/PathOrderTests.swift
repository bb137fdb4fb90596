import Dispatch
import NetworkPath
import Overline
import OverlineCore
import OverlineTestThread
import Testing
@testable import OverlineCLI
@testable import OverlineShell

/// A path goes to the window, which tells its observers.
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
    #expect(link.takeRequests() == [.network(lost)])
  }
}
