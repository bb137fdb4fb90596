internal import OverlineSystem

/// The processes that a key typed into a window reaches: the foreground process group of its terminal, and what these processes have
/// started on terminals of their own (`script`, an editor's terminal) or without one.
enum ForegroundProcesses {
  struct Member: Hashable {
    var pid: Int32
    var name: String
  }

  /// The maximum number of processes to examine.
  private static let limit = 1000

  /// - Parameter helper: the leader of the window's session, not itself a member.
  static func members(below helper: Int32) -> [Member] {
    guard let leader = ProcessStatus(of: helper) else { return [] }
    var members: [Member] = []
    var open = ProcessStatus.children(of: helper).map { (pid: $0, parent: leader, isReached: true) }
    var visited = 0
    while let next = open.popLast(), visited < limit {
      visited += 1
      guard let status = ProcessStatus(of: next.pid) else { continue }
      // A background job reads no keys, and passes none to another terminal.
      if status.session != next.parent.session, !next.isReached { continue }
      let isReached = status.hasTerminal ? status.isInForeground : next.isReached
      if isReached { members.append(Member(pid: next.pid, name: status.name)) }
      open += ProcessStatus.children(of: next.pid).map { ($0, status, isReached) }
    }
    return members
  }
}
