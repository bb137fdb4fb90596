internal import COverline

/// A thread for code that waits for ever. On Dispatch it would occupy one of about 250 worker threads.
package enum BackgroundThread {
  /// Runs `body` on a new thread, which ends after `body`.
  ///
  /// The thread blocks signals, like Dispatch's threads. The program may have blocked a signal in its own threads, to wait for it with
  /// sigwait(3) or signalfd(2), and a delivery on this thread would end the program. The exceptions are faults, `SIGPIPE` and the
  /// profilers' `SIGPROF`, as in Dispatch's threads. A signal that the caller has blocked stays blocked.
  ///
  /// - Parameter name: the name in ps(1) and debuggers, at most 15 bytes (`PR_SET_NAME` of prctl(2)).
  package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let box = unsafe Unmanaged.passRetained(Body(name: name, body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { unsafe pthread_attr_destroy(&attributes) }
    var blocked = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&blocked)
    for number in [SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGPIPE, SIGPROF] {
      unsafe sigdelset(&blocked, number)
    }
    // A new thread inherits the signal mask of its creator.
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        unsafe Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    if code != 0 {
      unsafe box.release()
      throw SystemError(code: code, attempt: "start a thread")
    }
  }

  private final class Body: Sendable {
    private let name: String
    private let body: @Sendable () -> Void

    init(name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }

    func run() {
      Processor.nameThread(name)
      body()
    }
  }
}
