package import Dispatch
package import Overline
package import OverlineCore
internal import OverlineSystem
internal import Synchronization

/// Carries out what ``FleetMachine`` decides: asks tmux servers, and has a window for each driven one.
///
/// Used on one queue only, which makes this class Sendable.
package final class TmuxFleet: @unchecked Sendable {
  private let queue: DispatchQueue
  private let warn: @Sendable (String) -> Void
  private let onEvent: (FleetMachine.Event) -> Void
  private let registry: TmuxRegistry?
  private let guardian: GuardianProcess
  private var windows: [TmuxServer: (window: TmuxWindow, number: Int)] = [:]
  private var answers: [FleetMachine.Request: @Sendable (TmuxError?) -> Void] = [:]
  private var counts: [FleetMachine.Request: @Sendable (Int) -> Void] = [:]
  private var requestCount = 0
  /// Ends every run of tmux when the monitor ends.
  private let end = try? BootTimer()
  /// The limit for answers that take milliseconds. The guardian gets the same time, so a service ends in half of its `TimeoutStopSec`.
  private static let closingTime = Duration.seconds(2)
  /// A server answers questions for a user within milliseconds.
  private static let timeout = Duration.milliseconds(500)

  /// - Parameters:
  ///   - directory: the place of the registry; nil for none.
  ///   - warn: called on any thread.
  ///   - onEvent: called on the queue.
  package init(
    queue: DispatchQueue, directory: RuntimeDirectory?, guardian: GuardianProcess,
    warn: @escaping @Sendable (String) -> Void,
    onEvent: @escaping (FleetMachine.Event) -> Void
  ) {
    self.queue = queue
    self.warn = warn
    self.onEvent = onEvent
    self.guardian = guardian
    registry = directory.map { TmuxRegistry(directory: $0) }
  }

  /// Finds the server that this process was started in, and all registered servers. They may have registered with an earlier monitor, or
  /// while none ran.
  ///
  /// - Parameter completion: called on the queue with the number of known servers.
  package func findKnown(completion: @escaping @Sendable (Int) -> Void) {
    let own = ProcessEnvironment["TMUX"].flatMap { TmuxServer(environment: $0) }
    // Thousands of registered servers may have ended. The monitor does not wait for the search for running ones.
    DispatchQueue(label: "overline.tmux.registry").async { [registry, queue] in
      let registered = (registry?.forgetDead() ?? []).map { TmuxServer(socket: $0) }
      queue.async { [self] in
        let known = registered + [own].compactMap(\.self).filter { !registered.contains($0) }
        onEvent(.found(known))
        completion(known.count)
      }
    }
  }

  /// Writes the registry anew, after the runtime directory was removed.
  ///
  /// - Parameter lock: the new lock, for guardians to hold.
  package func register(_ servers: Set<TmuxServer>, lock: Int32) {
    guardian.inherit([lock])
    for server in servers { try? registry?.add(server.socket) }
  }

  package func attach(_ server: TmuxServer, completion: @escaping @Sendable (TmuxError?) -> Void) {
    requestCount += 1
    answers[requestCount] = completion
    onEvent(.attach(server, requestCount))
  }

  package func detach(_ server: TmuxServer, completion: @escaping @Sendable (TmuxError?) -> Void) {
    requestCount += 1
    answers[requestCount] = completion
    onEvent(.detach(server, requestCount))
  }

  /// - Returns: the number of a request for a toast.
  package func request(shown: @escaping @Sendable (_ clients: Int) -> Void) -> FleetMachine.Request {
    requestCount += 1
    counts[requestCount] = shown
    return requestCount
  }

  package func perform(_ effect: FleetMachine.Effect) {
    switch effect {
    case .probe(let server, let question):
      ask([server], { (client) throws(TmuxError) in try client.probe() }) { [self] in
        if let answer = $0[server] { onEvent(.probed(answer, question: question)) }
      }
    case .countClients(let servers, let question):
      countClients(servers) { [self] in onEvent(.counted($0, question: question)) }
    case .open(let server, let window, let sessions, let reserve): open(server, window, sessions, reserve)
    case .show(let server, let content): windows[server]?.window.show(content)
    case .reload(let server, let reserve): windows[server]?.window.reload(reserve: reserve)
    case .close(let server, let request):
      let completion = request.flatMap { answers.removeValue(forKey: $0) }
      windows.removeValue(forKey: server)?.window.close { [self] error in
        completion?(error)
        queue.async { self.onEvent(.left(server)) }
      }
    case .abandon(let server):
      guardian.release(server)
      windows.removeValue(forKey: server)?.window.abandon()
    case .restore(let server, let request): restore(server, answers.removeValue(forKey: request))
    case .register(let server): try? registry?.add(server.socket)
    case .unregister(let server): try? registry?.remove(server.socket)
    case .answer(let request, let error): answers.removeValue(forKey: request)?(error)
    case .shown(let request, let clients): counts.removeValue(forKey: request)?(clients)
    case .warn(let text): warn(text)
    // The monitor's machine handles this itself.
    case .toastEnded: break
    }
  }

  private func open(_ server: TmuxServer, _ number: Int, _ sessions: Set<String>, _ reserve: TmuxReserve) {
    let window = TmuxWindow(
      server: server, sessions: sessions, reserve: reserve, guardian: guardian, end: end,
      onInset: { [unowned self] inset in
        queue.async { self.onEvent(.insetChanged(server, window: number, inset)) }
      },
      onGone: { [unowned self] in queue.async { self.onEvent(.windowEnded(server, window: number)) } },
      onError: warn)
    windows[server] = (window, number)
  }

  private func restore(_ server: TmuxServer, _ completion: (@Sendable (TmuxError?) -> Void)?) {
    DispatchQueue(label: "overline.tmux.detach").async { [self] in
      do {
        try TmuxClient(server, until: end).restoreSaved()
        completion?(nil)
      } catch {
        completion?(error as? TmuxError)
      }
      queue.async { self.onEvent(.left(server)) }
    }
  }

  /// Gives every server its lines back, then calls `completion`. If a server does not answer in time, the guardian restores its lines, or
  /// the next monitor does from the saved state.
  package func close(completion: @escaping @Sendable () -> Void) {
    end?.arm(BootClock.now + Self.closingTime)
    guardian.hurry()
    let group = DispatchGroup()
    for (window, _) in windows.values {
      group.enter()
      window.close { _ in group.leave() }
    }
    windows = [:]
    group.notify(queue: queue, execute: completion)
  }

  // MARK: - Questions

  /// A server's current status.
  package struct Status: Sendable {
    package var server: TmuxServer
    package var state: State

    package enum State: Sendable {
      /// - Parameter probe: nil if the server does not answer.
      case driven(version: String, inset: TerminalInsets, probe: TmuxProbe?)
      case notAttached(TmuxError)
    }
  }

  /// The running servers that the monitor drives or could not attach, sorted by their sockets.
  ///
  /// - Parameters:
  ///   - fleet: called now and when all have answered.
  ///   - completion: called on the queue.
  package func status(
    of fleet: @escaping @Sendable () -> FleetMachine, completion: @escaping @Sendable ([Status]) -> Void
  ) {
    let servers = fleet().members.map(\.server)
    ask(servers, { (client) throws(TmuxError) in try client.probe(timeout: Self.timeout) }) { answers in
      let fleet = fleet()
      let driven = fleet.members.compactMap { member in
        answers[member.server].flatMap { answer -> Status? in
          if case .failure(let error) = answer, error.code == .serverGone { return nil }
          let state = Status.State.driven(
            version: member.probe.version, inset: member.inset, probe: try? answer.get())
          return Status(server: member.server, state: state)
        }
      }
      let failed = fleet.failures.filter { failure in
        !fleet.members.contains { $0.server == failure.key } && failure.key.isListening
      }.map { Status(server: $0.key, state: .notAttached($0.value)) }
      completion((driven + failed).sorted { $0.server.socket < $1.server.socket })
    }
  }

  /// The client activity of the servers that answer.
  ///
  /// - Parameter completion: called on the queue.
  package func countClients(
    _ servers: [TmuxServer], completion: @escaping @Sendable ([TmuxServer: TmuxActivity]) -> Void
  ) {
    ask(servers, { (client) throws(TmuxError) in try client.activity(timeout: Self.timeout) }) {
      completion($0.compactMapValues { try? $0.get() })
    }
  }

  /// Asks servers at the same time, and reports those that have ended.
  ///
  /// - Parameters:
  ///   - question: asks one server and waits for the answer. A slow answer, as of a stopped server, delays the completion.
  ///   - completion: called on the queue.
  private func ask<Answer: Sendable>(
    _ servers: [TmuxServer],
    _ question: @escaping @Sendable (TmuxClient) throws(TmuxError) -> Answer,
    completion: @escaping @Sendable ([TmuxServer: Result<Answer, TmuxError>]) -> Void
  ) {
    let asked = windows.mapValues(\.number)
    let answers = Mutex<[TmuxServer: Result<Answer, TmuxError>]>([:])
    let group = DispatchGroup()
    for server in servers {
      // A private queue has its own thread. Stopped servers could occupy all of the global queue's few threads.
      DispatchQueue(label: "overline.tmux.question").async(group: group) { [end] in
        let answer = Result { () throws(TmuxError) in try question(TmuxClient(server, until: end)) }
        answers.withLock { $0[server] = answer }
        // At once: while the others answer, a new server may begin at the socket.
        if case .failure(let error) = answer, error.code == .serverGone, let number = asked[server] {
          self.queue.async { self.onEvent(.windowEnded(server, window: number)) }
        }
      }
    }
    group.notify(queue: queue) { completion(answers.withLock { $0 }) }
  }
}
