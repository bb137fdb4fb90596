internal import COverline

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
}
