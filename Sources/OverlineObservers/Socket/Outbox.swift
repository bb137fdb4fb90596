/// The output due to a client: the rest of a line that the kernel accepted in part, the answers to its requests in order, and whether the
/// newest state and the newest announcement are due. Both are levels: a client that does not read later gets one state, not a hundred.
struct Outbox {
  /// The maximum number of unread answers. The server reads nothing more from such a client.
  static let maximumAnswers = 16

  /// All clients with the same state share this storage.
  private var rest: ArraySlice<UInt8> = []
  private var answers: [[UInt8]] = []
  private var owesState = false
  private var announcement: [UInt8]?

  var isFull: Bool { answers.count >= Self.maximumAnswers }

  mutating func add(answer: [UInt8]) { answers.append(answer) }
  mutating func addState() { owesState = true }
  mutating func add(announcement: [UInt8]) { self.announcement = announcement }

  /// The bytes to send now; nil for none.
  mutating func head(newestState: @autoclosure () -> [UInt8]?) -> ArraySlice<UInt8>? {
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
  mutating func sent(_ count: Int) {
    rest = count == rest.count ? [] : rest.dropFirst(count)
  }
}
