internal import OverlineSystem
internal import Synchronization

/// Watches the resolver's files, and files of the path watcher's owner. The path watcher calls it on one queue.
///
/// One inotify instance watches all files of a process: a user has only 128 (inotify(7)), and may have many windows. While none is free,
/// this tries again every 30 seconds: an instance becomes free when another program ends, and the kernel does not report that.
final class WatchedFiles: Sendable {
  /// The files of the path watcher's owner.
  struct Others: Sendable {
    var paths: [String] = []
    var onChange: @Sendable () -> Void = {}
    var onFailure: @Sendable (SystemError) -> Void = { _ in }
  }

  private struct State {
    var resolver: ResolverWatch?
    var others = Others()
    var nextDeadline: Duration?
    var hasReported = false
  }

  private static let pause = Duration.seconds(30)

  let files: ResolverFiles
  private let token: UInt64
  private let state = Mutex(State())

  init(_ files: ResolverFiles, token: UInt64) {
    self.files = files
    self.token = token
  }

  /// The watch of the resolver's files, while there is one.
  var resolver: ResolverWatch? { state.withLock(\.resolver) }
  /// The time of the next attempt to watch.
  var nextDeadline: Duration? { state.withLock(\.nextDeadline) }
  var others: Others {
    get { state.withLock(\.others) }
    set { state.withLock { $0.others = newValue } }
  }

  /// Watches the files from now on, or tries again later.
  func begin(in poller: borrowing Poller, at now: Duration) {
    state.withLock { $0.nextDeadline = nil }
    do throws(SystemError) {
      let resolver = try ResolverWatch(files)
      try poller.add(resolver.descriptor, token: token, .readable)
      close(in: poller)
      state.withLock { $0.resolver = resolver }
      try resolver.watchAlso(others.paths)
    } catch {
      retry(after: error, at: now)
    }
    // No event reports a change from before the watch, or while there was none.
    others.onChange()
  }

  /// Watches the owner's files at the current targets of their paths. The kernel does not report a removed folder while one of its files is
  /// open (rmdir(2) keeps the inode until then).
  func followPaths(in poller: borrowing Poller, at now: Duration) {
    do throws(SystemError) {
      try resolver?.watchAlso(others.paths)
    } catch {
      close(in: poller)
      retry(after: error, at: now)
    }
  }

  /// Reads the reported changes.
  ///
  /// - Returns: whether the resolver's files may have changed.
  func takeChange(in poller: borrowing Poller, at now: Duration) -> Bool {
    guard let resolver else { return false }
    defer { others.onChange() }
    do throws(SystemError) {
      return try resolver.takeChange()
    } catch {
      close(in: poller)
      retry(after: error, at: now)
      return false
    }
  }

  func close(in poller: borrowing Poller) {
    if let resolver = state.withLock({ $0.resolver.take() }) { try? poller.remove(resolver.descriptor) }
  }

  private func retry(after error: SystemError, at now: Duration) {
    guard error.isOutOfFileWatches else { return }
    let report = state.withLock { state in
      defer { state.hasReported = true }
      state.nextDeadline = now + Self.pause
      return state.hasReported ? nil : state.others.onFailure
    }
    report?(error)
  }
}
