package import NetworkPath

/// The input of a path watcher, in order of arrival. It is enough to decide the same paths again without a kernel.
///
/// Users send its text form (``TranscriptText``) with a report, and tests replay it.
package struct Transcript: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    case watcher(WatcherEvent)
    /// A path was published, in the words of ``TranscriptText/path(_:)``. A replay must publish the same.
    case published(String)
  }

  package struct Moment: Equatable, Sendable {
    /// The time since the first moment.
    package var time: Duration
    package var event: Event
    /// In the order of arrival.
    package var inputs: [WatcherInput]

    package init(time: Duration, event: Event, inputs: [WatcherInput] = []) {
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
package struct TranscriptError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The first line is 1.
  package let line: Int
  package let message: String

  package var description: String { "line \(line): \(message)" }
}
