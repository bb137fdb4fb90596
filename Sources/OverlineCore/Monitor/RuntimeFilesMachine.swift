/// When the monitor writes its state file, and when it replaces its files for observers after something has removed them.
///
///     present ──removed──► missing ──0.5 s──► replacing ──done──► present
///                                                └──failed──► missing, with ever longer pauses
package struct RuntimeFilesMachine: Sendable {
  package enum Event: Equatable, Sendable {
    /// The state file must soon contain a new state.
    case published
    /// The state file is written for another reason.
    case written
    /// The folder may have changed.
    ///
    /// - Parameter isIntact: whether the lock, the socket and their folder are still those of this monitor.
    case changed(isIntact: Bool)
    /// The answer to ``Effect/replace``: all files are there again.
    case replaced
    /// - Parameter hasParent: whether the folder of the runtime directory exists. The path watcher reports its return.
    case replacingFailed(hasParent: Bool)
    /// The clock may have reached ``RuntimeFilesMachine/nextDeadline``. Early, late and repeated deliveries are harmless.
    case deadlineReached(isIntact: Bool)
    case closed
  }

  package enum Effect: Equatable, Sendable {
    case writeState
    /// Replace the files that are missing.
    case replace
    /// Report the failure. Sent once until a success.
    case warn
  }

  /// The time by which the state file must contain the newest state.
  private var writeAt: Duration?
  /// The time of the next attempt to replace removed files, and the pause after it.
  private var replaceAt: Duration?
  private var pause = pauses.lowerBound
  private var hasState = false
  private var hasWarned = false

  /// The delay lets connected clients run first, and a burst of changes is written only once. Users do not see the delay in a prompt.
  private static let writeDelay = Duration.milliseconds(20)
  /// A logout empties the directory, then unmounts it. Files that are created in between are lost.
  private static let removalTime = Duration.milliseconds(500)
  /// A login creates the directory, and mounts a file system on it a moment later.
  private static let pauses = Duration.milliseconds(100)...Duration.seconds(30)

  package init() {}

  package var nextDeadline: Duration? { [writeAt, replaceAt].compactMap(\.self).min() }

  package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .published:
      hasState = true
      writeAt = writeAt ?? now + Self.writeDelay
    case .written: writeAt = nil
    case .changed(let isIntact): noteChange(isIntact, at: now)
    case .replaced:
      pause = Self.pauses.lowerBound
      hasWarned = false
      if hasState { writeAt = now }
    case .replacingFailed(let hasParent):
      defer { hasWarned = true }
      if hasParent {
        replaceAt = now + pause
        pause = min(pause * 2, Self.pauses.upperBound)
      }
      return hasWarned ? [] : [.warn]
    case .deadlineReached(let isIntact): return handleDeadline(isIntact, at: now)
    case .closed: (writeAt, replaceAt) = (nil, nil)
    }
    return []
  }

  private mutating func noteChange(_ isIntact: Bool, at now: Duration) {
    if !isIntact { replaceAt = replaceAt ?? now + Self.removalTime }
  }

  private mutating func handleDeadline(_ isIntact: Bool, at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    if let time = writeAt, time <= now {
      writeAt = nil
      // The file in a new directory may belong to another monitor.
      if isIntact { effects.append(.writeState) } else { noteChange(false, at: now) }
    }
    if let time = replaceAt, time <= now {
      replaceAt = nil
      if !isIntact { effects.append(.replace) }
    }
    return effects
  }
}
