import Dispatch
import OverlineCore
import OverlineReferenceTerminal
import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// Three hundred processes that post at once.
@Suite(.ownThread) struct CrowdTests {
  private func crowd(_ scene: Scene, meanwhile body: () throws -> Void) throws {
    let pids = try scene.world.namespace.inside {
      try (1...300).map { number in
        try Subprocess.spawn(
          WindowWorld.executable, ["toast", "number \(number)", "--duration", "0"],
          environment: scene.world.environment, newSession: false, descriptors: [])
      }
    }
    try body()
    #expect(pids.map { endStatus(of: $0) }.allSatisfy { $0 == 0 })
  }

  @Test func aMonitorServesThemAllAndAnswersMeanwhile() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    var client = try ObserverClient(path: scene.runtime.socket)
    var slowest = Duration.zero
    try crowd(scene) {
      for _ in 1...100 {
        let start = BootClock.now
        guard case .ok = try client.request(.status()) else { throw TestKitError("no state") }
        slowest = max(slowest, BootClock.now - start)
      }
    }
    // Two processors start three hundred processes.
    #expect(slowest < .seconds(Sanitizer.isWatching ? 30 : 5))
    #expect(monitor.lines.values.count { $0.contains("Info: number ") } > 150)
    #expect(try scene.state(at: scene.runtime.socket).toast?.title.hasPrefix("number ") == true)
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func aWindowServesThemAllShowsOneAndEchoesWhatIsTyped() throws {
    let scene = try Scene()
    let window = try scene.window()
    try crowd(scene) {
      for number in 1...20 {
        window.type("echo \(number).\n")
        try window.wait(for: "echo \(number).")
      }
    }
    #expect(try scene.state(at: scene.socket()).toast?.title.hasPrefix("number ") == true)
    #expect(window.text.count { $0.contains("number ") } == 1)
  }
}
