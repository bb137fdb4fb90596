internal import OverlineSystem
internal import OverlineTestSupport
@testable import OverlineBench
import OverlineTestThread
import Testing

/// A real daemon configures the network, once. `make soak` does it twenty times, with all of them.
@Suite(.ownThread) struct DaemonTests {
  @Test(
    "dhcpcd joins, renews, roams, is suspended and killed: each outage is told, and no other",
    .enabled(
      if: RoutedNetwork.canRun && Daemon.dhcpcd.missingProgram == nil,
      "COULD NOT RUN: nft, dnsmasq or dhcpcd is missing; install them: make test-deps"))
  func dhcpcd() throws {
    let tallies = DaemonFigures.run(.dhcpcd, 1, BuiltProgram.path("overline"))
    for (action, tally) in tallies {
      #expect(tally.failures.isEmpty && tally.falseClaims.isEmpty && tally.missedClaims.isEmpty, "\(action): \(tally)")
    }
    #expect((tallies.first { $0.action == "roam" }?.tally.trueClaims ?? 0) > 0)
  }
}
