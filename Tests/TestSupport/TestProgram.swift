internal import Dispatch
package import OverlineSystem

/// A running program whose output arrives line by line. Releasing this object ends it.
package final class TestProgram: Sendable {
  package var pid: Int32 { process.pid }
  private let process: ChildProcess
  /// The lines of its standard output, in order.
  package let lines = Recorder<String>()
  /// The lines of its standard error, in order.
  package let errors = Recorder<String>()
  private let sources: [ReadSource]

  /// Starts a program, in the calling thread's network namespace.
  ///
  /// - Parameters:
  ///   - environment: `NAME=value` strings, the complete environment.
  ///   - inheriting: further descriptors of the program: pairs of (ours, its number there).
  package init(
    _ executable: String, _ arguments: [String], environment: [String], inheriting: [(ours: Int32, theirs: Int32)] = []
  ) throws {
    let output = try Pipe()
    let errors = try Pipe()
    process = ChildProcess(
      try Subprocess.spawn(
        executable, arguments, environment: environment, newSession: true,
        descriptors: [(output.writing.rawValue, 1), (errors.writing.rawValue, 2)] + inheriting))
    let queue = DispatchQueue(label: "overline.test.program")
    sources = [
      try Self.read(output.takeReading(), on: queue, into: lines),
      try Self.read(errors.takeReading(), on: queue, into: self.errors),
    ]
  }

  /// Sends a signal and waits for the program's end. Returns its exit code, or 128 + the signal's number.
  @discardableResult
  package func end(_ signal: Signal) -> Int32 {
    signal.send(to: pid)
    return endStatus(of: pid)
  }

  private static func read(
    _ descriptor: consuming FileDescriptor, on queue: DispatchQueue, into lines: Recorder<String>
  ) throws -> ReadSource {
    try descriptor.setNonBlocking()
    let reader = LineReader(descriptor, lines)
    return try ReadSource(descriptor: reader.descriptor.rawValue, keeping: reader, queue: queue) { reader.drain() }
  }
}

/// Cuts a stream into lines. Used on one queue only.
private final class LineReader: @unchecked Sendable {
  let descriptor: FileDescriptor
  private let lines: Recorder<String>
  private var rest: [UInt8] = []
  private var hasEnded = false

  init(_ descriptor: consuming FileDescriptor, _ lines: Recorder<String>) {
    self.descriptor = descriptor
    self.lines = lines
  }

  func drain() {
    while !hasEnded, let bytes = try? descriptor.read() {
      hasEnded = bytes.isEmpty
      rest += bytes
      while let end = rest.firstIndex(of: 0x0a) {
        lines.record(String(decoding: rest[..<end], as: UTF8.self))
        rest.removeSubrange(...end)
      }
    }
  }
}
