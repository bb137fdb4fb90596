import COverlineMallocCount
import Overline
import OverlineCore
import OverlineProcess
import OverlineShell
import OverlineSystem

/// A terminal and a program that are always ready. They allocate nothing, so that only the window's allocations count.
struct ReadyPort: ~Copyable, WindowPort {
  var now = Duration.seconds(1000)
  let terminalSize: TerminalSize? = TerminalSize(rows: 24, columns: 80)
  let isForeground = true
  let leadsSession = false
  let writeLimit: Int? = nil

  var ready = PortReadiness()
  var piece: [UInt8] = []
  private(set) var written = 0

  init() {}

  mutating func wait(for interest: PortInterest, until deadline: Duration?) -> PortReadiness { ready }
  mutating func nextSignal() -> Signal? { nil }
  mutating func takeRequests() -> [WindowRequest] { [] }
  mutating func nextReport() -> ProgramSession.Report? { nil }

  mutating func read(_ source: PortSource, into bytes: inout [UInt8]) -> PortRead {
    if piece.isEmpty { return .none }
    bytes += piece
    piece = []
    return .bytes
  }

  mutating func write(_ bytes: ArraySlice<UInt8>, to sink: PortSink) -> Int? {
    written += bytes.count
    return bytes.count
  }

  mutating func perform(_ effect: WindowEffect) -> [WindowEvent] { [] }
}

/// Prints the most allocations and copied bytes of one of the last turns.
func count(_ name: String, _ pump: inout WindowPump<ReadyPort>, _ bytes: [UInt8], from source: PortSource) {
  var (allocations, copied) = (0, 0)
  for number in 0..<400 {
    pump.port.now += .milliseconds(1)
    pump.port.ready = PortReadiness()
    if source == .terminal { pump.port.ready.typed = true } else { pump.port.ready.printed = true }
    pump.port.piece = bytes
    overline_begin_counting()
    pump.turn()
    // The first turns fill buffers that stay.
    if number < 200 { continue }
    allocations = max(allocations, overline_allocations())
    copied = max(copied, overline_copied_bytes())
  }
  print("\(name) \(allocations) \(copied)")
}

func countAll() {
  var capabilities = TerminalCapabilities(environment: { _ in nil }, isTerminal: true)
  capabilities.family = .xterm
  let display = DisplayMachine(
    banner: BannerSettings(), toasts: ToastSettings(), toastInput: ToastInputSettings(),
    size: TerminalSize(rows: 24, columns: 80), capabilities: capabilities)
  var pump = WindowPump(WindowMachine(display), port: ReadyPort())
  pump.deliver(.opened([]))
  pump.deliver(.programStarted(title: nil))
  count("key", &pump, [UInt8(ascii: "a")], from: .terminal)
  count("echo", &pump, [UInt8(ascii: "a")], from: .program)
  count("block", &pump, Array(repeating: UInt8(ascii: "x"), count: 4000), from: .program)
}

countAll()
