package import OverlineCore
package import OverlineProcess
package import OverlineSystem

/// What ``WindowPump`` gets from the world: the clock, the terminal, the program and other threads. It decides nothing.
///
/// ``SystemPort`` owns descriptors and processes. The simulator's port draws every answer from a seed, so that the same pump runs in both.
package protocol WindowPort: ~Copyable {
  /// The time since boot, with the time in suspend.
  var now: Duration { get }
  /// The terminal's size; nil when the terminal is gone.
  var terminalSize: TerminalSize? { get }
  /// False while another process is in the terminal's foreground.
  var isForeground: Bool { get }
  /// Whether this process leads its session: then no shell uses the terminal while it is stopped.
  var leadsSession: Bool { get }
  /// The largest write to the terminal in bytes; nil for no limit. Where there is one, a write may block, so the pump polls first.
  var writeLimit: Int? { get }

  /// Waits until the port is ready for something of interest, or `deadline` has come; nil waits without an end.
  mutating func wait(for interest: PortInterest, until deadline: Duration?) -> PortReadiness
  /// The next signal to this process; nil when none is left.
  mutating func nextSignal() -> Signal?
  /// The requests of other threads since the last call.
  mutating func takeRequests() -> [WindowRequest]
  /// The next change of the program's state; nil when there is none.
  mutating func nextReport() -> ProgramSession.Report?
  /// Reads once, and appends what it has read.
  mutating func read(_ source: PortSource, into bytes: inout [UInt8]) -> PortRead
  /// Writes once.
  ///
  /// - Returns: the number of bytes accepted, zero if none can be now; nil if the terminal or the program is gone.
  mutating func write(_ bytes: ArraySlice<UInt8>, to sink: PortSink) -> Int?
  /// Performs an effect that is neither a write nor a discard.
  ///
  /// - Returns: the events that it has caused.
  mutating func perform(_ effect: WindowEffect) -> [WindowEvent]
}

/// What the pump waits for. Fields, not an `OptionSet`: its literals look up generic metadata at each call, and this is made for each key.
package struct PortInterest: Equatable, Sendable {
  /// The terminal's bytes.
  package var typed = false
  /// The program's output.
  package var printed = false
  package var reports = false
  /// The terminal accepts bytes.
  package var terminal = false
  /// The program's terminal accepts bytes.
  package var program = false
}

/// What a wait has found. Signals and requests are always of interest.
package struct PortReadiness: Equatable, Sendable {
  package var typed = false
  package var printed = false
  package var reports = false
  package var terminal = false
  package var signals = false
  package var requests = false

  package init() {}
}

package enum PortSource: Equatable, Sendable {
  case terminal
  case program
}

package enum PortSink: Equatable, Sendable {
  case terminal
  case program
}

/// The result of one read.
package enum PortRead: Equatable, Sendable {
  case bytes
  /// Nothing waits to be read.
  case none
  /// The other end is gone.
  case end
}
