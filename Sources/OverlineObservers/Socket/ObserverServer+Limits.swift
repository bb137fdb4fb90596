extension ObserverServer {
  package struct Limits: Hashable, Sendable {
    /// Clients at once; one more is told so and closed. Twice what is promised.
    package var clients = 2000
    /// How long a client may take nothing while something is due.
    package var stall: Duration = .seconds(10)
    /// How long to wait before accepting again when the process has no descriptor left.
    package var exhaustedRetry: Duration = .seconds(1)
    /// How often one client may ask for more than what the network is.
    package var requests = RequestAllowance.Rate()

    package init() {}
  }
}
