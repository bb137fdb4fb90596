/// What a client has yet to be sent: the rest of a line that the kernel took half of, the answers to its requests in order, and
/// whether it has seen the newest state and the newest announcement. Both are levels: a client that does not read owes us one state,
/// not a hundred.
struct Outbox {
  /// A client with so many unread answers is not read from any more until it has taken some.
  static let maximumAnswers = 16

  /// Shares its storage with every other client that is sent the same state.
  private var rest: ArraySlice<UInt8> = []
  private var answers: [[UInt8]] = []
  private var owesState = false
  private var announcement: [UInt8]?

  var isFull: Bool { answers.count >= Self.maximumAnswers }

  mutating func add(answer: [UInt8]) { answers.append(answer) }
  mutating func addState() { owesState = true }
  mutating func add(announcement: [UInt8]) { self.announcement = announcement }

  /// The bytes to send now; nil when there are none.
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

  /// The kernel took so many bytes of the head.
  mutating func sent(_ count: Int) {
    rest = count == rest.count ? [] : rest.dropFirst(count)
  }
}
