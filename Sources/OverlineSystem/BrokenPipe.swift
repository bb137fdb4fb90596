/// Runs `body` with `SIGPIPE` blocked on this thread. A write to a closed reader then fails with `EPIPE` and does not end the process,
/// whatever the signal's action is.
package func withoutBrokenPipeSignal<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
  -> Result
{
  var signals = sigset_t()
  var previous = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe sigaddset(&signals, SIGPIPE)
  unsafe pthread_sigmask(SIG_BLOCK, &signals, &previous)
  defer {
    // A failed write leaves the signal pending on this thread (pipe(7)). Consume it here; otherwise unblocking it below would deliver it.
    var now = timespec()
    while unsafe sigtimedwait(&signals, nil, &now) < 0, errno == EINTR {}
    unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
  }
  return try body()
}
