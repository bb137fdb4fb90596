import Glibc

struct FileError: Error {
  let attempt: String
  let code: Int32
}

/// A file that grows at its end. The bytes of an earlier run stay.
final class PartialFile {
  private let descriptor: Int32
  private(set) var size: Int

  init(_ path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    size = Int(lseek(descriptor, 0, SEEK_END))
    if descriptor < 0 || size < 0 { throw FileError(attempt: "open \(path)", code: errno) }
  }

  deinit { close(descriptor) }

  func append(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 { throw FileError(attempt: "write", code: errno) }
      rest = rest.dropFirst(count)
      size += count
    }
  }
}
