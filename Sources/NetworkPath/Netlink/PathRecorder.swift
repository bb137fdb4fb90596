/// Records what a ``PathWatcher`` reads and decides. The calls come on the watcher's queue.
package protocol PathRecorder: Sendable {
  /// Watching begins.
  func begin(_ options: PathOptions)

  /// Called before ``note(_:at:)`` of the event during which this was read.
  func note(_ input: WatcherInput)

  /// An event is over.
  func note(_ event: WatcherEvent, at now: Duration)

  func note(published path: NWPath, at now: Duration)
}

/// An event of the watcher.
package enum WatcherEvent: Equatable, Sendable {
  case deadlinePassed
  /// Announcements could be read.
  case readable
  /// Changes of the routers' entries in the neighbour table could be read.
  case neighboursReadable
  case clockStepped
  case resolverChanged
  /// The sockets were opened, or could not be.
  case opened(Bool)
  /// All links and addresses were read.
  case dumped
  /// The path was decided.
  case evaluated
  /// The routers' entries were read.
  case routersRead
  /// The TCP connections were looked at.
  case connectionsLooked
  /// The tunnels' packet counters were read.
  case packetsCounted
  /// A host that had stopped answering has accepted or refused a new connection.
  case hostAnswered
}

/// What the watcher read during an event.
package enum WatcherInput: Equatable, Sendable {
  /// A message for the kernel, byte for byte; the answers follow, or the error of sending it.
  case asked([UInt8])
  /// A datagram from the kernel: an announcement, or an answer to the last question.
  case got([UInt8])
  /// Announcements were lost: the kernel had dropped them (`ENOBUFS`), or one did not fit.
  case lost
  /// A read or a question failed.
  case failed(errno: Int32)
  /// The data of sysfs about an interface.
  case hardware(String, InterfaceHardware)
  case nameservers([Nameserver])
  /// This machine refuses TCP connections of this family.
  case refusal(AddressFamily)
  /// The result of a look at the TCP connections, without the addresses of their other ends; nil if it failed.
  case connections(ConnectionLook?)
}
