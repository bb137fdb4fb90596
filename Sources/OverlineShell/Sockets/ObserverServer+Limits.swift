package import OverlineCore

extension ObserverServer {
  package struct Limits: Hashable, Sendable {
    /// The maximum number of clients, twice the promised number. A further client gets an error and is closed.
    package var clients = 2000
    /// How long a client may read nothing while output is due.
    package var stall: Duration = .seconds(10)
    /// How long to wait before accepting again when the process has no descriptor left.
    package var exhaustedRetry: Duration = .seconds(1)
    /// The rate limit of one client's requests, without requests for the network's state.
    package var requests = RequestAllowance.Rate()

    package init() {}
  }
}
