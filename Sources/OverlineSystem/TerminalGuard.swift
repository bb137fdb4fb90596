internal import COverline
package import Dispatch

/// Restores the terminals on which the library draws inside another program, when a signal stops or ends that program.
package enum TerminalGuard {
  /// From now on, handlers write `bytes` (always the same) to the terminal before a signal ends or stops this process. The signals are
  /// `SIGHUP`, `SIGINT`, `SIGQUIT`, `SIGTERM` and `SIGTSTP`, each only while the program keeps the default action, and the signals of a
  /// crash, also before Swift's runtime prints its backtrace.
  ///
  /// Guards at most 64 terminals, and ignores further ones.
  package static func add(_ descriptor: Int32, repairedBy bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe csystem_guard_terminal(descriptor, $0.baseAddress, $0.count) }
  }

  package static func remove(_ descriptor: Int32) { csystem_unguard_terminal(descriptor) }

  /// Changes each time that this process continues after a stop, with its terminals restored. Nil as soon as a signal is about to stop or
  /// end the process: later drawing would not be erased.
  package static var foregroundGeneration: Int32? {
    let foregroundGeneration = csystem_foreground_generation()
    return foregroundGeneration < 0 ? nil : foregroundGeneration
  }

  /// Runs a handler on a queue when this process continues after a stop. Call it once per process.
  package static func events(
    on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) throws(SystemError) -> ReadSource {
    let descriptor = try checkedNegative("watch a terminal") { csystem_terminal_event() }
    return try ReadSource(descriptor: Int32(descriptor), keeping: (), queue: queue) {
      _ = try? readBytes(from: Int32(descriptor), atMost: 8)
      handler()
    }
  }
}

/// The standard output of C code, for a caller that also writes to descriptor 1.
package enum StandardOutput {
  /// Runs `body` after all printed output is written and before more is printed (`flockfile(3)`, `fflush(3)`).
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
