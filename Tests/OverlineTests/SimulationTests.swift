import Dispatch
import NetworkPath
import Overline
import OverlineTestKit
import OverlineTestSupport
import Synchronization
import OverlineTestThread
import Testing

/// Tests as the library's users write them: an outage without a network, an hour without waiting.
@Suite(.ownThread) struct SimulationTests {
  @Test func aLostNetworkShowsAndItsReturnToo() async throws {
    let network = try SimulatedNetwork("online 1s, offline 3s, online")
    let window = network.window()
    window.startNetworkMonitoring()
    await network.advance(by: .milliseconds(1200))
    // Not yet: the grace delay.
    #expect(!window.isBannerPresented)
    await network.advance(by: .milliseconds(50))
    #expect(window.isBannerPresented)
    #expect(window.contentRect == TerminalRect(row: 1, column: 1, rows: 23, columns: 80))
    await network.advance(by: .seconds(3))
    #expect(window.isBannerPresented)
    #expect(network.announcements == ["⚠ No connection · eth0 has no carrier", "✓ Back online"])
    await network.advance(by: .seconds(2))
    #expect(!window.isBannerPresented)
    #expect(window.contentRect.rows == 24)
  }

  @Test func anAppsOwnLogicWaitsOutAnOutage() async throws {
    let network = try SimulatedNetwork("offline 1m, online")
    let monitor = network.monitor()
    let attempts = Atomic(0)
    let upload = Task {
      try await monitor.retryingWhenOffline(limit: 3) {
        attempts.add(1, ordering: .relaxed)
        if monitor.currentPath.status == .unsatisfied { throw Failed() }
      }
    }
    while attempts.load(ordering: .relaxed) == 0 { await Task.yield() }
    await network.advance(by: .seconds(59))
    #expect(attempts.load(ordering: .relaxed) == 1)
    await network.advance(by: .seconds(1))
    try await upload.value
    #expect(attempts.load(ordering: .relaxed) == 2)
  }

  @Test func anOutageThatEndsBeforeTheOperationFailsIsItsCause() async throws {
    let network = try SimulatedNetwork("offline 1m, online")
    let monitor = network.monitor()
    for await path in monitor where path.status == .unsatisfied { break }
    var attempts = 0
    try await monitor.retryingWhenOffline(limit: 1) {
      attempts += 1
      if attempts > 1 { return }
      await network.advance(by: .seconds(60))
      for await path in monitor where path.status == .satisfied { break }
      throw Failed()
    }
    #expect(attempts == 2)
  }

  /// As the guide says: the task and the clock take turns.
  @Test(arguments: ["offline 1h, online", "offline 1s, online 1s, offline 2h, online"])
  func anOperationRunsThroughOutages(_ timeline: String) async throws {
    let network = try SimulatedNetwork(timeline)
    let monitor = network.monitor()
    let attempts = Mutex<[Duration]>([])
    let result = try await network.run {
      try await monitor.retryingWhenOffline {
        attempts.withLock { $0.append(network.clock.now.offset) }
        // A download that takes half an hour.
        try await network.clock.sleep(for: .seconds(1800))
        if monitor.currentPath.status == .unsatisfied { throw Failed() }
        return "done"
      }
    }
    #expect(result == "done")
    #expect(attempts.withLock { $0 }.count >= 2, "\(attempts.withLock { $0 })")
    #expect(network.clock.now.offset >= .seconds(timeline.hasPrefix("offline 1h") ? 5400 : 9000))
  }

  @Test func anOperationThatWaitsForNothingEndsAtOnce() async throws {
    let network = try SimulatedNetwork("online 1s, offline")
    #expect(try await network.run { 7 } == 7)
    #expect(network.clock.now.offset == .zero)
    await #expect(throws: Failed.self) { try await network.run { throw Failed() } }
  }

