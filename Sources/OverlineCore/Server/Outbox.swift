/// The output due to a client: the rest of a line that the kernel accepted in part, the answers to its requests in order, and whether the
/// newest state and the newest announcement are due. Neither is queued: a client that reads late gets only the newest of each.
package struct Outbox {
  /// The maximum number of unread answers. The server reads nothing more from such a client.
  static let maximumAnswers = 16

  /// All clients with the same state share this storage.
  private var rest: ArraySlice<UInt8> = []
  private var answers: [[UInt8]] = []
  private var owesState = false
  private var announcement: [UInt8]?

  package init() {}

  /// Whether ``head(newestState:)`` has bytes.
  ///
  /// - Parameter hasState: whether there is a newest state.
  func hasOutput(hasState: Bool) -> Bool {
    !rest.isEmpty || !answers.isEmpty || owesState && hasState || announcement != nil
  }

  package var isFull: Bool { answers.count >= Self.maximumAnswers }

  package mutating func add(answer: [UInt8]) { answers.append(answer) }
  package mutating func addState() { owesState = true }
  package mutating func add(announcement: [UInt8]) { self.announcement = announcement }

  /// The bytes to send now; nil for none.
  package mutating func head(newestState: @autoclosure () -> [UInt8]?) -> ArraySlice<UInt8>? {
    if rest.isEmpty {
      if !answers.isEmpty {
        rest = answers.removeFirst()[...]
      } else if owesState, let newestState = newestState() {
        owesState = false
        rest = newestState[...]
      } else if let announcement = announcement.take() {
        rest = announcement[...]
      } else {
        return nil
      }
    }
    return rest
  }

  /// Call this after the kernel has accepted so many bytes of the head.
  package mutating func sent(_ count: Int) {
    rest = count == rest.count ? [] : rest.dropFirst(count)
  }
}
