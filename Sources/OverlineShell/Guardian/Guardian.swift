internal import Dispatch
internal import OverlineCore
internal import OverlineSystem

/// The guardian's own program, which ``GuardianProcess`` starts: a hidden subcommand of the executable.
package enum Guardian {
  /// Blocks until the monitor sends a farewell or the pipe closes. If the pipe closes without a farewell, the monitor and all its tmux
  /// clients have ended, since the clients hold the pipe too. This then restores every server that had a line.
  ///
  /// - Parameter descriptor: the pipe's reading end.
  package static func run(descriptor: Int32 = 0) {
    var sockets: Set<String> = []
    var bytes: [UInt8] = []
    var time = timeout
    while let more = try? readBytes(from: descriptor, atMost: 4096), !more.isEmpty {
      bytes += more
      for message in GuardianMessage.parse(from: &bytes) {
        switch message {
        case .watch(let socket): sockets.insert(socket)
        case .release(let socket): sockets.remove(socket)
        case .hurry: time = briefTimeout
        case .farewell: return
        }
      }
    }
    restore(Array(sockets), within: time)
  }

  /// The guardian's name in ps(1). `pkill -9 overline`, which kills the monitor, does not kill it.
  package static let name = "tmux-guardian"

  /// After a crash a server may be as busy as the machine.
  private static let timeout = Duration.seconds(10)
  /// After an orderly end the monitor itself has already waited, and a service manager waits for monitor and guardian together.
  private static let briefTimeout = Duration.seconds(2)

  /// Restores servers concurrently, so that a stopped server does not delay the others. A server that has ended needs nothing. A server
  /// that does not answer in time keeps its lines and its saved state for the next monitor.
  ///
  /// - Parameter time: the limit for all servers together.
  package static func restore(_ sockets: [String], within time: Duration) {
    let end = try? BootTimer()
    end?.arm(BootClock.now + time)
    let group = DispatchGroup()
    for server in sockets.map(TmuxServer.init(socket:)) where server.isListening {
      DispatchQueue(label: "overline.guardian").async(group: group) {
        do throws(TmuxError) {
          try TmuxClient(server, until: end).restoreSaved()
        } catch  where error.code == .failed {
          // Another client may have changed the server meanwhile. There is no later attempt.
          _ = try? TmuxClient(server, until: end).restoreSaved()
        } catch {}
      }
    }
    group.wait()
  }
}
