internal import COverline
package import Dispatch

/// Runs a handler on a queue when the process receives a signal, instead of the signal's default action.
///
/// This is not a signal source of Dispatch, which loses signals between its creation and its activation.
package final class SignalSource: Sendable {
  private let signal: Signal
  private let source: ReadSource

  package init(_ signal: Signal, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) throws(SystemError) {
    let event = SharedDescriptor(
      FileDescriptor(owning: try checkedNegative("watch a signal") { csystem_signal_watch(signal.rawValue) }))
    self.signal = signal
    source = try ReadSource(descriptor: event.descriptor.rawValue, keeping: event, queue: queue) {
      if (try? event.descriptor.read(atMost: 8)) != nil { handler() }
    }
  }

  deinit {
    csystem_signal_stop(signal.rawValue)
  }

  /// Whether the signal is ignored, as a parent process such as nohup(1) requests it.
  package static func isIgnored(_ signal: Signal) -> Bool {
    var action = sigaction()
    unsafe sigaction(signal.rawValue, nil, &action)
    let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// From now on a write to a closed pipe or socket is an error and does not end the process.
  package static func ignoreBrokenPipes() {
    _ = Glibc.signal(SIGPIPE, SIG_IGN)
  }
}

/// Ends the process (`exit(3)`).
package func exitProcess(_ code: Int32) -> Never {
  exit(code)
}