  /// A time-out of the network's clock, children of a task group, and real work between two waits.
  @Test func allOfAnOperationWaits() async throws {
    let network = try SimulatedNetwork("offline 10m, online")
    let monitor = network.monitor()
    try await network.run {
      async let online = monitor.waitUntilSatisfied(timeout: .seconds(60))
      async let slept: Void = network.clock.sleep(for: .seconds(90))
      // Work elsewhere, which the clock does not know.
      await withCheckedContinuation { done in DispatchQueue.global().async { done.resume() } }
      try await slept
      do {
        _ = try await online
        Issue.record("the time has not ended")
      } catch is NWPathMonitor.TimedOut {}
    }
    #expect(network.clock.now.offset >= .seconds(90))
    #expect(
      try await network.run { try await monitor.waitUntilSatisfied(timeout: .seconds(3600)).status } == .satisfied)
    #expect(network.clock.now.offset == .seconds(600))
  }

  /// Nothing of it asks the real kernel.
  @Test func targetsAreOfTheScript() async throws {
    let network = try SimulatedNetwork("online without-office 2s, online 2s, offline")
    let office = try PathTarget(name: "office", network: "10.20.0.0/16")
    let monitor = network.monitor(targets: [office])
    let window = network.window()
    window.startNetworkMonitoring(targets: [office])
    for await path in monitor {
      #expect(path.status == .satisfied && path.targets.map(\.isReachable) == [false])
      #expect(path.targets[0].explanation == "office (10.20.0.0/16) is not reachable: no route leads there")
      break
    }
    await network.advance(by: .seconds(1))
    #expect(window.isBannerPresented)
    await network.advance(by: .seconds(1))
    #expect(monitor.currentPath.targets.map(\.isReachable) == [true])
    await network.advance(by: .seconds(3))
    #expect(monitor.currentPath.targets.map(\.reason) == [.noCarrier])
    #expect(
      network.announcements == [
        "⚠ No connection · office (10.20.0.0/16) is not reachable: no route leads there", "✓ Back online",
        "⚠ No connection · office (10.20.0.0/16) is not reachable: no link has a carrier",
      ], "\(network.announcements)")
  }

  private struct Failed: Error {}

  @Test func aTimeoutIsOfTheSameClock() async throws {
    let network = try SimulatedNetwork("offline")
    let monitor = network.monitor()
    let waiting = Task { try await monitor.waitUntilSatisfied(timeout: .seconds(3600)) }
    let ticks = Task {
      while !Task.isCancelled {
        await network.advance(by: .seconds(600))
        await Task.yield()
      }
    }
    await #expect(throws: NWPathMonitor.TimedOut.self) { try await waiting.value }
    ticks.cancel()
  }

  /// Typos in scripts.
  @Test(
    arguments: [
      "", "onlin", "online 1", "online 1s, offline 3x, online", "online, offline", "online wired 2s wifi",
      "offline no-carier", "offline no-carrier linkdown", "online 4g", "online wifii", "online 1s,",
      "online 99999999999s, offline",
    ])
  func aScriptThatMeansNothingFailsTheTestAndNotTheProcess(_ script: String) {
    #expect(throws: SimulatedNetwork.InvalidTimeline.self) { try SimulatedNetwork(script) }
  }

  @Test func aScriptNamesInterfacesAndCauses() throws {
    func path(_ script: String) throws -> NWPath {
      let monitor = try SimulatedNetwork(script).monitor()
      monitor.start(queue: DispatchQueue(label: "test.script"))
      defer { monitor.cancel() }
      return monitor.currentPath
    }
    let plain = try path("online")
    #expect(plain.explanation == "online via eth0, wired, gateway 192.0.2.1, IPv4, DNS")
    #expect(plain.debugDescription == "satisfied (Path is satisfied), interface: eth0, ipv4, dns")
    let phone = try path("online cellular wifi expensive constrained")
    #expect(phone.availableInterfaces.map(\.type) == [.cellular, .wifi])
    #expect(phone.usesInterfaceType(.cellular) && !phone.usesInterfaceType(.wifi))
    #expect(phone.isExpensive && phone.isConstrained)
    let new = try path("online tunnel ipv6")
    #expect(new.supportsIPv6 && !new.supportsIPv4 && new.gateways.map(\.debugDescription) == ["2001:db8::1.0"])
    for reason in NWPath.Reason.allCases {
      let offline = try path("offline \(reason.rawValue)")
      #expect(offline.status == .unsatisfied && offline.reason == reason)
    }
    #expect(try path("offline router-silent").explanation == "offline: the router 192.0.2.1 does not answer")
    #expect(try path("offline").explanation == "offline: default via 192.0.2.1 dev eth0 has no carrier")
  }

  @Test func aScriptInCode() async throws {
    #expect(throws: SimulatedNetwork.InvalidTimeline.self) { try SimulatedNetwork([]) }
    #expect(throws: SimulatedNetwork.InvalidTimeline.self) { try SimulatedNetwork([(.online(), .seconds(-1))]) }
    let wlan9 = NWInterface(name: "wlan9", index: 9, type: .wifi)
    let network = try SimulatedNetwork([
      (.online(by: [wlan9]), .seconds(1)), (.offline(.routerSilent), .seconds(3)), (.online(supportsDNS: false), .zero),
    ])
    let monitor = network.monitor()
    let paths = Mutex<[NWPath]>([])
    monitor.pathUpdateHandler = { path in paths.withLock { $0.append(path) } }
    monitor.start(queue: DispatchQueue(label: "test.code"))
    await network.advance(by: .seconds(5))
    let told = paths.withLock { $0 }
    #expect(told.map(\.status) == [.satisfied, .unsatisfied, .satisfied])
    #expect(told.first?.availableInterfaces == [wlan9])
    #expect(told.map(\.supportsDNS) == [true, false, false])
    monitor.cancel()
  }

  @Test func aTimeThatHasPassedIsNotWaitedFor() async throws {
    let clock = ManualClock()
    await clock.advance(by: .seconds(2))
    try await clock.sleep(until: .init(offset: .seconds(1)))
    try await clock.sleep(for: .zero)
    try await clock.sleep(for: .seconds(-1))
  }

  @Test func aToastGoesByItselfAndSaysSo() async throws {
    let network = try SimulatedNetwork("online")
    let window = network.window(style: .fullScreen)
    let gone = Atomic(0)
    let toast = window.toast("Saved", message: "All of it", style: .success) { gone.add(1, ordering: .relaxed) }
    let second = window.toast("Next", duration: nil)
    #expect(toast.isPresented && second.isPresented)
    await network.advance(by: .milliseconds(2900))
    #expect(window.contentRect.row == 2 && gone.load(ordering: .relaxed) == 0)
    await network.advance(by: .seconds(1))
    #expect(!toast.isPresented && gone.load(ordering: .relaxed) == 1)
    #expect(second.isPresented && network.announcements == ["Success: Saved. All of it", "Info: Next"])
    await network.advance(by: .seconds(36000))
    #expect(second.isPresented)
    second.dismiss()
    second.dismiss()
    await network.advance(by: .seconds(1))
    #expect(!second.isPresented && window.contentRect.row == 1)
    // A toast that has ended cannot be presented again.
    window.present(toast)
    #expect(!toast.isPresented)
  }

  @Test func insetsTellTheMomentThenTheNewestToAnyNumberAndEndWithTheWindow() async throws {
    let network = try SimulatedNetwork("online")
    var window: TerminalWindow? = network.window(style: .fullScreen)
    var first = window!.insets.makeAsyncIterator()
    var second = window!.insets.makeAsyncIterator()
    #expect(await first.next() == TerminalInsets())
    window!.presentTopBanner { $0.title("Deploying").height(2) }
    await network.advance(by: .zero)
    #expect(await first.next() == TerminalInsets(top: 2))
    window!.dismissTopBanner()
    await network.advance(by: .zero)
    // A busy reader gets only the newest.
    #expect(await second.next() == TerminalInsets())
    #expect(await first.next() == TerminalInsets())
    window = nil
    #expect(await first.next() == nil)
    #expect(await second.next() == nil)
  }

  @Test func windowsOfOneProcessAreIndependentAndLateOnesKnowAtOnce() async throws {
    let network = try SimulatedNetwork("online 1s, offline")
    let early = network.window()
    early.startNetworkMonitoring()
    let other = network.window()
    await network.advance(by: .seconds(60))
    let late = network.window()
    late.startNetworkMonitoring(noConnection: .init(title: "Offline", backgroundColor: .systemRed))
    #expect(early.isBannerPresented && !other.isBannerPresented && late.isBannerPresented)
    other.presentTopBanner { $0.title("Deploying") }
    #expect(other.isBannerPresented)
    other.dismissTopBanner()
    #expect(!other.isBannerPresented && early.isBannerPresented)
  }

  @Test func monitoringByAMonitorOfTheCallers() async throws {
    let network = try SimulatedNetwork("online 1s, offline router-silent 5s, online")
    let other = try SimulatedNetwork("online", clock: network.clock)
    let window = other.window()
    let monitor = network.monitor()
    let paths = Atomic(0)
    monitor.pathUpdateHandler = { _ in paths.add(1, ordering: .relaxed) }
    window.startNetworkMonitoring(monitor)
    await network.advance(by: .seconds(2))
    #expect(window.isBannerPresented)
    #expect(other.announcements == ["⚠ No connection · the router 192.0.2.1 does not answer"])
    // The banner disappears without *Back online*.
    window.stopNetworkMonitoring()
    await network.advance(by: .seconds(1))
    #expect(!window.isBannerPresented && other.announcements.count == 1)
    // A late window shows the outage at once. The monitor goes on after both, with its handler.
    window.startNetworkMonitoring(monitor)
    await network.advance(by: .milliseconds(1))
    #expect(window.isBannerPresented)
    // The process's own network is online.
    window.startNetworkMonitoring()
    await network.advance(by: .seconds(1))
    #expect(!window.isBannerPresented)
    await network.advance(by: .seconds(5))
    #expect(paths.load(ordering: .relaxed) == 3)
    monitor.cancel()
  }

  @Test func aNetworkWithoutAnswersIsLimited() async throws {
    let network = try SimulatedNetwork("online 1s, online no-answers 5s, online")
    let window = network.window()
    window.startNetworkMonitoring()
    await network.advance(by: .seconds(3))
    #expect(window.isBannerPresented)
    await network.advance(by: .seconds(9))
    #expect(!window.isBannerPresented)
    #expect(
      network.announcements == [
        "⚠ Limited connection · no answers: 3 connections to 2 hosts, for 10 s", "✓ Back online",
      ])
  }

  /// A kill switch may be wanted: the banner shows for a minute.
  @Test func aMachineThatSendsNothingIsLimited() async throws {
    let network = try SimulatedNetwork("online 1s, online not-sent 100s, online")
    let window = network.window()
    window.startNetworkMonitoring()
    await network.advance(by: .seconds(3))
    #expect(window.isBannerPresented)
    await network.advance(by: .seconds(60))
    #expect(!window.isBannerPresented)
    await network.advance(by: .seconds(50))
    #expect(
      network.announcements == [
        "⚠ Limited connection · nothing leaves this machine: 3 connections to 2 hosts, for 10 s"
      ])
  }

  @Test func aStoppedWindowKeepsItsOwnBanner() async throws {
    let network = try SimulatedNetwork("offline 2s, online")
    let window = network.window()
    window.presentTopBanner { $0.title("Deploying") }
    window.startNetworkMonitoring()
    await network.advance(by: .seconds(1))
    window.stopNetworkMonitoring()
    window.stopNetworkMonitoring()
    await network.advance(by: .seconds(9))
    #expect(window.isBannerPresented)
    #expect(
      network.announcements == ["Deploying", "⚠ No connection · eth0 has no carrier", "Deploying"],
      "\(network.announcements)")
    window.dismissTopBanner()
    #expect(!window.isBannerPresented)
  }

  @Test func aSuspensionEndsWithItsBodyAndTheOutermostCounts() async throws {
    let network = try SimulatedNetwork("online")
    let window = network.window()
    window.presentTopBanner { $0.title("Deploying") }
    #expect(window.contentRect.rows == 23)
    await #expect(throws: Failed.self) {
      try await window.suspend {
        #expect(window.contentRect.rows == 24)
        let result = await window.suspend { 7 }
        #expect(result == 7 && window.contentRect.rows == 24)
        throw Failed()
      }
    }
    #expect(window.contentRect.rows == 23)
  }

  @Test func withoutATerminalAnAlertHasNoAnswer() async throws {
    #expect(try await SimulatedNetwork("online").window().alert("Overwrite?", buttons: ["Yes", "No"]) == .impossible)
  }

  @Test func absurdDurationsDoNoHarm() async throws {
    let network = try SimulatedNetwork("online")
    let window = network.window(rows: 10)
    window.startNetworkMonitoring(hideDelay: .seconds(Int64.max))
    window.startNetworkMonitoring(hideDelay: .seconds(-5))
    window.presentTopBanner { $0.title("").height(-3).titleTopInset(99) }
    window.toast("", duration: .seconds(-1))
    window.toast(String(repeating: "x", count: 100_000), duration: .seconds(Int64.max))
    await network.advance(by: .seconds(10))
    #expect(window.contentRect.rows >= 4)
    window.presentTopBanner { $0.title("high").height(Int.max) }
    #expect(window.isBannerPresented)
    await network.advance(by: .seconds(10))
    #expect(window.contentRect.rows >= 4)
  }
}
