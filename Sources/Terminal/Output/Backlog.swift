/// What a program wrote without a banner, kept until somebody has time to draw it.
///
/// Bounded: a flood pushes its oldest part out, of which only modes are kept, no cells.
struct Backlog {
  /// Bytes. A screen's worth of text many times over; drawn in two milliseconds.
  private static let capacity = 256 * 1024
  private static let smallChunk = 1024

  private var chunks: [[UInt8]] = []
  /// The first chunk that has not been pushed out.
  private var first = 0
  private var count = 0

  var isEmpty: Bool { count == 0 }

  /// - Parameter skim: called with what has to go, oldest first.
  mutating func append(_ bytes: [UInt8], skim: ([UInt8]) -> Void) {
    count += bytes.count
    // A byte at a time must not become an array for each.
    if chunks.count > first, chunks[chunks.count - 1].count < Self.smallChunk {
      chunks[chunks.count - 1] += bytes
    } else {
      chunks.append(bytes)
    }
    while count > Self.capacity, first < chunks.count - 1 {
      skim(chunks[first])
      count -= chunks[first].count
      chunks[first] = []
      first += 1
    }
    // The empty places of what went are taken back now and then, not each time.
    if first > 64 {
      chunks.removeFirst(first)
      first = 0
    }
  }

  mutating func take() -> ArraySlice<[UInt8]> {
    defer { self = Backlog() }
    return chunks[first...]
  }
}
