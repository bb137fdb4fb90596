package import Dispatch

extension Duration {
  /// Whole milliseconds, rounded up. If a wait were too short, its caller would spin through the last millisecond.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = clamped(parts: 1000).components
    let each: Int64 = 1_000_000_000_000_000
    return seconds * 1000 + attoseconds / each + (attoseconds % each > 0 ? 1 : 0)
  }

  /// The timeout for poll(2); 0 for a negative duration.
  package var pollTimeout: Int32 { Int32(clamping: max(0, wholeMilliseconds)) }

  /// The interval for Dispatch.
  package var dispatchInterval: DispatchTimeInterval { .nanoseconds(Int(wholeNanoseconds)) }

  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = clamped(parts: 1_000_000_000).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// Clamps to the durations that `Int64` can count in these parts of a second. Callers pass longer durations for "for ever".
  private func clamped(parts: Int64) -> Duration {
    let maximum = Duration.seconds(Int64.max / parts - 1)
    return max(.zero - maximum, min(self, maximum))
  }
}
