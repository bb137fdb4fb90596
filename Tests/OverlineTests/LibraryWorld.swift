import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineWindowTestKit

/// A machine with one cable to an internet, for programs that use the library.
final class LibraryWorld: Sendable {
  let machine: NetworkNamespace
  /// The cable's other end, 192.0.2.1.
  let internet: NetworkNamespace
  let folder: String

  init() throws {
    machine = try NetworkNamespace()
    internet = try NetworkNamespace()
    try machine.ip("link add eth0 type veth peer name eth0p")
    try machine.move("eth0p", to: internet)
    try internet.ip("addr add 192.0.2.1/24 dev eth0p", "link set eth0p up")
    try machine.ip("addr add 192.0.2.2/24 dev eth0", "link set eth0 up", "route add default via 192.0.2.1")
    folder = try TemporaryFolder.make()
    // The kernel sets a carrier's operstate a moment after both ends are up.
    guard try eventually({ try machine.inside { try NWPath.current().status } == .satisfied }) else {
      throw TestKitError("the cable is dead")
    }
  }

  deinit { TemporaryFolder.remove(folder) }

  func pullTheCable() throws { try internet.ip("link set eth0p down") }
  func plugTheCable() throws { try internet.ip("link set eth0p up") }

  static let environment = [
    "PATH=\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")", "TERM=xterm-256color", "LC_ALL=C.UTF-8",
    // Otherwise the Swift runtime handles SIGQUIT.
    "SWIFT_BACKTRACE=enable=no",
  ]

  /// One of our programs on a terminal of its own.
  func scene(
    _ name: String, _ arguments: [String], rows: Int = 24, columns: Int = 80
  ) throws -> TerminalScene {
    try machine.inside {
      try TerminalScene(
        [BuiltProgram.path(name)] + arguments, environment: Self.environment, rows: rows, columns: columns)
    }
  }
}

extension TerminalScene {
  /// The printed lines on the screen and in the scrollback, without blank lines at the end.
  var lines: [String] {
    let all = look { $0.scrollbackText + $0.text }
    return Array(all[...(all.lastIndex { !$0.isEmpty } ?? 0)])
  }
}
