internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// Visits a ``VisitServer`` again and again, each time with a new connection: what a network really does, beside what a program says of it.
package final class TCPVisits: Sendable {
  package enum Outcome: Sendable, Equatable {
    /// The server sent the byte back.
    case answered
    /// The kernel refused to send, at once, with this error.
    case refused(Int32)
    /// Nothing came back.
    case failed
  }

  package struct Visit: Sendable, Equatable {
    package var start: Duration
    package var outcome: Outcome

    package init(start: Duration, outcome: Outcome) {
      self.start = start
      self.outcome = outcome
    }
  }

  /// A visit without an answer after this time has failed. Shorter than the kernel's first repetition of a lost packet: otherwise a visit
  /// that began without a network would succeed.
  package static let patience = Duration.milliseconds(900)

  private struct State {
    var visits: [Visit] = []
    var isEnded = false
  }

  private let state: Shared

  package init(
    to address: String, in namespace: NetworkNamespace, interval: Duration = .milliseconds(20)
  ) throws {
    let state = Shared()
    self.state = state
    try BackgroundThread.start(name: "test-visits") {
      try? namespace.inside {
        var visitor = Visitor(address: address)
        while !state.isEnded { state.append(visitor.visit(until: BootClock.now + interval)) }
        visitor.closeAll()
      }
    }
  }

  deinit { state.end() }

  /// The visits that have ended, by their start. Those that began in the last ``patience`` may be missing.
  package var visits: [Visit] { state.visits.sorted { $0.start < $1.start } }

  /// Forgets the visits that began before a time.
  package func forget(before time: Duration) { state.forget(before: time) }

  private final class Shared: Sendable {
    private let state = Mutex(State())

    var visits: [Visit] { state.withLock { $0.visits } }
    var isEnded: Bool { state.withLock { $0.isEnded } }
    func append(_ visits: [Visit]) { state.withLock { $0.visits += visits } }
    func forget(before time: Duration) { state.withLock { $0.visits.removeAll { $0.start < time } } }
    func end() { state.withLock { $0.isEnded = true } }
  }
}

/// The visits that are under way.
private struct Visitor {
  let address: String
  private var connecting: [(descriptor: Int32, start: Duration)] = []
  private var waiting: [(descriptor: Int32, start: Duration)] = []

  init(address: String) { self.address = address }

  /// Begins a visit, and returns those that end until a time.
  mutating func visit(until end: Duration) -> [TCPVisits.Visit] {
    var ended: [TCPVisits.Visit] = []
    begin(&ended)
    repeat {
      let now = BootClock.now
      for visit in connecting + waiting where now - visit.start > TCPVisits.patience {
        finish(visit, .failed, &ended)
      }
      var polled = connecting.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
      polled += waiting.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      let milliseconds = max(0, Int32((end - now) / .milliseconds(1)))
      guard unsafe poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { continue }
      for ready in polled where ready.revents != 0 { advance(ready.fd, &ended) }
    } while BootClock.now < end
    return ended
  }

  mutating func closeAll() {
    for visit in connecting + waiting { close(visit.descriptor) }
  }

  private mutating func begin(_ ended: inout [TCPVisits.Visit]) {
    let start = BootClock.now
    guard let descriptor = try? EchoSocket.open(SOCK_STREAM) else { return }
    // Ends with a reset: thousands of sockets in TIME_WAIT would be left.
    var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    if EchoSocket.connect(descriptor, to: address, port: VisitServer.port) == 0 || errno == EINPROGRESS {
      connecting.append((descriptor, start))
    } else {
      finish((descriptor, start), .refused(errno), &ended)
    }
  }

  private mutating func advance(_ descriptor: Int32, _ ended: inout [TCPVisits.Visit]) {
    if let index = connecting.firstIndex(where: { $0.descriptor == descriptor }) {
      var byte = UInt8(ascii: "x")
      guard unsafe send(descriptor, &byte, 1, Int32(MSG_NOSIGNAL)) == 1 else {
        return finish(connecting[index], .failed, &ended)
      }
      waiting.append(connecting.remove(at: index))
    } else if let visit = waiting.first(where: { $0.descriptor == descriptor }) {
      var byte: UInt8 = 0
      finish(visit, unsafe recv(descriptor, &byte, 1, 0) == 1 ? .answered : .failed, &ended)
    }
  }

  private mutating func finish(
    _ visit: (descriptor: Int32, start: Duration), _ outcome: TCPVisits.Outcome, _ ended: inout [TCPVisits.Visit]
  ) {
    connecting.removeAll { $0.descriptor == visit.descriptor }
    waiting.removeAll { $0.descriptor == visit.descriptor }
    close(visit.descriptor)
    ended.append(.init(start: visit.start, outcome: outcome))
  }
}
