import OverlineCore
import OverlineTestThread
import Testing

/// The order in which a command offers its request to windows and the monitor.
@Suite(.ownThread) struct RecipientOrderTests {
  private func order(_ window: String?, isInTmux: Bool = false) -> RecipientOrder {
    RecipientOrder(window: window, isInTmux: isInTmux, monitor: "monitor", windows: ["newer", "older"])
  }

  @Test func theWindowHereComesFirst() {
    #expect(order("here").sockets == ["here", "newer", "older", "monitor"])
    #expect(order(nil).sockets == ["newer", "older", "monitor"])
  }

  @Test func insideTmuxTheMonitorComesFirst() {
    #expect(order(nil, isInTmux: true).sockets == ["monitor", "newer", "older"])
  }

  @Test("what was only found is probed; what was named is not") func probes() {
    #expect(order("newer").probed == ["older", "monitor"])
    #expect(RecipientOrder(["named"]).probed == [])
    #expect(RecipientOrder(["found"], isProbed: true).probed == ["found"])
  }

  @Test func withoutADirectoryOnlyTheWindowHereIsLeft() {
    #expect(RecipientOrder(window: "here", isInTmux: false, monitor: nil, windows: []).sockets == ["here"])
  }
}
