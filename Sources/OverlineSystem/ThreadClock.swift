/// The processor time of the calling thread, with the kernel's work for it.
package enum ThreadClock {
  package static var now: Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
