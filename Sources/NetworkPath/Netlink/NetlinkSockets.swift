internal import Glibc

/// The two sockets of a path watcher, opened together in the network namespace of the calling thread.
///
/// Not thread-safe: a watcher uses them on its queue only.
package final class NetlinkSockets: @unchecked Sendable {
  private(set) var events: EventSocket
  let queries: QuerySocket
  /// Records every netlink message; nil when recording is off.
  var recorder: TranscriptRecorder? {
    didSet {
      events.socket.recorder = recorder
      queries.recorder = recorder
    }
  }

  /// - Parameter receiveBuffer: bytes for announcements that wait to be read. Only root can exceed the system's limit.
  package init(receiveBuffer: Int32 = 4 << 20) throws(NetlinkError) {
    events = try EventSocket(receiveBuffer: receiveBuffer)
    queries = try QuerySocket()
  }

  /// A transcript in place of both sockets.
  init(_ player: TranscriptPlayer) {
    events = EventSocket(NetlinkChannel(player))
    queries = QuerySocket(NetlinkChannel(player))
  }

  /// The number of datagrams to read before the queue's other work.
  private static let batch = 256

  /// Reads the waiting announcements.
  func read() -> [PathMachine.Event] {
    let received: (events: [KernelEvent], lost: Bool)
    do { received = try events.receive(limit: Self.batch) } catch { return [.failed(why: "\(error)")] }
    // The loss comes first, so that no decision uses incomplete tables.
    return (received.lost ? [.overran] : []) + (received.events.isEmpty ? [] : [.received(received.events)])
  }

  /// Discards the waiting announcements, which are older and may have gaps, then reads all links and addresses. Announcements that arrive
  /// meanwhile are read afterwards. The tables may already contain some of them. That is harmless: the newer ones follow.
  func dump() -> PathMachine.Event {
    do {
      try events.drain()
    } catch {
      return error.code == ENOBUFS ? .overran : .failed(why: "\(error)")
    }
    do {
      let (events, complete) = try queries.dump()
      return .dumped(events, complete: complete)
    } catch {
      return .failed(why: "\(error)")
    }
  }

  /// Decides the path. Fails when one question got no answer.
  func evaluate(
    _ tables: NetworkTables, options: PathOptions, lastUsed: [NWInterface], surroundings: any Surroundings
  ) -> PathMachine.Event {
    let oracle = KernelOracle(queries: queries, surroundings: surroundings)
    let decision = PathDecision(tables: tables, options: options, lastUsed: lastUsed, oracle: oracle)
    do {
      return .evaluated(try queries.answered(decision.evaluation))
    } catch {
      return .failed(why: "\(error)")
    }
  }
}

extension PathMachine.Event {
  /// The machine's events for a happening. This reads the waiting announcements.
  static func all(of happening: Transcript.Happening, sockets: NetlinkSockets?) -> [PathMachine.Event] {
    switch happening {
    case .deadlinePassed: [.deadlinePassed]
    case .clockStepped: [.clockStepped]
    case .resolverChanged: [.resolverChanged]
    case .readable: sockets?.read() ?? []
    // Results of the machine's effects, not events from outside.
    case .opened, .dumped, .evaluated, .told: []
    }
  }
}
