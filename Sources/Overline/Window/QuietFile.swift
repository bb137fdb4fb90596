internal import OverlineSystem

/// `$XDG_RUNTIME_DIR/overline/quiet`, which `overline pause` writes. The monitor and the windows of `overline run` watch it. A window of
/// another program reads it whenever it is about to show something.
package enum QuietFile {
  package static let name = "quiet"

  /// What the file in a folder says; nothing without one, and for a file of another user.
  package static func read(in folder: String) -> QuietNote {
    let path = "\(folder)/\(name)"
    guard let attributes = try? Files.attributes(path), attributes.owner == ProcessEnvironment.userID,
      let bytes = try? Files.read(path, limit: 256)
    else { return QuietNote() }
    return QuietNote(String(decoding: bytes, as: UTF8.self)) ?? QuietNote()
  }

  /// The pause of this process's user, for a window that does not watch the file; nil for none.
  ///
  /// - Parameter now: the time since boot.
  static func period(at now: Duration) -> QuietPeriod? {
    let base = ProcessEnvironment["XDG_RUNTIME_DIR"] ?? "/run/user/\(ProcessEnvironment.userID)"
    let left = Duration.milliseconds(read(in: "\(base)/overline").end - BootClock.wallMilliseconds)
    return left > .zero ? QuietPeriod(start: now, end: now + left) : nil
  }
}
