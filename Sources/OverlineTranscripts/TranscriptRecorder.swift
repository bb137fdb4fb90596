package import NetworkPath
package import OverlineSystem
internal import Synchronization

/// Records what a ``PathWatcher`` reads, as a ``Transcript`` in its text form.
///
/// The recording contains the part of the kernel's data that decides: names and IP addresses of interfaces, routes, routers and nameservers
/// (``RecordedMessages``). It contains no traffic.
package final class TranscriptRecorder: PathRecorder {
  /// The error of writing a recording. The compiler does not count a typed throw in a closure's type as a use of the import.
  package typealias Failure = SystemError

  private struct State {
    var inputs: [WatcherInput] = []
    var start: Duration?
    var written = 0
    var hasStopped = false
  }

  private let state = Mutex(State())
  private let limit: Int
  private let write: @Sendable ([UInt8]) throws(Failure) -> Void
  private let onStop: @Sendable (String) -> Void

  /// - Parameters:
  ///   - limit: the size in bytes at which the recorder stops. A usual change occupies 2 KB, so the default holds tens of thousands of
  ///     changes.
  ///   - write: receives the text, whole lines at a time.
  ///   - onStop: called once with the reason when the recorder cannot go on. The watcher continues.
  package init(
    limit: Int = 64 << 20, write: @escaping @Sendable ([UInt8]) throws(Failure) -> Void,
    onStop: @escaping @Sendable (String) -> Void
  ) {
    self.limit = limit
    self.write = write
    self.onStop = onStop
  }

  package func begin(_ options: PathOptions) {
    append(TranscriptText.header(options))
  }

  package func note(_ input: WatcherInput) {
    let kept: WatcherInput =
      if case .got(let datagram) = input { .got(RecordedMessages.kept(of: datagram)) } else { input }
    state.withLock { state in if !state.hasStopped { state.inputs.append(kept) } }
  }

  package func note(_ event: WatcherEvent, at now: Duration) { note(.watcher(event), at: now) }

  package func note(published path: NWPath, at now: Duration) { note(.published(TranscriptText.path(path)), at: now) }

  private func note(_ event: Transcript.Event, at now: Duration) {
    let moment = state.withLock { state in
      defer { state.inputs = [] }
      state.start = state.start ?? now
      return Transcript.Moment(
        time: now - (state.start ?? now), event: event, inputs: state.inputs)
    }
    append(TranscriptText.lines(moment))
  }

  /// Writes whole moments only, so that a recording can be replayed wherever it ends.
  private func append(_ text: String) {
    let reason: String? = state.withLock { state in
      guard !state.hasStopped else { return nil }
      state.written += text.utf8.count
      if state.written > limit {
        state.hasStopped = true
        return "it has reached its limit of \(limit >> 20) MiB"
      }
      switch Result(catching: { () throws(SystemError) in try write(Array(text.utf8)) }) {
      case .success: return nil
      case .failure(let error):
        state.hasStopped = true
        return "\(error)"
      }
    }
    if let reason { onStop(reason) }
  }
}
