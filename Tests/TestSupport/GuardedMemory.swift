internal import OverlineSystem

/// Memory that ends at an inaccessible page: reading one byte too many ends the process at once, also in a C
/// library that no sanitizer covers.
@safe
package struct GuardedMemory: ~Copyable {
  private let start: UnsafeMutableRawPointer
  private let capacity: Int
  private let pageSize: Int

  /// - Parameter capacity: the number of bytes that it can hold, at least.
  package init(capacity: Int) {
    pageSize = Int(getpagesize())
    self.capacity = (capacity + pageSize - 1) / pageSize * pageSize
    unsafe start = mmap(
      nil, self.capacity + pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    precondition(unsafe start != MAP_FAILED, "no memory")
    precondition(unsafe mprotect(start + self.capacity, pageSize, PROT_NONE) == 0, "no guard page")
  }

  deinit { unsafe munmap(start, capacity + pageSize) }

  /// Runs `body` with a copy of the bytes that ends at the inaccessible page.
  package func holding<Result>(
    _ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    precondition(bytes.count <= capacity)
    let room = unsafe UnsafeMutableRawBufferPointer(start: start + capacity - bytes.count, count: bytes.count)
    unsafe room.copyBytes(from: bytes)
    return unsafe try body(UnsafeRawBufferPointer(room))
  }
}
