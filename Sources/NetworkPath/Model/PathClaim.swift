extension NWPath {
  /// What an outage's banner claims: its words without the time since the last answer, which grows while the claim stays the same. Empty
  /// when satisfied.
  package var claim: String { String(cause.dropLast(PathWords.heard(silence).count)) }
}
