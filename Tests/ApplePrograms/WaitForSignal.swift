import Dispatch

#if canImport(Network)
  import Darwin
  import Network
#else
  import Glibc
  import NetworkPath
#endif

/// A server's main thread: it blocks its terminating signal, in this thread only, and waits for it.
func waitForSignal() -> Never {
  let monitor = NWPathMonitor()
  let first = DispatchSemaphore(value: 0)
  monitor.pathUpdateHandler = { _ in first.signal() }
  monitor.start(queue: DispatchQueue(label: "paths"))
  first.wait()
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe sigaddset(&signals, SIGTERM)
  unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  print("waiting")
  var number: Int32 = 0
  unsafe sigwait(&signals, &number)
  print("ended in order")
  monitor.cancel()
  exit(0)
}
