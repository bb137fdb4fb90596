import OverlineProcess
import OverlineSystem
@testable import OverlineCore
@testable import OverlineShell

/// The port of a window in a simulated world.
struct SimulatedPort: ~Copyable, WindowPort {
  let world: SimulatedWorld

  var now: Duration { world.now }
  var terminalSize: TerminalSize? { world.size }
  var isForeground: Bool { true }
  var leadsSession: Bool { world.scenario.leadsSession }
  var writeLimit: Int? { nil }

  mutating func wait(for interest: PortInterest, until deadline: Duration?) -> PortReadiness {
    world.wait(for: interest, until: deadline)
  }
  mutating func nextSignal() -> Signal? { world.nextSignal() }
  mutating func takeRequests() -> [WindowRequest] { world.takeRequests() }
  mutating func nextReport() -> ProgramSession.Report? { world.nextReport() }
  mutating func read(_ source: PortSource, into bytes: inout [UInt8]) -> PortRead { world.read(source, into: &bytes) }
  mutating func write(_ bytes: ArraySlice<UInt8>, to sink: PortSink) -> Int? { world.write(bytes, to: sink) }
  mutating func perform(_ effect: WindowEffect) -> [WindowEvent] { world.perform(effect) }
}
