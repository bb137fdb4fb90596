import Overline
import OverlineCore
import OverlineProcess
import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// Programs started by the monitor or the window inherit only the descriptors and variables meant for them.
@Suite(.ownThread) struct InheritanceTests {
  /// The descriptors that a program had at its start, as it recorded them, by number.
  private func descriptors(_ file: String, without script: String = "") throws -> [String] {
    let listing = String(decoding: try Files.read(file), as: UTF8.self).split(separator: "\n")
    return listing.compactMap { line in
      let words = line.split(separator: " ")
      guard let arrow = words.firstIndex(of: "->"), words.last.map(String.init) != script else { return nil }
      let target = words[arrow + 1].prefix { $0 != ":" && $0 != "[" }
      return "\(words[arrow - 1]) \(target.hasPrefix("/dev/pts/") ? "terminal" : target)"
    }
  }

  /// A script that records both and fails.
  private static func script(_ name: String, _ folder: String) -> String {
    "cd \(folder); (ls -l /proc/$$/fd) >\(name).1; mv \(name).1 \(name).fd; env >\(name).2; mv \(name).2 \(name).env; exit 1"
  }

  private static let variables = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
  ]

  /// A monitor started by systemd with an inherited descriptor: its hook, its curl and its tmux.
  @Test func programsOfTheMonitorGetWhatIsMeantForThem() throws {
    let world = try World()
    let folder = world.folder
    try world.configure(
      """
      [banner]
      grace-delay = "0s"
      [check]
      url = "http://127.0.0.1:8000/"
      [hooks]
      on-offline = "\(Self.script("hook", folder))"
      """)
    try Files.makePrivateDirectory("\(folder)/bin")
    for name in ["curl", "tmux"] {
      try Files.replace("\(folder)/bin/\(name)", with: Array("#!/bin/sh\n\(Self.script(name, folder))\n".utf8))
    }
    #expect(try Subprocess.run("chmod", ["700", "\(folder)/bin/curl", "\(folder)/bin/tmux"]).status == 0)
    let listener = try UnixSocket.listen(at: "\(folder)/overline/monitor.sock")
    let server = try UnixSocket.listen(at: "\(folder)/server")
    let (first, path) = (listener.rawValue, ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")
    let monitor = try world.namespace.inside {
      try TestProgram(
        "sh", ["-c", "exec 7</etc/passwd; LISTEN_PID=$$ WATCHDOG_PID=$$ exec \(World.executable) monitor"],
        environment: ["PATH=\(folder)/bin:\(path)"] + world.environment.filter { !$0.hasPrefix("PATH=") } + [
          "LISTEN_FDS=1", "LISTEN_FDNAMES=monitor", "NOTIFY_SOCKET=/nowhere", "WATCHDOG_USEC=20000000",
        ], inheriting: [(first, 3)])
    }
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    #expect(Files.linkTarget("/proc/\(monitor.pid)/fd/7") == "/etc/passwd")
    _ = try world.overline("tmux", "attach", "--server", "\(folder)/server")
    #expect(eventually { Files.exists("\(folder)/curl.env") })
    try world.pullTheCable()
    for name in ["hook", "curl", "tmux"] {
      #expect(eventually { Files.exists("\(folder)/\(name).env") }, "\(name)")
      let environment = String(decoding: try Files.read("\(folder)/\(name).env"), as: UTF8.self)
      #expect(environment.contains("XDG_RUNTIME_DIR=\(folder)\n"))
      for variable in Self.variables { #expect(!environment.contains("\(variable)="), "\(name)") }
    }
    #expect(try descriptors("\(folder)/hook.fd") == ["0 /dev/null", "1 pipe", "2 pipe"])
    #expect(
      try descriptors("\(folder)/curl.fd", without: "\(folder)/bin/curl") == ["0 /dev/null", "1 pipe", "2 pipe"])
    // While the monitor shows a banner, also the guardian's.
    let tmux = try descriptors("\(folder)/tmux.fd", without: "\(folder)/bin/tmux")
    #expect(tmux.starts(with: ["0 pipe", "1 pipe", "2 pipe"]) && tmux.allSatisfy { $0.hasSuffix(" pipe") }, "\(tmux)")
    monitor.end(.terminate)
    _ = consume listener
    _ = consume server
  }

  /// The program inherits what its caller passes on, as `<(…)` of a shell needs it, and nothing of the window's own.
  @Test func theProgramInAWindowHasItsTerminalAndWhatTheCallerPassed() throws {
    let world = try WindowWorld()
    let window = try world.bare(
      "sh", "-c",
      "exec 7</etc/passwd; exec \(WindowWorld.executable) run -- sh -c '(ls -l /proc/$$/fd) >$HOME/fd; echo READY; cat'"
    )
    try window.wait(for: "READY")
    #expect(Files.linkTarget("/proc/\(window.pid)/fd/7") == "/etc/passwd")
    #expect(try descriptors("\(world.folder)/fd") == ["0 terminal", "1 terminal", "2 terminal", "7 /etc/passwd"])
  }

  @Test func aWindowRefusesWhatIsTheMonitors() throws {
    let scene = try Scene()
    let window = try scene.window()
    var client = try ObserverClient(path: scene.socket())
    for request in [
      ObserverRequest.metrics, .tmuxAttach(socket: "/s"), .tmuxDetach(socket: "/s"), .tmuxStatus(socket: nil),
    ] {
      guard case .failure(let message, let code) = try client.request(request) else {
        throw TestKitError("it did \(request)")
      }
      #expect(code == "unsupported")
      #expect(message == "this is a window, not the monitor; metrics and tmux are the monitor's")
    }
    withExtendedLifetime(window) {}
  }
}
