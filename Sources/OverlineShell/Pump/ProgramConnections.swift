internal import NetworkPath
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The TCP connections of a window's program. Whatever cannot be read counts as answered: a missing right or a socket that has just
/// vanished is no reason for a notice.
struct ProgramConnections: ~Copyable {
  private typealias Member = ForegroundProcesses.Member

  private struct Followed {
    let id: TCPConnection.ID
    let program: String
  }

  /// Only these states have data that waits to be sent, or for its acknowledgement.
  private static let states: Set<TCPConnection.State> = [.established, .finWait1, .closeWait, .lastAck, .closing]

  /// Opened at the first look: most windows never look.
  private var diagnostics: SocketDiagnostics?
  private var followed: [Followed] = []

  /// - Parameters:
  ///   - isFirst: find the connections. Later looks read only those, without a dump of all sockets.
  ///   - helper: the leader of the window's session.
  mutating func look(isFirst: Bool, below helper: Int32) -> ProgramLook {
    do throws(NetlinkError) {
      if diagnostics == nil { diagnostics = try SocketDiagnostics() }
      guard let diagnostics else { return ProgramLook(.acknowledged) }
      let answer = try isFirst ? find(diagnostics, below: helper) : follow(diagnostics)
      return ProgramLook(answer, samples: try samples(diagnostics))
    } catch {
      // Open a new socket next time: it receives no late answers to earlier questions.
      diagnostics = nil
      followed = []
      return ProgramLook(.acknowledged)
    }
  }

  private mutating func find(
    _ diagnostics: SocketDiagnostics, below helper: Int32
  ) throws(NetlinkError) -> ProgramAnswer {
    followed = []
    let members = ForegroundProcesses.members(
      below: helper, entry: { ProcessStatus(of: $0).map(ForegroundProcesses.Entry.init) },
      children: ProcessStatus.children(of:)
    ).filter { Self.mayLook(at: $0.pid) }
    let sockets = Self.sockets(of: members)
    if sockets.isEmpty { return .acknowledged }
    var found = try Self.connections(diagnostics, sockets)
    if found.isEmpty { found = try Self.connections(diagnostics, Self.masterSockets(diagnostics, sockets)) }
    followed = found.map { Followed(id: $0.connection.id, program: $0.program) }
    return ProgramAnswer(found)
  }

  /// False for another user's process (sudo) or one in another network namespace, even if this process is root.
  private static func mayLook(at pid: Int32) -> Bool {
    ProcessStatus.owner(of: pid) == ProcessEnvironment.userID && ProcessStatus.sharesNetwork(pid)
  }

  private mutating func follow(_ diagnostics: SocketDiagnostics) throws(NetlinkError) -> ProgramAnswer {
    var found: [(connection: TCPConnection, program: String)] = []
    for one in followed {
      if let connection = try diagnostics.connection(one.id) { found.append((connection, one.program)) }
    }
    return ProgramAnswer(found)
  }

  /// How quickly the connections are answered.
  private func samples(_ diagnostics: SocketDiagnostics) throws(NetlinkError) -> [ProgramSample] {
    var samples: [ProgramSample] = []
    for (host, one) in followed.enumerated() {
      guard let sample = try diagnostics.sample(one.id, host: host) else { continue }
      samples.append(ProgramSample(program: one.program, sample: sample))
    }
    return samples
  }

  private static func connections(
    _ diagnostics: SocketDiagnostics, _ sockets: [UInt32: Member]
  ) throws(NetlinkError) -> [(connection: TCPConnection, program: String)] {
    if sockets.isEmpty { return [] }
    return try diagnostics.connections(in: states) { sockets[$0] != nil }
      .map { ($0, sockets[$0.inode]?.name ?? "") }
  }

  private static func sockets(of members: [Member]) -> [UInt32: Member] {
    var sockets: [UInt32: Member] = [:]
    for member in members {
      for inode in ProcessStatus.sockets(of: member.pid) { sockets[inode] = member }
    }
    return sockets
  }

  // MARK: - A shared connection

  /// The sockets of processes that talk to the network for the program: with `ControlMaster`, an ssh passes everything over a Unix socket
  /// to another ssh of the same user. A process with another name is an unrelated service.
  private static func masterSockets(
    _ diagnostics: SocketDiagnostics, _ sockets: [UInt32: Member]
  ) throws(NetlinkError) -> [UInt32: Member] {
    let peers = try diagnostics.unixPeers(of: Set(sockets.keys))
    let clients = Dictionary(peers.compactMap { own, peer in sockets[own].map { (peer, $0) } }) { $1 }
    if clients.isEmpty { return [:] }
    let names = Set(clients.values.map(\.name))
    var found: [UInt32: Member] = [:]
    for pid in ProcessStatus.all {
      guard let name = ProcessStatus(of: pid)?.name, names.contains(name), mayLook(at: pid) else { continue }
      let held = ProcessStatus.sockets(of: pid)
      guard let client = held.lazy.compactMap({ clients[$0] }).first(where: { $0.name == name && $0.pid != pid })
      else { continue }
      for inode in held { found[inode] = client }
    }
    return found
  }
}

extension ForegroundProcesses.Entry {
  fileprivate init(_ status: ProcessStatus) {
    self.init(
      name: status.name, session: status.session, hasTerminal: status.hasTerminal,
      isInForeground: status.isInForeground)
  }
}
