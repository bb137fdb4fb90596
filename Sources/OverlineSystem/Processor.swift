internal import COverline

package enum Processor {
  /// Lets other ready threads run first (`sched_yield(2)`).
  package static func yield() { _ = sched_yield() }

  /// Asks the scheduler to run the calling thread soon after each wake-up, before threads that have run longer. In return the thread runs
  /// for shorter times. For a thread that waits for an event and has little to do then.
  ///
  /// The request is a slice of 0.1 ms (`sched_runtime` of sched_setattr(2), Linux 6.12 and later; earlier kernels ignore it). New threads and
  /// processes do not inherit it.
  package static func requestShortSlices() { csystem_set_slice(100_000) }

  /// Takes the request back, for a thread that moves a flood of bytes: short slices would cost it a tenth of its time.
  package static func giveUpShortSlices() { csystem_set_slice(0) }

  /// Names the calling thread.
  package static func nameThread(_ name: String) { unsafe csystem_name_thread(name) }
}
