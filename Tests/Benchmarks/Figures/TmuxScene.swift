internal import OverlineSystem
internal import OverlineTestSupport

/// A monitor, a tmux server that it drives, and a client of that server.
final class TmuxScene {
  let world: BenchWorld
  let server: TmuxTestServer
  let client: TestTerminal
  let monitor: PipedProgram

  /// - Parameter overline: the path of the measured program.
  init(_ overline: String, hideDelay: String) throws {
    world = try BenchWorld(
      overline, configuration: "[banner]\ngrace-delay = \"0ms\"\nhide-delay = \"\(hideDelay)\"\n")
    // A status line that changes only when we change it, on a terminal of 256 colours.
    server = try TmuxTestServer(configuration: [
      "set -g status-interval 0", "set -g automatic-rename off", "set -g terminal-features 'xterm*:256'",
    ])
    client = try server.attach()
    monitor = try world.startOverline("monitor")
    try world.run("tmux", "attach", "--server", server.socket)
    try settle()
  }

  /// Waits for a text on the client's terminal, starting at a byte of its output; returns the time of the text's last byte.
  @discardableResult
  func arrival(of text: String, from mark: Int) throws -> Duration {
    let bytes = Array(text.utf8)
    var time: Duration?
    guard
      eventually({
        let output = client.output
        let place = (mark..<max(mark, output.count - bytes.count + 1)).first { output[$0...].starts(with: bytes) }
        time = place.flatMap { client.arrival(ofByteAt: $0 + bytes.count - 1) }
        return time != nil
      }), let time
    else { throw TestKitError("no \(text) on the client's terminal") }
    return time
  }

  /// Waits until the line has been restored and drawing has ended.
  func waitUntilGone() throws {
    guard try eventually({ try !server.tmux("show-environment", "-gh").contains("OVERLINE") }) else {
      throw TestKitError("the banner does not go")
    }
    try settle()
  }

  /// Waits until the client has received nothing for longer than the time between two frames.
  func settle() throws {
    var count = -1
    var since = BootClock.now
    _ = eventually {
      if client.output.count != count { since = BootClock.now }
      count = client.output.count
      return BootClock.now - since > .milliseconds(250)
    }
  }

  /// Lets the server count the monitor's frames from now on, with a hook on the one command that each of them runs once.
  func countFrames() throws {
    try server.tmux("set-environment", "-g", "COUNT", "")
    try server.tmux("set-hook", "-g", "after-list-clients", "setenv -gF COUNT '#{COUNT}x'")
  }

  var frames: Int { get throws { try server.tmux("show-environment", "-g", "COUNT").count { $0 == "x" } } }
}
