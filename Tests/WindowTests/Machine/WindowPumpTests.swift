import Overline
import OverlineProcess
import OverlineSystem
import OverlineTestThread
import Testing
@testable import OverlineCore
@testable import OverlineShell

/// A flood while nothing of the window shows. The pump writes each piece before the machine hears of it.
@Suite(.ownThread) struct WindowPumpTests {
  @Test func aFloodIsReportedOnceATurn() {
    let flood = Flood()
    flood.turn()
    #expect(flood.world.reads == 8)
    #expect(flood.world.written == flood.world.output(upTo: flood.world.read))
  }

  @Test func aShortPieceEndsTheTurn() {
    let flood = Flood(pieces: [4095, 90, 4095])
    flood.turn()
    #expect(flood.world.reads == 2)
    #expect(flood.world.written == flood.world.output(upTo: 4185))
  }

  /// The program waits while the terminal does, and nothing grows.
  @Test func whatTheTerminalDoesNotAcceptStopsTheReading() {
    let flood = Flood()
    flood.world.room = 5000
    for _ in 0..<20 { flood.turn() }
    #expect(flood.world.reads == 2)
    #expect(flood.world.written == flood.world.output(upTo: 5000))
    for room in [1, 700, 2000, 489, 1, 4095, 30_000] {
      flood.world.room = room
      for _ in 0..<20 { flood.turn() }
      #expect(flood.world.read - flood.world.written.count <= 4095)
    }
    #expect(flood.world.written == flood.world.output(upTo: 5000 + 37_286))
  }

  /// A terminal that is behind gets only the newest frame, as below a banner.
  @Test func aTerminalThatIsBehindGetsOneFrame() {
    let flood = Flood(motion: .on)
    flood.world.room = 5000
    flood.turn()
    flood.world.requests.append(.overlay(.banner(.networkFoundLost(cause: "eth0 has no carrier"))))
    for _ in 0..<100 {
      flood.world.now += .milliseconds(20)
      flood.turn()
    }
    flood.world.isPrinting = false
    flood.world.room = 100_000
    flood.turn()
    let rest = String(decoding: flood.world.written.dropFirst(flood.world.read), as: UTF8.self)
    #expect(flood.world.written.prefix(flood.world.read) == flood.world.output(upTo: flood.world.read)[...])
    #expect(rest.ranges(of: "No connection").count == 1)
  }

  @Test func controlCReachesTheProgramInAFlood() {
    let flood = Flood()
    for _ in 0..<3 { flood.turn() }
    flood.world.typed = [3]
    let reads = flood.world.reads
    flood.turn()
    #expect(flood.world.received == [3])
    #expect(flood.world.reads <= reads + 8)
  }

  @Test func aNewSizeReachesTheProgramInAFlood() {
    let flood = Flood()
    for _ in 0..<3 { flood.turn() }
    flood.world.resize(rows: 30, columns: 100)
    let reads = flood.world.reads
    flood.turn()
    #expect(flood.world.effects.contains(.resizeProgram(TerminalSize(rows: 30, columns: 100))))
    #expect(flood.world.reads <= reads + 8)
  }

  /// The terminal changed its size in the moment before the banner's delay ended, and its signal is late.
  @Test(arguments: [true, false]) func aBannerThatBecomesDueInAFloodHasTheNewestSize(isAmidTurn: Bool) {
    let flood = Flood(grace: .seconds(1))
    flood.world.requests.append(.overlay(.banner(.networkLost(cause: "eth0 has no carrier"))))
    flood.turn()
    flood.world.size = TerminalSize(rows: 30, columns: 100)
    if isAmidTurn { flood.world.timePerRead = .milliseconds(150) } else { flood.world.now += .milliseconds(1001) }
    flood.turn()
    flood.world.timePerRead = .zero
    #expect(!flood.showsBanner)
    // From here the cursor is in the last row again.
    flood.turn()
    flood.world.now += .seconds(1)
    flood.world.isPrinting = false
    flood.turn()
    #expect(flood.showsBanner)
    #expect(flood.world.effects.contains(.resizeProgram(TerminalSize(rows: 29, columns: 100))))
    #expect(!flood.world.effects.contains(.resizeProgram(TerminalSize(rows: 23, columns: 80))))
  }

