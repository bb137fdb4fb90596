internal import COverline
package import OverlineSystem

/// The limits of what this process may use.
package enum ResourceLimits {
  /// Makes all threads share one heap (`M_ARENA_MAX` of mallopt(3)). Call this before there is a second heap. Otherwise each short-lived
  /// thread leaves a part of its own heap behind, half a megabyte in total.
  package static func limitMallocArenas() { csystem_limit_malloc_arenas() }

  /// Raises the soft limit of open descriptors (usually 1024), so that 1,000 observers fit. The hard limit would be too high: it may be a
  /// billion, children inherit it, and some of them close or count all possible descriptors.
  package static func raiseDescriptors() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 4096))
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Throws unless this process can have so many more threads and descriptors at once. Call this before the first use of Dispatch, and
  /// before anything is changed that an error would leave behind.
  ///
  /// libdispatch reports neither shortage. Without a thread it sleeps and tries again, for ever, on the thread that submitted the work.
  /// Without a descriptor it ends the process.
  ///
  /// - Parameter threads: also the processes that will be started: the kernel counts both (`RLIMIT_NPROC` of getrlimit(2)).
  package static func checkRoom(threads: Int, descriptors: Int) throws(SystemError) {
    var stack = rlimit()
    if unsafe getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &stack) == 0, stack.rlim_cur < minimumStack {
      throw SystemError(
        code: ENOMEM, attempt: "run in a stack of \(stack.rlim_cur >> 10) KB",
        reason: "raise the limit to \(minimumStack >> 10) KB or more (ulimit -s)")
    }
    try check(csystem_try_threads(Int32(threads)), "start \(threads) threads") {
      [EAGAIN, ENOMEM].contains($0) ? "the limit of processes or memory is reached; raise it (ulimit -u, -v, -d)" : nil
    }
    try check(csystem_try_descriptors(Int32(descriptors)), "open \(descriptors) files") {
      $0 == EMFILE ? "the limit of open files is reached; raise it (ulimit -n)" : nil
    }
  }

  /// - Parameter advice: our own reason for an `errno` value; nil for the kernel's.
  private static func check(
    _ result: Int32, _ attempt: String, advice: (Int32) -> String?
  ) throws(SystemError) {
    if result < 0 { throw SystemError(code: -result, attempt: attempt, reason: advice(-result)) }
  }

  /// A window's first banner takes 70 KB of the stack, and new threads get a stack of the limit's size.
  private static let minimumStack: rlim_t = 256 << 10
}
