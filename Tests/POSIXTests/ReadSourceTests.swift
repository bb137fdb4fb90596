import Dispatch
import Glibc
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

@Suite(.ownThread) struct ReadSourceTests {
  /// A process whose descriptors Dispatch watches without a set crashes here in most runs.
  @Test(.ownProcess) func manyHangUpsAtOnceDoNotCrashTheProcess() {
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<5000 {
        #expect(throws: Never.self) { try Self.hangUp() }
      }
    }
  }

  /// Releases a source while its descriptor hangs up.
  private static func hangUp() throws {
    let (reading, writing) = try pipe()
    let hasEnded = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "overline.test.source")
    let source = try ReadSource(descriptor: reading.descriptor.rawValue, keeping: reading, queue: queue) {
      if (try? reading.descriptor.read())?.isEmpty == true { hasEnded.signal() }
    }
    close(writing)
    #expect(hasEnded.wait(timeout: .now() + .seconds(30)) == .success)
    withExtendedLifetime(source) {}
  }

  /// A hang-up may arrive while the handler reads, and is then reported once more.
  @Test func aHangUpIsNotReportedForEver() throws {
    let (reading, writing) = try Self.pipe()
    let counts = Recorder<Int>()
    let queue = DispatchQueue(label: "overline.test.source")
    let source = try ReadSource(descriptor: reading.descriptor.rawValue, keeping: reading, queue: queue) {
      while let count = try? reading.descriptor.read().count {
        counts.record(count)
        if count == 0 { break }
      }
    }
    _ = try writeBytes([1, 2, 3], to: writing)
    try counts.wait("the bytes") { $0 == [3] }
    close(writing)
    try counts.wait("the end") { $0.last == 0 }
    // A set that still has the descriptor would have queued the handler again.
    let later = DispatchSemaphore(value: 0)
    let other = try DeadlineTimer(queue: queue) { later.signal() }
    other.arm(BootClock.now + .milliseconds(20))
    #expect(later.wait(timeout: .now() + .seconds(30)) == .success)
    #expect([[3, 0], [3, 0, 0]].contains(counts.values), "\(counts.values)")
    withExtendedLifetime(source) {}
  }

  private static func pipe() throws -> (reading: SharedDescriptor, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(Glibc.pipe(&ends) == 0)
    let reading = SharedDescriptor(FileDescriptor(owning: ends[0]))
    try reading.descriptor.setNonBlocking()
    return (reading, ends[1])
  }
}
