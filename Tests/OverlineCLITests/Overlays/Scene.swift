import OverlineCore
import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineWindowTestKit

/// Windows without motion, and commands that are called beside them.
final class Scene: Sendable {
  let world: WindowWorld

  init(configuration: String = "") throws {
    world = try WindowWorld(configuration: configuration)
  }

  var runtime: RuntimeDirectory { RuntimeDirectory(path: "\(world.folder)/overline") }

  /// A window around `cat`, ready for requests.
  func window(rows: Int = 24) throws -> TerminalScene {
    let before = Set(runtime.windowSockets)
    let window = try world.window("sh", "-c", "echo READY $OVERLINE_SOCKET; cat", rows: rows, columns: 120)
    try window.wait(for: "READY")
    guard eventually({ Set(runtime.windowSockets) != before }) else { throw TestKitError("the window does not listen") }
    return window
  }

  /// Types a line, which makes this window the one used last. The window notes input when its program pauses, after the echo.
  func type(_ line: String, in window: TerminalScene) throws {
    window.type(line + "\n")
    try window.wait(for: line)
    let socket = runtime.windowSocket(of: window.pid)
    guard eventually({ runtime.windowSockets.first == socket }) else { throw TestKitError("the window notes no input") }
  }

  /// Runs `overline` to its end, outside of any window.
  func overline(_ arguments: String..., environment more: [String] = []) throws -> Subprocess.Result {
    try world.namespace.inside {
      try Subprocess.run(
        WindowWorld.executable, arguments, environment: world.environment + more, timeout: .seconds(30))
    }
  }

  /// Starts `overline` and lets it run.
  func start(_ arguments: String..., environment more: [String] = []) throws -> TestProgram {
    try world.namespace.inside {
      try TestProgram(
        WindowWorld.executable, arguments, environment: world.environment + more)
    }
  }

  func startMonitor() throws -> TestProgram {
    let monitor = try start("monitor")
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    return monitor
  }

  /// The socket of the only window.
  func socket() throws -> String {
    guard let socket = runtime.windowSockets.first else { throw TestKitError("there is no window") }
    return socket
  }

  func state(at socket: String) throws -> ObserverState { try ObserverClient.status(path: socket) }
}

/// A process that does nothing until it is ended.
final class Owner: Sendable {
  private let process: ChildProcess
  var pid: Int32 { process.pid }

  init() throws {
    process = ChildProcess(try Subprocess.spawn("sleep", ["1000"], newSession: false, descriptors: []))
  }

  func kill() {
    Signal.kill.send(to: pid)
    _ = Subprocess.wait(for: pid)
  }
}
