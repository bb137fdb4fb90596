internal import Dispatch
internal import NetworkPath
internal import OverlineProcess
internal import OverlineSystem
internal import OverlineTranscripts
internal import Synchronization

/// `overline path --record FILE`: prints each path and records its inputs, until a signal ends the recording.
enum PathRecording {
  /// - Parameter say: prints a path and returns its exit status.
  static func run(
    file path: String, options: PathOptions, isQuiet: Bool, say: @escaping @Sendable (NWPath) throws -> ExitStatus
  ) throws -> ExitStatus {
    SignalSource.ignoreBrokenPipes()
    // Dispatch's manager, the queue and the path watcher.
    try ResourceLimits.checkRoom(threads: 3, descriptors: 24)
    let file = SharedDescriptor(try Files.create(path))
    if !isQuiet {
      Output.warn(
        "recording to \(path) until Ctrl-C; it will hold the names and addresses of your interfaces, routers and nameservers, and list them in its first lines"
      )
    }
    let state = Recording()
    let recorder = TranscriptRecorder { bytes throws(SystemError) in
      try file.descriptor.writeAll(bytes)
    } onStop: { reason in
      Output.warn("cannot go on recording to \(path): \(reason)")
      state.end(.failure)
    }
    let queue = DispatchQueue(label: "overline.record")
    var signals: [SignalSource] = []
    for signal in [Signal.terminate, .interrupt, .hangUp] where !SignalSource.isIgnored(signal) {
      signals.append(try SignalSource(signal, queue: queue) { state.end(nil) })
    }
    let watcher = PathWatcher(queue: queue, options: options, recorder: recorder) { path in
      // A closed pipe does not end the recording.
      if let status = try? say(path) { state.setStatus(status) }
    }
    try watcher.start()
    return withExtendedLifetime(signals) {
      let status = state.wait()
      watcher.cancel()
      do {
        try summarize(path)
      } catch {
        // After a failure its error has been printed already, and a summary may fail for the same reason.
        if status != .failure { Output.warn("no summary in \(path): \(error)") }
      }
      return status
    }
  }

  /// Puts a summary at the top of the recording. Removes a recording that is empty, as on a full disk.
  private static func summarize(_ path: String) throws {
    let bytes = try Files.read(path, limit: 128 << 20)
    if bytes.isEmpty { return try Files.remove(path) }
    try Files.replace(path, with: Transcript.summarized(bytes))
  }
}

/// A recording's exit status and its end.
private final class Recording: Sendable {
  private let status = Mutex(ExitStatus.success)
  private let ended = DispatchSemaphore(value: 0)

  /// A failure stays: the watcher may find one more path before it is cancelled.
  func setStatus(_ status: ExitStatus) { self.status.withLock { if $0 != .failure { $0 = status } } }

  func end(_ status: ExitStatus?) {
    if let status { setStatus(status) }
    ended.signal()
  }

  func wait() -> ExitStatus {
    ended.wait()
    return status.withLock { $0 }
  }
}
