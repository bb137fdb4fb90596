internal import CSystem
internal import Glibc

public enum Processor {
  /// Lets others that are ready run first (`sched_yield(2)`).
  public static func yield() { _ = sched_yield() }

  /// Names the calling thread.
  static func nameThread(_ name: String) { unsafe csystem_name_thread(name) }
}
