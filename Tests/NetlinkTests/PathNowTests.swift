import Glibc
@testable import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
@testable import OverlineTranscripts
import Testing

/// The path without a watcher.
@Suite(.ownThread) struct PathNowTests {
  /// Answers of a kernel whose tables change while they are read, this many times, and that does not answer the last requests.
  private func answers(interrupted times: Int, unanswered: Int = 0) throws -> QuerySocket {
    let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Transcripts"
    let recorded = try Transcript(parsing: Files.read("\(folder)/K1-carrier.txt"))
    let dump = try #require(recorded.moments.first { $0.event == .watcher(.dumped) }).inputs
    var routes = try #require(recorded.moments.first { $0.event == .watcher(.evaluated) }).inputs
    for _ in 0..<unanswered {
      routes.remove(at: try #require(routes.lastIndex { if case .got = $0 { true } else { false } }))
    }
    let interrupted = dump.compactMap { item -> WatcherInput? in
      guard case .got(var bytes) = item else { return item }
      // No address (RTM_NEWADDR), and every message marked as interrupted (NLM_F_DUMP_INTR).
      if bytes[4] == 20 { return nil }
      bytes[6] |= 0x10
      return .got(bytes)
    }
    let inputs = Array(repeating: interrupted, count: times).flatMap(\.self) + dump + routes
    let player = TranscriptPlayer(Transcript(moments: [.init(time: .zero, event: .watcher(.dumped), inputs: inputs)]))
    _ = player.next()
    return QuerySocket(NetlinkChannel(player))
  }

  /// What a failed connection may ask: do the routers answer now?
  @Test(
    arguments: [
      (["192.0.2.1"], [], RouterContact.notLost), (["192.0.2.1"], ["192.0.2.1 failed"], .lost),
      (["192.0.2.1"], ["192.0.2.1 incomplete"], .pending), (["192.0.2.1"], ["192.0.2.9 failed"], .notLost),
      (["192.0.2.1"], ["192.0.2.1 lladdr 02:00:00:00:00:99 reachable"], .notLost),
      (["fe80::1"], ["fe80::1 failed"], .lost), (["192.0.2.1", "fe80::1"], ["192.0.2.1 failed"], .lost),
      (["192.0.2.1", "fe80::1"], ["192.0.2.1 failed", "fe80::1 lladdr 02:00:00:00:00:99 stale"], .lost),
      (["192.0.2.1", "fe80::1"], ["192.0.2.1 failed", "fe80::1 lladdr 02:00:00:00:00:99 reachable"], .notLost),
      (["192.0.2.1", "fe80::1"], ["192.0.2.1 incomplete"], .pending),
    ])
  func theRoutersAnswerNowOrNot(_ routers: [String], _ entries: [String], _ contact: RouterContact) throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0", gateway: nil, isAsked: true)
    try namespace.ip("addr add 2001:db8::2/64 dev eth0 nodad")
    for router in routers {
      try namespace.ip("\(router.contains(":") ? "-6 " : "")route add default via \(router) dev eth0")
    }
    for entry in entries {
      let words = entry.split(separator: " ")
      let family = entry.contains("fe80") ? "-6 " : ""
      try namespace.ip("\(family)neigh replace \(words.dropLast().joined(separator: " ")) dev eth0 nud \(words.last!)")
    }
    func look(_ options: PathOptions) throws -> RouterContact {
      try NWPath.routerContact(options: options, resolverConfiguration: "/dev/null") { () throws(NetlinkError) in
        try query(in: namespace)
      }
    }
    #expect(try look(PathOptions()) == contact)
    #expect(try look(PathOptions(detectsSilence: false)) == .notLost)
  }

  private func query(in namespace: NetworkNamespace) throws(NetlinkError) -> QuerySocket {
    do {
      return try namespace.inside { try QuerySocket() }
    } catch {
      throw error as? NetlinkError ?? NetlinkError(code: 1, attempt: "enter the namespace")
    }
  }

  private func path(interrupted times: Int) throws -> NWPath {
    let queries = try answers(interrupted: times)
    return try NWPath.current(resolverConfiguration: "/dev/null", ask: { () throws(NetlinkError) in queries })
  }

  @Test(arguments: [0, 1, 4]) func tablesThatChangedMeanwhileAreReadAgain(_ times: Int) throws {
    let path = try path(interrupted: times)
    #expect(path.isKnown && path.status == .satisfied)
  }

  /// The other answers alone are only part of the state: here, a path without IPv6.
  @Test func aQuestionWithoutAnAnswerFails() throws {
    let queries = try answers(interrupted: 0, unanswered: 2)
    let failure = NetlinkError(code: EAGAIN, attempt: "get an answer from the kernel")
    #expect(throws: failure) {
      try NWPath.current(resolverConfiguration: "/dev/null", ask: { () throws(NetlinkError) in queries })
    }
  }

  @Test func andNotForEver() throws {
    let path = try path(interrupted: 5)
    #expect(!path.isKnown && path.status == .satisfied)
    #expect(path.explanation == "unknown: the kernel's tables change faster than they can be read")
  }
}
