package import OverlineCore
package import OverlineProcess
package import OverlineSystem

/// The location of this user's history.
package struct HistoryPlace {
  let folder: String
  package var file: String { "\(folder)/history" }
  /// The lock file. The one monitor that writes holds it.
  var lock: String { "\(folder)/history.lock" }

  /// Larger than a file with the maximum number of outages and the longest lines.
  package static let maximumFileSize = 64 << 20

  /// `$XDG_STATE_HOME/overline`, by default `~/.local/state/overline`. Nil without a home.
  package static var own: HistoryPlace? { UserFolders().state.map { HistoryPlace(folder: "\($0)/overline") } }

  /// The error. If another user's file caused it, as after a monitor of root with this user's HOME, also the command that mends it.
  package func explanation(of error: SystemError) -> String {
    foreignPart(for: error).map { "\(error): \($0)" } ?? "\(error)"
  }

  package func foreignPart(for error: SystemError) -> Files.ForeignPart? {
    if !error.isPermissionDenied || error.isOwnRefusal { return nil }
    return [lock, file].lazy.compactMap(Files.foreignPart).first
  }

  /// Throws unless a monitor can write there, or make the folder if it is missing. Leaves no file.
  package func checkWriting() throws(SystemError) {
    var existing = folder
    while !Files.exists(existing), existing != Files.folder(of: existing) { existing = Files.folder(of: existing) }
    if existing == folder { try Files.checkFolder(folder) }
    try Files.checkWriting(in: existing)
    for path in [lock, file] where Files.exists(path) { try Files.append([], to: path) }
  }
}

extension HistoryTime {
  package static var now: HistoryTime {
    HistoryTime(
      wall: WallTime.now.milliseconds, boot: BootClock.now.wholeMilliseconds, awake: BootClock.awake.wholeMilliseconds)
  }
}

extension HistoryRecord.Session {
  /// Identifies this process.
  static var own: HistoryRecord.Session {
    let pid = ProcessEnvironment.processID
    return HistoryRecord.Session(pid: pid, start: ProcessEnvironment.startTime(of: pid) ?? 0, boot: currentBoot)
  }

  /// Whether the monitor still runs.
  package var isAlive: Bool { boot == Self.currentBoot && ProcessEnvironment.startTime(of: pid) == start }

  /// The first digits of the boot id (random(4)).
  private static var currentBoot: String {
    let id = (try? Files.read("/proc/sys/kernel/random/boot_id")) ?? []
    let digits = String(decoding: id.prefix(8), as: UTF8.self)
    return digits.isEmpty ? "0" : digits
  }
}
