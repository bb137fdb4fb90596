extension NWPath {
  /// True for an outage that a program's success can disprove. An outage by a dead link cannot be disproved.
  var isDoubtfulOutage: Bool {
    guard status == .unsatisfied else { return false }
    return reason?.facts.canBeDisproved ?? true
  }

  /// The path to publish in place of this outage after the program has reached its server.
  var contradicted: NWPath {
    var path = self
    path.status = .satisfied
    path.reason = nil
    path.explanation = "online: the program has reached its server, though by the kernel it is \(explanation)"
    path.cause = ""
    return path
  }
}
