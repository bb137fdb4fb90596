public import ObserverProtocol

extension ObserverServer {
  public struct Limits: Hashable, Sendable {
    /// Clients at once; one more is told so and closed. Twice what is promised.
    public var clients = 2000
    /// How long a client may take nothing while something is due.
    public var stall: Duration = .seconds(10)
    /// How long to wait before accepting again when the process has no descriptor left.
    public var exhaustedRetry: Duration = .seconds(1)
    /// How often one client may ask for more than what the network is.
    public var requests = RequestAllowance.Rate()

    public init() {}
  }
}
