import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// Programs that may have few threads, processes or descriptors, or little memory. libdispatch sleeps for ever without a thread and ends the
/// process without a descriptor, so each command must find out first.
@Suite(.ownThread) struct ResourceLimitTests {
  /// Shell commands that set limits under which nothing that needs a thread can start.
  /// Under a limit of memory no sanitizer starts.
  static let limits =
    (Sanitizer.isWatching ? [] : ["ulimit -d 8192", "ulimit -v 40000"])
    + ["ulimit -s 128", "ulimit -n 4", "ulimit -n 12"]

  @Test("under a limit the program of a window runs without a window, and the reason is printed", arguments: limits)
  func programRuns(_ limit: String) throws {
    let world = try WindowWorld(isOnline: false)
    let scene = try world.scene(
      ["sh", "-c", "\(limit); exec $RUN sh -c 'echo ran; exit 7'"],
      environment: ["RUN=\(WindowWorld.executable) run --"])
    #expect(try scene.end() == 7)
    #expect(scene.text.contains("ran") && scene.text.joined().contains("overline: no window: cannot "))
    // Nothing was sent to the terminal before.
    #expect(!scene.output.contains(0x1b))
  }

  @Test("under a limit each command that waits ends with an error", arguments: limits)
  func commandsEnd(_ limit: String) throws {
    let world = try World()
    for command in ["wait --for offline --timeout 600", "path --record $FILE", "monitor"] {
      let result = try world.namespace.inside {
        try Subprocess.run(
          "sh", ["-c", "\(limit); exec $OVERLINE \(command)"],
          environment: world.environment + ["OVERLINE=\(World.executable)", "FILE=\(world.folder)/recording"],
          timeout: .seconds(30))
      }
      #expect(result.status == 2, "\(command)")
      #expect(result.errorText.hasPrefix("overline: cannot ") && result.errorText.contains("(ulimit -"), "\(command)")
      #expect(result.errorText.split(separator: "\n").count == 1, "\(command): \(result.errorText)")
    }
  }

  /// Runs a command in a window as another user, with a limit of processes. Each test has a user of its own without processes, since the
  /// kernel counts those of all.
  private static func start(
    _ command: String, user: Int, limit: Int, in world: WindowWorld
  ) throws -> TerminalScene {
    let user = String(user)
    _ = try Subprocess.run("chown", ["-R", user, world.folder])
    return try world.scene(
      [
        "prlimit", "--nproc=\(limit)", "setpriv", "--reuid", user, "--clear-groups", WindowWorld.executable, "run",
        "--",
      ]
        + ["sh", "-c", command])
  }

  @Test(
    "at the limit of processes the program of a window runs",
    .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can become a user with a limit"), arguments: 1...9)
  func processLimit(_ limit: Int) throws {
    let world = try WindowWorld(isOnline: false)
    let scene = try Self.start("echo ran; exit 7", user: 12370 + limit, limit: limit, in: world)
    #expect(try scene.end() == 7)
    #expect(scene.text.contains("ran") || scene.scrollback.contains("ran"))
    #expect(limit > 7 || scene.text.joined().contains("no window: cannot start"))
  }

  @Test(
    "a window that reaches the limit of processes later passes keys and output on",
    .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can become a user with a limit"))
  func processLimitLater() throws {
    let world = try WindowWorld()
    let scene = try Self.start("while read line; do echo \"<$line>\"; done", user: 12370, limit: 100, in: world)
    scene.type("one\n")
    try scene.wait(for: "<one>")
    _ = try Subprocess.run("prlimit", ["--pid", "\(scene.pid)", "--nproc=1"])
    // Dispatch's idle threads end after some seconds. The others wait for ever: the window's own, the path watcher's, and Dispatch's manager.
    #expect(eventually { (try? Files.names(in: "/proc/\(scene.pid)/task").count) ?? 0 <= 3 + Sanitizer.threads })
    // Each new size is a new state for observers.
    for rows in [20, 15, 10] {
      scene.resize(rows: rows, columns: 80)
      scene.type("\(rows)\n")
      try scene.wait(for: "<\(rows)>")
    }
    Signal.terminate.send(to: scene.pid)
    #expect(try scene.end() == 128 + SIGTERM)
  }
}
