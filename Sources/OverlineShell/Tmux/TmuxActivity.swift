package import OverlineCore
package import OverlineSystem

/// The interactive clients of a server. Clients in control mode are programs and draw no status line.
package struct TmuxActivity: Hashable, Sendable {
  package var clientCount: Int
  /// The time of the user's last activity in this server, in seconds since 1970 by the server's clock; nil while no client is attached.
  package var last: Int?
}

extension TmuxServer {
  package func activity(
    timeout: Duration = defaultTimeout, until end: BootTimer? = nil
  ) throws(TmuxError) -> TmuxActivity {
    let question = ServerReading.withSession([
      "list-clients", "-F", "#{?client_control_mode,,#{client_activity}}",
    ])
    let times = ServerReading.lines(try run([question], timeout: timeout, until: end)).compactMap { Int($0) }
    return TmuxActivity(clientCount: times.count, last: times.max())
  }
}
