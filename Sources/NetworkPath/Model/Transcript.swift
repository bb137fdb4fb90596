/// The input of a path watcher, in order of arrival. It is enough to decide the same paths again without a kernel.
///
/// Users send its text form (``TranscriptText``) with a report, and tests replay it.
package struct Transcript: Hashable, Sendable {
  /// An event of the watcher.
  package enum Event: Hashable, Sendable {
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
    /// The packets that tunnels have received were read.
    case packetsCounted
    /// A host that had stopped answering has accepted or refused a new connection.
    case hostAnswered
    /// A path was published, in the words of ``TranscriptText/path(_:)``. A replay must publish the same.
    case published(String)
  }

  /// The input that arrived during an event.
  package enum Input: Hashable, Sendable {
    /// A message that was sent to the kernel, byte for byte; the answers follow.
    case asked([UInt8])
    /// A datagram from the kernel: an announcement, or an answer to the last question.
    case got([UInt8])
    /// The kernel had dropped announcements (`ENOBUFS`).
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

  package struct Moment: Hashable, Sendable {
    /// The time since the first moment.
    package var time: Duration
    package var event: Event
    /// In the order of arrival.
    package var inputs: [Input]

    package init(time: Duration, event: Event, inputs: [Input] = []) {
      self.time = time
      self.event = event
      self.inputs = inputs
    }
  }

  /// The user's options of the recording.
  package var options: PathOptions
  package var moments: [Moment]

  package init(options: PathOptions = PathOptions(), moments: [Moment] = []) {
    self.options = options
    self.moments = moments
  }

  /// The paths that were published, in words.
  package var publishedPaths: [String] {
    moments.compactMap { moment in if case .published(let path) = moment.event { path } else { nil } }
  }
}

/// The reason why a text is no transcript.
package struct TranscriptError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The first line is 1.
  package let line: Int
  package let message: String

  package var description: String { "line \(line): \(message)" }
}
