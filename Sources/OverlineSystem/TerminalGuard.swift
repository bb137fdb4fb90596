internal import COverline
package import Dispatch
internal import Glibc

/// Restores terminals on which a library draws in a program that is not its own: handles the program's signals, its output and its end.
package enum TerminalGuard {
  /// From now on the handlers write `bytes` (always the same) to the terminal before a signal ends or stops this process: `SIGHUP`,
  /// `SIGINT`, `SIGQUIT`, `SIGTERM` and `SIGTSTP`, each only while the program keeps its default action.
  ///
  /// At most 64 terminals; further ones are not guarded.
  package static func add(_ descriptor: Int32, repairedBy bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe csystem_guard_terminal(descriptor, $0.baseAddress, $0.count) }
  }

  package static func remove(_ descriptor: Int32) { csystem_unguard_terminal(descriptor) }

  /// Changes each time that this process continues after a stop, with its terminals restored. Nil from the moment at which a signal is
  /// about to stop or end it: later drawing would not be erased.
  package static var foregroundGeneration: Int32? {
    let foregroundGeneration = csystem_terminal_tenure()
    return foregroundGeneration < 0 ? nil : foregroundGeneration
  }

  /// Runs a handler on a queue when a terminal was resized or this process continues after a stop. Call it once per process.
  ///
  /// Resizes are reported only while ``watchResizes(_:)`` is on.
  package static func events(
    on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) throws(SystemError) -> ReadSource {
    let descriptor = try checkedNegative("watch a terminal") { csystem_terminal_event() }
    return ReadSource(descriptor: Int32(descriptor), keeping: (), queue: queue) {
      _ = try? readBytes(from: Int32(descriptor), atMost: 8)
      handler()
    }
  }

  /// Handles `SIGWINCH` until it was turned off as often as on. The program's own handler is called too, and is restored at the end.
  package static func watchResizes(_ isOn: Bool) { csystem_watch_resizes(isOn ? 1 : 0) }
}

/// A C program's standard output, for a caller that writes beside it.
package enum StandardOutput {
  /// Runs `body` after all printed output is written, and before more is printed: `flockfile(3)` and `fflush(3)`.
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
