internal import COverline
package import Dispatch
internal import Glibc

/// Sees to terminals on which a library draws in a program that is not its own: its signals, its standard output, its end.
package enum TerminalGuard {
  /// From now on `bytes` (always the same) are written to the terminal before a signal ends or stops this process: `SIGHUP`,
  /// `SIGINT`, `SIGQUIT`, `SIGTERM` and `SIGTSTP`, each only as long as the program leaves it to its default.
  ///
  /// At most 64 terminals; one more is not guarded.
  package static func add(_ descriptor: Int32, repairedBy bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe csystem_guard_terminal(descriptor, $0.baseAddress, $0.count) }
  }

  package static func remove(_ descriptor: Int32) { csystem_unguard_terminal(descriptor) }

  /// Another number each time that this process goes on after it was stopped, with terminals on which nothing is left of it; nil from
  /// the moment at which a signal is about to stop or end it, when nobody is there to take away what is drawn.
  package static var tenure: Int32? {
    let tenure = csystem_terminal_tenure()
    return tenure < 0 ? nil : tenure
  }

  /// Runs a handler on a queue when a terminal has got another size, or this process goes on after it was stopped. Once a process.
  ///
  /// Of sizes it is told only while ``watchResizes(_:)`` is on.
  package static func events(
    on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) throws(SystemError) -> ReadSource {
    let descriptor = try checkedNegative("watch a terminal") { csystem_terminal_event() }
    return ReadSource(descriptor: Int32(descriptor), keeping: (), queue: queue) {
      _ = try? readBytes(from: Int32(descriptor), atMost: 8)
      handler()
    }
  }

  /// Listens to `SIGWINCH`, as often as it was turned on; the program's own handler is called too, and is back when it was turned off
  /// as often.
  package static func watchResizes(_ isOn: Bool) { csystem_watch_resizes(isOn ? 1 : 0) }
}

/// What a C program's standard output is to those who write beside it.
package enum StandardOutput {
  /// Runs `body` when everything that was printed is written, and before anything else is printed: `flockfile(3)` and `fflush(3)`.
  package static func afterEverythingPrinted<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    csystem_output_lock()
    defer { csystem_output_unlock() }
    return try body()
  }
}

/// Runs a function when the process ends by `exit(3)` or by returning from `main`.
package func atProcessExit(_ body: @escaping @convention(c) () -> Void) {
  _ = atexit(body)
}
