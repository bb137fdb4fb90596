extension NWPath {
  /// Whether a program may know better. On a dead link it cannot.
  var isDoubtfulOutage: Bool {
    guard status == .unsatisfied else { return false }
    return switch reason {
    case .linkDown, .noCarrier, .noUnderlay: false
    case .noRoute, .unreachable, .blackhole, .prohibited, .dormant, .noAddress, .loopback, .ignored, .excluded,
      .noNetlink,
      nil:
      true
    }
  }

  /// This outage, as it is told once the program has reached its server all the same.
  var contradicted: NWPath {
    var path = self
    path.status = .satisfied
    path.reason = nil
    path.explanation = "online: the program has reached its server, though by the kernel it is \(explanation)"
    path.cause = ""
    return path
  }
}
