extension NWPath {
  /// What an outage's banner claims: its words without the time since the last answer, which grows while the claim stays the same. Empty
  /// when satisfied.
  package var claim: String {
    let age = PathWords.heard(silence)
    return cause.hasSuffix(age) ? String(cause.dropLast(age.count)) : cause
  }
}
