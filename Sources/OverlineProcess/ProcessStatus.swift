internal import OverlineSystem

/// A process as the kernel describes it in `/proc/PID/stat` (proc_pid_stat(5)).
package struct ProcessStatus: Equatable, Sendable {
  /// The first 15 bytes of the executable's name; a process can change it.
  package var name: String
  /// Whether a signal (Ctrl-Z, `kill -STOP`) or a debugger has stopped it.
  package var isStopped: Bool
  package var group: Int32
  package var session: Int32
  /// The foreground process group of its controlling terminal; -1 without one.
  package var foregroundGroup: Int32

  package var hasTerminal: Bool { foregroundGroup != -1 }

  /// Whether the process is in its terminal's foreground. False without a terminal.
  package var isInForeground: Bool { group == foregroundGroup }

  /// Nil for a process that has ended, or that `/proc` hides.
  package init?(of pid: Int32) {
    guard let bytes = try? Files.read("/proc/\(pid)/stat") else { return nil }
    self.init(bytes)
  }

  /// From the file's content. A name can contain blanks and parentheses.
  package init?(_ bytes: [UInt8]) {
    guard let open = bytes.firstIndex(of: 0x28), let close = bytes.lastIndex(of: 0x29), open < close else { return nil }
    let words = bytes[(close + 1)...].split(separator: 0x20).prefix(6)
    let fields = words.map { Int32(String(decoding: $0, as: UTF8.self)) }
    // State, parent, group, session, terminal, foreground group.
    guard fields.count == 6, let group = fields[2], let session = fields[3], let foreground = fields[5] else {
      return nil
    }
    name = String(decoding: bytes[(open + 1)..<close], as: UTF8.self)
    isStopped = words.first == [UInt8(ascii: "T")] || words.first == [UInt8(ascii: "t")]
    self.group = group
    self.session = session
    foregroundGroup = foreground
  }

  /// The children of all threads of a process; empty where the kernel does not list them.
  package static func children(of pid: Int32) -> [Int32] {
    let threads = (try? Files.names(in: "/proc/\(pid)/task")) ?? []
    return threads.flatMap { thread -> [Int32] in
      guard let bytes = try? Files.read("/proc/\(pid)/task/\(thread)/children") else { return [] }
      return bytes.split(separator: 0x20).compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
    }
  }

  /// The processes that `/proc` shows.
  package static var all: [Int32] { ((try? Files.names(in: "/proc")) ?? []).compactMap { Int32($0) } }

  /// The user of a process.
  package static func owner(of pid: Int32) -> UInt32? { try? Files.attributes("/proc/\(pid)").owner }

  /// The inodes of a process's sockets; empty without the right to look.
  ///
  /// - Parameter limit: the greatest number of descriptors to look at.
  package static func sockets(of pid: Int32, limit: Int = 4096) -> [UInt32] {
    let folder = "/proc/\(pid)/fd"
    let prefix = "socket:["
    return ((try? Files.names(in: folder)) ?? []).prefix(limit).compactMap { name in
      guard let target = Files.linkTarget("\(folder)/\(name)"), target.hasPrefix(prefix) else { return nil }
      return UInt32(target.dropFirst(prefix.count).dropLast())
    }
  }

  /// Whether a process has the same network namespace as the calling thread; false without the right to look.
  package static func sharesNetwork(_ pid: Int32) -> Bool {
    guard let own = Files.linkTarget("/proc/thread-self/ns/net") else { return false }
    return Files.linkTarget("/proc/\(pid)/ns/net") == own
  }
}
