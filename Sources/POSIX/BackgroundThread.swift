internal import Glibc

/// A thread that waits for something for as long as it lives. Dispatch has some 250 threads for work, which waiting would use up.
public enum BackgroundThread {
  /// Runs `body` on a new thread, which ends with it.
  public static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let box = unsafe Unmanaged.passRetained(Body(body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { unsafe pthread_attr_destroy(&attributes) }
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
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
