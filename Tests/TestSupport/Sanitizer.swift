internal import OverlineSystem

/// Whether a sanitizer watches this process and the programs that it starts (`make sanitize`). A sanitizer keeps its own memory for each
/// object it watches, and freed memory for a while, which makes a process's memory use meaningless.
package enum Sanitizer {
  package static let isWatching = ["__asan_init", "__tsan_init"].contains { (name: String) in
    unsafe dlsym(nil, name) != nil
  }

  /// The thread sanitizer's own thread in each process, which never sleeps for long.
  package static let threads = unsafe dlsym(nil, "__tsan_init") == nil ? 0 : 1

  /// The factor for a test's time limits: watched code takes 2 to 20 times as long.
  static let slowness = isWatching ? 6 : 1
}
