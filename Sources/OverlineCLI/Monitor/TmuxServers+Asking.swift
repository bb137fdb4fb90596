internal import Dispatch
internal import Overline
internal import OverlineCore
internal import OverlineShell
internal import Synchronization

/// Questions to the servers, each with a time limit: a stopped server never answers.
extension TmuxServers {
  /// A server's current status.
  struct Status: Sendable {
    var server: TmuxServer
    var state: State

    enum State: Sendable {
      /// - Parameter probe: nil if the server does not answer.
      case driven(version: String, inset: Inset, probe: TmuxProbe?)
      case notAttached(TmuxError)
    }
  }

  /// The running servers that the monitor drives or could not attach, sorted by their sockets.
  ///
  /// - Parameter completion: called on the queue.
  func status(completion: @escaping @Sendable ([Status]) -> Void) {
    ask(driven.keys, { [end] server throws(TmuxError) in try server.probe(timeout: Self.timeout, until: end) }) {
      [self] answers in
      let driven = driven.compactMap { server, one in
        answers[server].map {
          Status(server: server, state: .driven(version: one.probe.version, inset: one.inset, probe: try? $0.get()))
        }
      }
      let failed = failures.filter { self.driven[$0.key] == nil && $0.key.isListening }.map {
        Status(server: $0.key, state: .notAttached($0.value))
      }
      completion((driven + failed).sorted { $0.server.socket < $1.server.socket })
    }
  }

  /// Counts the clients that are attached to the servers.
  ///
  /// - Parameter completion: called on the queue.
  func countClients(completion: @escaping @Sendable (Int) -> Void) {
    askActivity(driven.keys) { activities in completion(activities.values.reduce(0) { $0 + $1.clientCount }) }
  }

  /// The client activity of the servers that answer.
  func askActivity(
    _ servers: some Collection<TmuxServer>, completion: @escaping @Sendable ([TmuxServer: TmuxActivity]) -> Void
  ) {
    ask(servers, { [end] server throws(TmuxError) in try server.activity(timeout: Self.timeout, until: end) }) {
      answers in
      completion(answers.compactMapValues { try? $0.get() })
    }
  }

  /// Asks servers concurrently, and forgets those that have ended.
  ///
  /// - Parameters:
  ///   - question: asks one server and waits for the answer. A slow answer, as of a stopped server, delays the completion.
  ///   - completion: called on the queue.
  private func ask<Answer: Sendable>(
    _ servers: some Collection<TmuxServer>,
    _ question: @escaping @Sendable (TmuxServer) throws(TmuxError) -> Answer,
    completion: @escaping @Sendable ([TmuxServer: Result<Answer, TmuxError>]) -> Void
  ) {
    let answers = Mutex<[TmuxServer: Result<Answer, TmuxError>]>([:])
    let group = DispatchGroup()
    for server in servers {
      // A private queue has its own thread; the global queue has only a few.
      DispatchQueue(label: "overline.tmux.question").async(group: group) {
        let answer = Result { () throws(TmuxError) in try question(server) }
        answers.withLock { $0[server] = answer }
      }
    }
    group.notify(queue: queue) { [self] in
      var living = answers.withLock { $0 }
      for (server, answer) in living {
        guard case .failure(let error) = answer, error.code == .serverGone else { continue }
        living[server] = nil
        if driven[server] != nil { forget(server) }
      }
      completion(living)
    }
  }

  /// A server answers within milliseconds.
  private static let timeout = Duration.milliseconds(500)
}
