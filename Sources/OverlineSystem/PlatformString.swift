internal import COverline

/// A string as the kernel passes it: any bytes except 0, without a known encoding. A file name that is not UTF-8 is kept unchanged.
package struct PlatformString: Equatable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// Ends with 0.
  private let bytes: [CChar]

  package init(_ string: String) { bytes = Array(string.utf8CString) }

  package init(stringLiteral string: String) { self.init(string) }

  package init(cString: UnsafePointer<CChar>) {
    bytes = unsafe Array(UnsafeBufferPointer(start: cString, count: strlen(cString) + 1))
  }

  /// For display: invalid UTF-8 is replaced.
  package var description: String { String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }

  package func hasPrefix(_ prefix: String) -> Bool { bytes.starts(with: prefix.utf8CString.dropLast()) }

  /// Passes the strings as a C array of pointers, the last one null.
  package static func withPointers<Result>(
    _ strings: [PlatformString], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = unsafe strings.map { unsafe strdup($0.bytes) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
  }
}
