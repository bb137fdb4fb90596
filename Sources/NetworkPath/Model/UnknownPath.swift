extension NWPath {
  /// The path to publish when the monitor cannot ask the kernel.
  package static func unknown(because why: String) -> NWPath {
    NWPath(status: .satisfied, isKnown: false, reason: .noNetlink, explanation: "unknown: \(why)", cause: "")
  }
}
