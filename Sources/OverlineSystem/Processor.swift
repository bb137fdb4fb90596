internal import COverline

package enum Processor {
  /// Lets other ready threads run first (`sched_yield(2)`).
  package static func yield() { _ = sched_yield() }

  /// Names the calling thread.
  static func nameThread(_ name: String) { unsafe csystem_name_thread(name) }
}
