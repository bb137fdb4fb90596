/// The users whose connections count when they stall or are slow: the monitor's own user, root, and the accounts of the system's services.
///
/// Any user can make connections of their own stall through a healthy router (`IP_TTL`, `TCP_MD5SIG`), to hosts that play along. So the
/// stalls of other users prove nothing. Whatever their connections receive counts as a sign of life.
package struct StallOwners: Equatable, Sendable {
  /// The user of the monitor.
  private let user: UInt32

  /// Below this number are root and the accounts of services, in all distributions (login.defs(5)).
  private static let firstPerson: UInt32 = 1000
  /// The accounts that systemd makes for services with `DynamicUser=` (systemd.exec(5)).
  private static let dynamic: ClosedRange<UInt32> = 61184...65519

  package init(user: UInt32) { self.user = user }

  /// Whether the connection waits for an answer, so that later looks follow it.
  package func isWaiting(_ connection: TCPConnection) -> Bool { connection.isUnanswered && include(connection) }

  /// A socket that no process holds has no inode, and kernels before 6.16 report it as a socket of root.
  package func include(_ connection: TCPConnection) -> Bool { include(connection.owner, inode: connection.inode) }

  func include(_ owner: UInt32, inode: UInt32) -> Bool {
    inode != 0 && (owner == user || owner < Self.firstPerson || Self.dynamic.contains(owner))
  }
}
