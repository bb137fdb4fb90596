import Overline

/// Downloads what the file lacks, and waits out every outage.
///
/// - Parameter get: requests the bytes from a position on, and returns the size of the whole.
@MainActor func download(
  to file: PartialFile, watching monitor: NWPathMonitor,
  get: (_ start: Int, _ onBytes: ([UInt8]) throws -> Void) throws -> Int
) async throws {
  try await monitor.retryingWhenOffline(shouldRetry: { ($0 as? HTTPError)?.isOfConnection ?? false }) {
    print("from byte \(file.size)")
    defer { print("until byte \(file.size)") }
    let total = try get(file.size) { try file.append($0) }
    guard file.size == total else { throw HTTPError.connectionEnded }
  }
}
