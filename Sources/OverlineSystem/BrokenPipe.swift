internal import Glibc

/// Runs `body` with `SIGPIPE` held back on this thread, so that writing to a reader that has gone is the error `EPIPE` and not
/// the end of the process, whatever the process does about the signal.
package func withoutBrokenPipeSignal<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
  -> Result
{
  var signals = sigset_t()
  var previous = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe sigaddset(&signals, SIGPIPE)
  unsafe pthread_sigmask(SIG_BLOCK, &signals, &previous)
  defer {
    // The signal of a failed write waits at this thread (pipe(7)): take it, or it would arrive below.
    var now = timespec()
    while unsafe sigtimedwait(&signals, nil, &now) < 0, errno == EINTR {}
    unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
  }
  return try body()
}
