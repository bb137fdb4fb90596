/// The output of a program without a banner, kept until there is time to draw it.
///
/// Bounded: a flood pushes out its oldest part. Of that part only modes are kept, not cells.
struct Backlog {
  /// In bytes. Many screens of text, which are drawn in a few milliseconds.
  private static let capacity = 256 * 1024
  /// The size in bytes at which the oldest chunks are pushed out, many at once: between two system calls the skimming code would leave the
  /// processor's caches.
  private static let fullness = 2 * capacity
  private static let smallChunk = 1024

  private var chunks: [[UInt8]] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }

  /// - Parameter skim: called with each chunk that is pushed out, oldest first.
  mutating func append(_ bytes: [UInt8], skim: ([UInt8]) -> Void) {
    count += bytes.count
    // Avoid an array for each byte when bytes come one at a time.
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
