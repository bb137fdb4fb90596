internal import OverlineProcess
internal import OverlineSystem

/// The kernel's figures of a running process (proc(5)).
package struct ProcessFigures: Sendable {
  package let pid: Int32

  package init(pid: Int32) { self.pid = pid }

  /// The number of times that any of its threads gave up the processor voluntarily: each is one wake-up. A thread that ends meanwhile does
  /// not count.
  package func wakeUps() throws -> Int { try wakeUpsByThread().values.reduce(0, +) }

  /// The same for each thread, by its number.
  package func wakeUpsByThread() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for thread in try Files.names(in: "/proc/\(pid)/task") {
      do {
        counts[thread] = try value("voluntary_ctxt_switches", in: "/proc/\(pid)/task/\(thread)/status")
      } catch let error as SystemError where [ENOENT, ESRCH].contains(error.code) {}
    }
    return counts
  }

  package func threads() throws -> Int { try value("Threads", in: "/proc/\(pid)/status") }

  package func descriptors() throws -> Int { try Files.names(in: "/proc/\(pid)/fd").count }

  /// The resident memory, in kilobytes.
  package func residentSize() throws -> Int { try value("VmRSS", in: "/proc/\(pid)/status") }

  /// A line of smaps_rollup, in kilobytes: `Pss`, `Anonymous` and others.
  package func memory(_ name: String) throws -> Int { try value(name, in: "/proc/\(pid)/smaps_rollup") }

  /// Its processor time, including that of its ended threads.
  package func processorTime() throws -> Duration {
    var clock = clockid_t()
    var time = timespec()
    guard unsafe clock_getcpuclockid(pid, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else {
      throw TestKitError("cannot read the processor time of \(pid)")
    }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private func value(_ name: String, in path: String) throws -> Int {
    let text = String(decoding: try Files.read(path), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    guard let value = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap({ Int($0) }) else {
      throw TestKitError("no \(name) in \(path)")
    }
    return value
  }
}
