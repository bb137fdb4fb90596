internal import PathModel

/// The two sockets of a path watcher, opened together in the network namespace of the calling thread.
///
/// Not to be used by two threads at once: a watcher uses them on its queue only.
public final class NetlinkSockets: @unchecked Sendable {
  let events: EventSocket
  let queries: QuerySocket

  /// - Parameter receiveBuffer: bytes for announcements that wait to be read; more than the system's limit only as root.
  public init(receiveBuffer: Int32 = 4 << 20) throws(NetlinkError) {
    events = try EventSocket(receiveBuffer: receiveBuffer)
    queries = try QuerySocket()
  }
}
