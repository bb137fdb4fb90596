/// What a program wrote without a banner, kept until there is time to draw it.
///
/// Bounded: a flood pushes its oldest part out, of which only modes are kept, no cells.
struct Backlog {
  /// Bytes. A screen's worth of text many times over; drawn in a few milliseconds.
  private static let capacity = 256 * 1024
  /// How much may be there before the oldest goes: many chunks at once, since one alone would find the code for it gone from the
  /// processor's caches, between two system calls.
  private static let fullness = 2 * capacity
  private static let smallChunk = 1024

  private var chunks: [[UInt8]] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }

  /// - Parameter skim: called with what has to go, oldest first.
  mutating func append(_ bytes: [UInt8], skim: ([UInt8]) -> Void) {
    count += bytes.count
    // A byte at a time must not become an array for each.
    if let last = chunks.indices.last, chunks[last].count < Self.smallChunk {
      chunks[last] += bytes
    } else {
      chunks.append(bytes)
    }
    if count > Self.fullness { pushOut(skim) }
  }

  private mutating func pushOut(_ skim: ([UInt8]) -> Void) {
    var gone = 0
    while count > Self.capacity, gone < chunks.count - 1 {
      skim(chunks[gone])
      count -= chunks[gone].count
      gone += 1
    }
    chunks.removeFirst(gone)
  }

  mutating func take() -> [[UInt8]] {
    defer { self = Backlog() }
    return chunks
  }
}
