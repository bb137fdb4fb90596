/// Wakes a thread that waits for ``rawValue``, any number of times, from any thread.
package final class Doorbell: Sendable {
  private let pipe: Pipe

  package init() throws(SystemError) {
    pipe = try Pipe()
    try pipe.reading.setNonBlocking()
    try pipe.writing.setNonBlocking()
  }

  /// Readable when ``ring()`` was called since the last ``answer()``.
  package var rawValue: Int32 { pipe.reading.rawValue }

  package func ring() {
    // A full pipe is readable already.
    _ = try? pipe.writing.write([0])
  }

  package func answer() {
    while let bytes = try? pipe.reading.read(atMost: 64), bytes.count == 64 {}
  }
}
