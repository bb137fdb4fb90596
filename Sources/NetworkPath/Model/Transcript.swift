/// What a path watcher saw, in the order in which it saw it: enough to decide the same paths again, without a kernel.
///
/// In its text form (``TranscriptText``) it is what a user sends with a report, and what a test replays.
package struct Transcript: Hashable, Sendable {
  /// What happened to the watcher.
  package enum Happening: Hashable, Sendable {
    case deadlinePassed
    /// Announcements could be read.
    case readable
    case clockStepped
    case resolverChanged
    /// The sockets were to be opened, and were or were not.
    case opened(Bool)
    /// All links and addresses were asked for.
    case dumped
    /// The path was decided.
    case evaluated
    /// A path was told, in the words of ``TranscriptText/path(_:)``. A replay is compared with it.
    case told(String)
  }

  /// What the world said while something happened.
  package enum Evidence: Hashable, Sendable {
    /// A message that was sent to the kernel, as it was; the answers follow.
    case asked([UInt8])
    /// A datagram from the kernel: an announcement, or an answer to the last question.
    case got([UInt8])
    /// The kernel had dropped announcements (`ENOBUFS`).
    case lost
    /// A read or a question failed.
    case failed(errno: Int32)
    /// What sysfs said of an interface.
    case hardware(String, InterfaceHardware)
    case nameservers([IPAddress])
  }

  package struct Moment: Hashable, Sendable {
    /// Since the first one.
    package var time: Duration
    package var happening: Happening
    /// In the order in which it came.
    package var evidence: [Evidence]

    package init(time: Duration, happening: Happening, evidence: [Evidence] = []) {
      self.time = time
      self.happening = happening
      self.evidence = evidence
    }
  }

  /// What the user had said of interfaces.
  package var options: PathOptions
  package var moments: [Moment]

  package init(options: PathOptions = PathOptions(), moments: [Moment] = []) {
    self.options = options
    self.moments = moments
  }

  /// The paths that were told, in words.
  package var told: [String] {
    moments.compactMap { moment in if case .told(let path) = moment.happening { path } else { nil } }
  }
}

/// Why a text is no transcript.
package struct TranscriptError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The first line is 1.
  package let line: Int
  package let message: String

  package var description: String { "line \(line): \(message)" }
}
