/// The processes that a key typed into a window reaches: the foreground process group of its terminal, and what these processes have
/// started on terminals of their own (`script`, an editor's terminal) or without one.
package enum ForegroundProcesses {
  /// A process of the kernel's table.
  package struct Entry {
    package var name: String
    package var session: Int32
    package var hasTerminal: Bool
    /// Whether the process is in its terminal's foreground. False without a terminal.
    package var isInForeground: Bool

    package init(name: String, session: Int32, hasTerminal: Bool, isInForeground: Bool) {
      self.name = name
      self.session = session
      self.hasTerminal = hasTerminal
      self.isInForeground = isInForeground
    }
  }

  package struct Member: Equatable {
    package var pid: Int32
    package var name: String
  }

  /// The maximum number of processes to examine.
  private static let limit = 1000

  /// - Parameters:
  ///   - helper: the leader of the window's session, not itself a member.
  ///   - entry: the entry of a pid; nil for a process that has ended or is hidden.
  ///   - children: the pids of a process's children.
  package static func members(
    below helper: Int32, entry: (Int32) -> Entry?, children: (Int32) -> [Int32]
  ) -> [Member] {
    guard let leader = entry(helper) else { return [] }
    var members: [Member] = []
    var open = children(helper).map { (pid: $0, parent: leader, isReached: true) }
    var visited = 0
    while let next = open.popLast(), visited < limit {
      visited += 1
      guard let process = entry(next.pid) else { continue }
      // A background job reads no keys, and passes none to another terminal.
      if process.session != next.parent.session, !next.isReached { continue }
      let isReached = process.hasTerminal ? process.isInForeground : next.isReached
      if isReached { members.append(Member(pid: next.pid, name: process.name)) }
      open += children(next.pid).map { ($0, process, isReached) }
    }
    return members
  }
}
