internal import Glibc

/// Whether a sanitizer watches this process and the programs that it starts (`make sanitize`). It keeps memory of its own for each thing
/// it watches, and freed memory for a while: what a process takes then says nothing.
package enum Sanitizer {
  package static let isWatching = ["__asan_init", "__tsan_init"].contains { (name: String) in
    unsafe dlsym(nil, name) != nil
  }

  /// The thread sanitizer's own in each process, which never sleeps for long.
  package static let threads = unsafe dlsym(nil, "__tsan_init") == nil ? 0 : 1

  /// How many times as long as usual a test waits: what is watched takes 2 to 20 times as long.
  static let slowness = isWatching ? 6 : 1
}
