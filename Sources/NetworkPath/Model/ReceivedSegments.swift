/// Counts the TCP segments that connections receive from one whole look to the next.
package struct ReceivedSegments: Equatable, Sendable {
  /// Each connection's counter at the last look, by its cookie.
  private var seen: [UInt64: UInt32] = [:]
  private(set) package var total: Int64 = 0

  package init() {}

  /// - Parameter connections: all connections beyond loopback.
  package mutating func note(_ connections: [TCPConnection]) {
    var now: [UInt64: UInt32] = [:]
    now.reserveCapacity(connections.count)
    for connection in connections {
      total += Int64(connection.receivedSegments &- (seen[connection.id.cookie] ?? 0))
      now[connection.id.cookie] = connection.receivedSegments
    }
    seen = now
  }
}