  /// The same for a banner that is to show at once: it is not painted at the old size.
  @Test func aRequestComesAfterALookAtTheSize() {
    let flood = Flood()
    flood.turn()
    flood.world.isPrinting = false
    flood.world.now += .milliseconds(30)
    flood.turn()
    flood.world.size = TerminalSize(rows: 30, columns: 100)
    flood.world.requests.append(.overlay(.banner(.networkFoundLost(cause: "eth0 has no carrier"))))
    // This terminal does not tell its cursor.
    for _ in 0..<10 {
      flood.turn()
      flood.world.now += .milliseconds(400)
    }
    #expect(flood.showsBanner)
    #expect(flood.world.effects.contains(.resizeProgram(TerminalSize(rows: 29, columns: 100))))
    #expect(!flood.world.effects.contains(.resizeProgram(TerminalSize(rows: 23, columns: 80))))
  }

  /// The window prints the program's rows again below a banner: it must know all that has passed.
  @Test func theWindowKnowsTheScreenAfterAFlood() {
    let flood = Flood()
    flood.turn()
    flood.world.isPrinting = false
    flood.world.now += .seconds(1)
    flood.turn()
    let lines = String(decoding: flood.world.output(upTo: flood.world.read), as: UTF8.self).split(separator: "\r\n")
    #expect(flood.screen == Array(lines.suffix(24)).map { String($0) })
  }

  /// The report comes before what follows from it: a lost terminal is no reason to forget output.
  @Test func aTerminalThatIsLostEndsTheFlood() {
    let flood = Flood()
    flood.turn()
    flood.world.isTerminalLost = true
    flood.turn()
    #expect(flood.world.effects.contains(.hangUpProgram))
    let read = flood.world.read
    flood.turn()
    #expect(flood.world.read > read, "a program that prints must not wait for a terminal that is gone")
  }

  /// Output of processes that the program left behind does not keep the window.
  @Test func afterTheProgramsEndTheFloodIsCounted() {
    let flood = Flood()
    flood.world.reports = [.exited(0)]
    for _ in 0..<20 { flood.turn() }
    #expect(flood.isOver)
    #expect(flood.world.read < 4095 * 8 + 128 * 1024 + 4095)
  }

  /// The terminal that may block gets small writes, each after a poll.
  @Test func aTerminalThatMayBlockIsPolledFirst() {
    let flood = Flood(writeLimit: 256)
    for _ in 0..<40 { flood.turn() }
    #expect(flood.world.writesPerWait == 1)
    #expect(flood.world.written == flood.world.output(upTo: flood.world.written.count))
    #expect(flood.world.written.count > 4095)
  }
}

/// A window whose program prints as fast as it is read.
private final class Flood {
  let world: FloodWorld
  private var pump: WindowPump<FloodPort>

  init(
    pieces: [Int] = [4095], motion: BannerSettings.Motion = .off, grace: Duration = .zero, writeLimit: Int? = nil
  ) {
    world = FloodWorld(pieces: pieces, writeLimit: writeLimit)
    let display = DisplayMachine(
      banner: BannerSettings(graceDelay: grace, hideDelay: .seconds(2), motion: motion),
      toasts: ToastSettings(motion: motion), toastInput: ToastInputSettings(), size: world.size,
      capabilities: TerminalCapabilities(environment: { ["TERM": "konsole-256color"][$0] }, isTerminal: true))
    pump = WindowPump(WindowMachine(display), port: FloodPort(world: world))
    pump.deliver(.opened([]))
    pump.deliver(.programStarted(title: nil))
  }

  func turn() { if !isOver { pump.turn() } }
  var isOver: Bool { if case .over = pump.machine.phase { true } else { false } }
  var showsBanner: Bool { pump.machine.showsOverlays }

  /// What the window knows of the screen.
  var screen: [String] {
    (0..<world.size.rows).map { row in
      let cells = (0..<world.size.columns).map {
        pump.machine.display.canvas.output.surface.screen.cell(row: row, column: $0).text
      }
      return String(cells.joined().reversed().drop { $0 == " " }.reversed())
    }
  }
}

