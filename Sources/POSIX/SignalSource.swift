public import Dispatch
internal import Glibc

/// Runs a handler on a queue when the process gets a signal, instead of what the signal does by default.
public final class SignalSource: Sendable {

  /// Dispatch sources are safe from any thread; their protocol does not say so.
  private nonisolated(unsafe) let source: any DispatchSourceSignal

  public init(_ signal: Signal, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
    // Dispatch sees a signal whatever its disposition; ignored, it does nothing else.
    _ = Glibc.signal(signal.rawValue, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: queue)
    source.setEventHandler(handler: handler)
    unsafe self.source = source
    source.activate()
  }

  deinit {
    unsafe source.cancel()
  }

  /// A write to a closed pipe or socket becomes an error, not the end of the process.
  public static func ignoreBrokenPipes() {
    _ = Glibc.signal(SIGPIPE, SIG_IGN)
  }
}

/// Ends the process (`exit(3)`).
public func exitProcess(_ code: Int32) -> Never {
  exit(code)
}
