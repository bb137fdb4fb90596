internal import Glibc

/// The two sockets of a path watcher, opened together in the network namespace of the calling thread.
///
/// Not to be used by two threads at once: a watcher uses them on its queue only.
package final class NetlinkSockets: @unchecked Sendable {
  private(set) var events: EventSocket
  let queries: QuerySocket
  /// Who writes down what is said.
  var recorder: TranscriptRecorder? {
    didSet {
      events.socket.recorder = recorder
      queries.recorder = recorder
    }
  }

  /// - Parameter receiveBuffer: bytes for announcements that wait to be read; more than the system's limit only as root.
  package init(receiveBuffer: Int32 = 4 << 20) throws(NetlinkError) {
    events = try EventSocket(receiveBuffer: receiveBuffer)
    queries = try QuerySocket()
  }

  /// A transcript in place of both.
  init(_ player: TranscriptPlayer) {
    events = EventSocket(NetlinkChannel(player))
    queries = QuerySocket(NetlinkChannel(player))
  }

  /// Datagrams read before the queue gets to other work.
  private static let batch = 256

  /// The announcements that wait.
  func read() -> [PathMachine.Event] {
    let received: (events: [KernelEvent], lost: Bool)
    do { received = try events.receive(limit: Self.batch) } catch { return [.failed(why: "\(error)")] }
    // First the loss, so that nothing is decided from tables that are known to miss something.
    return (received.lost ? [.overran] : []) + (received.events.isEmpty ? [] : [.received(received.events)])
  }

  /// Forgets the announcements that wait, which are older and may have gaps, then reads all links and addresses. What is announced
  /// meanwhile is read after it: some of that is in the tables already, and each has its successors behind it.
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

  /// Decides the path, from all the answers or not at all.
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
  /// What something that happened means to the machine. Announcements are read here.
  static func all(of happening: Transcript.Happening, sockets: NetlinkSockets?) -> [PathMachine.Event] {
    switch happening {
    case .deadlinePassed: [.deadlinePassed]
    case .clockStepped: [.clockStepped]
    case .resolverChanged: [.resolverChanged]
    case .readable: sockets?.read() ?? []
    // What was done, not what came from outside.
    case .opened, .dumped, .evaluated, .told: []
    }
  }
}
