import Foundation
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

@Suite(.ownThread) struct ProcessorTests {
  /// A program that the thread starts, such as a hook, is scheduled like any other.
  @Test(.enabled(if: SchedulerSlice.canRun, "COULD NOT RUN: short slices need Linux 6.12 and /proc/self/sched"))
  func aShortSliceIsOfTheCallingThreadAlone() throws {
    let usual = SchedulerSlice.of(try Files.read("/proc/thread-self/sched"))
    Processor.requestShortSlices()
    #expect(SchedulerSlice.of(try Files.read("/proc/thread-self/sched")) == 100_000)
    let child = try Subprocess.run("cat", ["/proc/self/sched"])
    #expect(SchedulerSlice.of(child.output) == usual)
    Processor.giveUpShortSlices()
    #expect(SchedulerSlice.of(try Files.read("/proc/thread-self/sched")) == usual)
  }
}

private enum SchedulerSlice {
  static let canRun =
    ProcessInfo.processInfo.isOperatingSystemAtLeast(.init(majorVersion: 6, minorVersion: 12, patchVersion: 0))
    && of((try? Files.read("/proc/self/sched")) ?? []) != nil

  /// Nanoseconds, from the scheduler's file of a thread.
  static func of(_ file: [UInt8]) -> Int? {
    let line = String(decoding: file, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("se.slice") }
    return line?.split(separator: " ").last.flatMap { Int($0) }
  }
}
