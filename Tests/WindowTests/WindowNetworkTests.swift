import NetworkPath
import Overline
import OverlineCore
import OverlineTestThread
import Testing

/// What a window takes from the running monitor, beside its own path.
@Suite(.ownThread) struct WindowNetworkTests {
  private let online = NWPath(status: .satisfied, explanation: "online via eth0")
  private let lost = NWPath(
    status: .unsatisfied, reason: .linkDown, explanation: "offline: eth0 is down", cause: "eth0 is down")

  @Test func theMonitorsFindingIsShownWithThePath() {
    var network = WindowNetwork(options: PathOptions())
    let portal = Limitation(.captivePortal, cause: "Log in", explanation: "a login page")
    #expect(network.handle(.monitorFound(MonitorFinding(limitation: portal))) == [])
    #expect(network.handle(.pathChanged(online)) == [.show(online, portal)])
    #expect(network.handle(.monitorFound(MonitorFinding())) == [.show(online, nil)])
    #expect(network.handle(.monitorFound(MonitorFinding())) == [])
  }

  @Test("connections that nothing answers count only where the window looks for them") func noAnswers() {
    var options = PathOptions()
    options.detectsNoAnswers = true
    var network = WindowNetwork(path: online, options: options)
    let silent = Limitation(.noAnswers, cause: "no answers", explanation: "no answers")
    #expect(network.handle(.monitorFound(MonitorFinding(limitation: silent))) == [.show(online, silent)])
    options.detectsNoAnswers = false
    #expect(network.handle(.optionsChanged(options)) == [])
    #expect(network.handle(.pathChanged(online)) == [.show(online, nil)])
  }

  @Test func oneDismissalCountsEverywhere() throws {
    var network = WindowNetwork(path: lost, options: PathOptions())
    let reason = try #require(lost.troubleReason(limitation: nil))
    #expect(network.handle(.monitorFound(MonitorFinding(dismissedReason: "another"))) == [])
    #expect(network.handle(.monitorFound(MonitorFinding(dismissedReason: reason))) == [.dismissTrouble])
    #expect(network.handle(.monitorFound(MonitorFinding(dismissedReason: reason))) == [])
    #expect(network.handle(.monitorFound(MonitorFinding(shownReason: reason))) == [.showTroubleAgain])
    #expect(network.handle(.pathChanged(online)) == [.show(online, nil)])
    #expect(network.handle(.monitorFound(MonitorFinding(dismissedReason: reason))) == [])
  }
}
