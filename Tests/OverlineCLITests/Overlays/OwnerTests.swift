import Overline
import OverlineCore
import OverlineProcess
import OverlineReferenceTerminal
import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// An owner leaves nothing behind, however it ends.
@Suite(.ownThread) struct OwnerTests {
  @Test func whatIsTiedToAProcessGoesWithIt() throws {
    let scene = try Scene()
    let window = try scene.window()
    let owner = try Owner()
    #expect(try scene.overline("toast", "tied", "--duration", "0", "--while", "\(owner.pid)").status == 0)
    #expect(try scene.overline("banner", "present", "Working", "--while", "\(owner.pid)").status == 0)
    try window.wait(for: "tied")
    try window.waitForBanner("Working")
    owner.kill()
    try window.waitUntilGone("tied")
    try window.waitUntilGone("Working")
    for arguments in [["toast", "late"], ["banner", "present", "late"]] {
      let result = try scene.world.namespace.inside {
        try Subprocess.run(
          WindowWorld.executable, arguments + ["--while", "\(owner.pid)"],
          environment: scene.world.environment)
      }
      #expect(result.status == 2)
      #expect(result.errorText == "overline: \"while\" is \(owner.pid): no such process\n")
    }
    #expect(!window.text.contains { $0.contains("late") })
  }

  @Test func aBannerThatAnotherHasReplacedStays() throws {
    let scene = try Scene()
    let window = try scene.window()
    let owner = try Owner()
    #expect(try scene.overline("banner", "present", "tied", "--while", "\(owner.pid)").status == 0)
    try window.waitForBanner("tied")
    #expect(try scene.overline("banner", "present", "another").status == 0)
    try window.waitForBanner("another")
    #expect(try scene.overline("toast", "owned", "--duration", "0", "--while", "\(owner.pid)").status == 0)
    try window.wait(for: "owned")
    owner.kill()
    // The window has noticed the owner's end.
    try window.waitUntilGone("owned")
    #expect(window.text[0].contains("another"))
    #expect(try scene.overline("banner", "dismiss").status == 0)
    try window.waitUntilGone("another")
  }

  /// Overlays with `owned` end with their connection, also when a program other than `overline` requested them.
  @Test func whatBelongsToAConnectionGoesWithIt() throws {
    let scene = try Scene()
    let window = try scene.window()
    let connection = try UnixSocket.connect(to: scene.socket())
    let lines = """
      {"do":"toast","title":"owned","duration":0,"owned":true}
      {"do":"present","title":"Mine","owned":true}
      {"do":"toast","title":"another","duration":0,"key":"k"}

      """
    try connection.writeAll(Array(lines.utf8))
    try window.wait(for: "owned")
    try window.waitForBanner("Mine")
    _ = consume connection
    try window.waitUntilGone("Mine")
    // The other toast, which belongs to the window, takes its place.
    try window.wait(for: "another")
    #expect(!window.text.contains { $0.contains("owned") })
    var client = try ObserverClient(path: scene.socket())
    #expect(try client.request(.dismissToast(.key("k"))) == .ok(.object(["dismissed": .integer(1)])))
    try window.waitUntilGone("another")
    // Dismissing a toast that is gone is no error.
    #expect(try eventually { try client.request(.dismissToast(.key("k"))) == .ok(.object(["dismissed": .integer(0)])) })
  }

  @Test func aToastIsDismissedByItsNumber() throws {
    let scene = try Scene()
    let window = try scene.window()
    var client = try ObserverClient(path: scene.socket())
    let answer = try client.request(.toast(.init(title: "numbered", duration: .zero)))
    guard case .ok(let data) = answer, let id = data?["id"]?.integer else { throw TestKitError("\(answer)") }
    try window.wait(for: "numbered")
    #expect(try client.request(.dismissToast(.id(.init(rawValue: id + 1)))) == .ok(.object(["dismissed": .integer(0)])))
    #expect(try scene.state(at: scene.socket()).toast?.title == "numbered")
    #expect(try client.request(.dismissToast(.id(.init(rawValue: id)))) == .ok(.object(["dismissed": .integer(1)])))
    try window.waitUntilGone("numbered")
  }

  /// The monitor's own toast, as its observers see it.
  @Test func aMonitorsToastGoesWithItsOwnerToo() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    let owner = try Owner()
    #expect(try scene.overline("toast", "tied", "--duration", "0", "--while", "\(owner.pid)").status == 0)
    #expect(try eventually { try scene.state(at: scene.runtime.socket).toast?.title == "tied" })
    owner.kill()
    #expect(try eventually { try scene.state(at: scene.runtime.socket).toast == nil })
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func aQuestionGoesWithTheProcessThatAsked() throws {
    let scene = try Scene()
    let window = try scene.window()
    let alert = try scene.start("alert", "Really?", environment: ["OVERLINE_SOCKET=\(try scene.socket())"])
    try window.wait(for: "Really?")
    alert.end(.kill)
    try window.waitUntilGone("Really?")
    // The keyboard is the program's again.
    window.type("typed\n")
    try window.wait(for: "typed")
  }

  /// In a PID namespace, where the next number can be chosen: another process gets it before the monitor looks again.
  @Test func aReusedPidDoesNotKeepAnOverlay() throws {
    let scene = try Scene()
    let script = """
      overline() { "$OVERLINE" "$@"; }
      overline monitor >/dev/null & monitor=$!
      until [ -S "$XDG_RUNTIME_DIR/overline/monitor.sock" ]; do sleep 0.05; done
      sleep 1000 & owner=$!
      overline toast tied --duration 0 --while $owner
      overline status --format json | grep -q '"title":"tied"' && echo shown
      kill -STOP $monitor; kill -KILL $owner; wait $owner
      echo $((owner - 1)) >/proc/sys/kernel/ns_last_pid
      sleep 1000 & [ $! = $owner ] && echo "the same number"
      kill -CONT $monitor
      for look in $(seq 100); do
        overline status --format json | grep -q '"title":"tied"' || { echo gone; break; }
        sleep 0.05
      done
      kill $monitor; wait $monitor
      """
    let result = try scene.world.namespace.inside {
      try Subprocess.run(
        "unshare", ["--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", script],
        environment: scene.world.environment + ["OVERLINE=\(WindowWorld.executable)"],
        timeout: .seconds(60))
    }
    #expect(result.outputText == "shown\nthe same number\ngone\n", "\(result.errorText)")
  }

  /// Killed before it connects, while it sends, or while it waits.
  @Test func ownersThatAreKilledAtAnyMomentLeaveNothing() throws {
    let scene = try Scene()
    let window = try scene.window()
    let socket = try scene.socket()
    var generator = SystemRandomNumberGenerator()
    for _ in 1...40 {
      let owner = try Owner()
      let alert = try scene.start("alert", "Question", environment: ["OVERLINE_SOCKET=\(socket)"])
      let toast = try scene.start(
        "toast", "Toast", "--duration", "0", "--while", "\(owner.pid)", environment: ["OVERLINE_SOCKET=\(socket)"])
      // At a random time of their run, most of which is the start.
      pause(for: .microseconds(Int.random(in: 0...40_000, using: &generator)))
      owner.kill()
      alert.end(.kill)
      if Bool.random(using: &generator) { toast.end(.kill) } else { _ = Subprocess.wait(for: toast.pid) }
    }
    #expect(
      try eventually {
        let state = try scene.state(at: socket)
        return state.alert == nil && state.toast == nil
      })
    try window.waitUntilGone("Question")
    try window.waitUntilGone("Toast")
    window.type("typed\n")
    try window.wait(for: "typed")
  }
}
