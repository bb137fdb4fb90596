/// What one look has found about a tunnel.
package enum TunnelReport: Equatable, Sendable {
  /// A link carries the tunnel's packets, or another namespace does (nil).
  ///
  /// - Parameters:
  ///   - isProven: whether the kernel would send packets like the tunnel's own by this link. A route to some other network is no proof.
  ///   - servers: the single hosts to which routes lead out by the link; nil if the look did not read the routes.
  case carried(by: TunnelMemory.Lower?, isProven: Bool, servers: [IPPrefix]?)
  /// The tunnel is dead by these faults.
  case dead(TunnelCause, word: TunnelWord?)
  /// The same faults, but they prove nothing.
  case refuted(TunnelCause)
  /// The route to the server has gone, and a default route by the link has come back: the tunnel's own packets may lead into the tunnel.
  ///
  /// - Parameter isCertain: whether the tunnel counts as dead for that.
  case mayLoop(by: TunnelMemory.Lower, isCertain: Bool, word: TunnelWord?)

  /// False where a link is known to carry the tunnel.
  package var isDoubtful: Bool {
    if case .carried(by: .some, isProven: true, _) = self { false } else { true }
  }

  /// The report in words for users, after the tunnel's name.
  package var words: String {
    switch self {
    case .carried(let lower?, let isProven, _):
      "is carried by \(lower.name)" + (isProven ? "" : "; only a route to another network leads beyond it")
    case .carried(nil, _, _): "counts as alive: nothing proves that it is dead"
    case .dead(_, word: nil): "is dead: no link can carry its packets"
    case .dead, .mayLoop(_, isCertain: true, _): "is dead, as the monitor has found"
    case .refuted: "counts as alive: the monitor has seen it receive packets"
    case .mayLoop(let lower, isCertain: false, _): "is carried by \(lower.name); no route leads to its server"
    }
  }
}