private final class FloodWorld {
  var now = Duration.seconds(100)
  var size = TerminalSize(rows: 24, columns: 80)
  /// The bytes that the terminal accepts from now on.
  var room = Int.max
  var isTerminalLost = false
  var isPrinting = true
  var timePerRead = Duration.zero
  var typed: [UInt8] = []
  var requests: [WindowRequest] = []
  var reports: [ProgramSession.Report] = []
  private var signals: [Signal] = []
  private let pieces: [Int]
  let writeLimit: Int?

  private(set) var reads = 0
  /// The bytes that were read.
  private(set) var read = 0
  private(set) var written: [UInt8] = []
  private(set) var received: [UInt8] = []
  private(set) var effects: [WindowEffect] = []
  /// The largest number of writes between two waits.
  private(set) var writesPerWait = 0
  private var writes = 0

  init(pieces: [Int], writeLimit: Int?) { (self.pieces, self.writeLimit) = (pieces, writeLimit) }

  func resize(rows: Int, columns: Int) {
    size = TerminalSize(rows: rows, columns: columns)
    signals.append(.windowSizeChanged)
  }

  /// A screen that is cleared, then numbered lines.
  private var lines = Array("\u{1b}[2J\u{1b}[H".utf8)
  private var lineCount = 0

  /// The program's output.
  func output(upTo count: Int) -> [UInt8] {
    while lines.count < count {
      lineCount += 1
      lines += "line \(lineCount) of a flood\r\n".utf8
    }
    return Array(lines.prefix(count))
  }

  func wait(for interest: PortInterest) -> PortReadiness {
    writes = 0
    var ready = PortReadiness()
    ready.typed = interest.typed && !typed.isEmpty
    ready.printed = interest.printed && isPrinting
    ready.reports = interest.reports && !reports.isEmpty
    ready.terminal = interest.terminal && room > 0
    ready.signals = !signals.isEmpty
    ready.requests = !requests.isEmpty
    return ready
  }

  func nextSignal() -> Signal? { signals.isEmpty ? nil : signals.removeFirst() }
  func nextReport() -> ProgramSession.Report? { reports.isEmpty ? nil : reports.removeFirst() }
  func takeRequests() -> [WindowRequest] {
    defer { requests = [] }
    return requests
  }

  func readOutput(into bytes: inout [UInt8]) -> PortRead {
    guard isPrinting else { return .none }
    let count = pieces[reads % pieces.count]
    reads += 1
    now += timePerRead
    read += count
    bytes += output(upTo: read).suffix(count)
    return .bytes
  }

  func readKeys(into bytes: inout [UInt8]) -> PortRead {
    if typed.isEmpty { return .none }
    bytes += typed
    typed = []
    return .bytes
  }

  func write(_ bytes: ArraySlice<UInt8>, to sink: PortSink) -> Int? {
    guard sink == .terminal else {
      received += bytes
      return bytes.count
    }
    if isTerminalLost { return nil }
    writes += 1
    writesPerWait = max(writesPerWait, writes)
    let count = min(bytes.count, room)
    if room < Int.max { room -= count }
    written += bytes.prefix(count)
    return count
  }

  func note(_ effect: WindowEffect) { effects.append(effect) }
}

private struct FloodPort: ~Copyable, WindowPort {
  let world: FloodWorld

  var now: Duration { world.now }
  var terminalSize: TerminalSize? { world.isTerminalLost ? nil : world.size }
  var isForeground: Bool { true }
  var leadsSession: Bool { false }
  var writeLimit: Int? { world.writeLimit }

  mutating func wait(for interest: PortInterest, until deadline: Duration?) -> PortReadiness {
    world.wait(for: interest)
  }
  mutating func nextSignal() -> Signal? { world.nextSignal() }
  mutating func takeRequests() -> [WindowRequest] { world.takeRequests() }
  mutating func nextReport() -> ProgramSession.Report? { world.nextReport() }
  mutating func read(_ source: PortSource, into bytes: inout [UInt8]) -> PortRead {
    source == .program ? world.readOutput(into: &bytes) : world.readKeys(into: &bytes)
  }
  mutating func write(_ bytes: ArraySlice<UInt8>, to sink: PortSink) -> Int? { world.write(bytes, to: sink) }
  mutating func perform(_ effect: WindowEffect) -> [WindowEvent] {
    world.note(effect)
    return []
  }
}
