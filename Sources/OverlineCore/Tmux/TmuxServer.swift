/// A tmux server, identified by its socket.
package struct TmuxServer: Hashable, Sendable {
  /// The path of the server's socket, for `tmux -S`.
  package let socket: String

  package init(socket: String) {
    self.socket = socket
  }

  /// The server that a program runs in, from the value of `$TMUX`: `SOCKET,PID,SESSION` (tmux(1), ENVIRONMENT). The path itself may contain
  /// commas.
  package init?(environment value: String) {
    let fields = value.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count >= 3 else { return nil }
    let socket = fields.dropLast(2).joined(separator: ",")
    guard socket.hasPrefix("/") else { return nil }
    self.socket = socket
  }
}

/// The interactive clients of a server. Clients in control mode are programs and draw no status line.
package struct TmuxActivity: Equatable, Sendable {
  package var clientCount: Int
  /// The time of the user's last activity in this server, in seconds since 1970 by the server's clock; nil while no client is attached.
  package var last: Int?

  package init(clientCount: Int, last: Int?) {
    self.clientCount = clientCount
    self.last = last
  }
}
