internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The real terminal, the real program and the real clock.
struct SystemPort: ~Copyable, WindowPort {
  /// Indices of descriptors in ``ready``.
  private enum Place {
    static let typed = 0
    static let printed = 1
    static let terminal = 2
    static let signals = 3
    static let reports = 4
    static let bell = 5
    static let timer = 6
    static let count = 7
  }

  private let link: WindowLink
  private let signals: TakenSignals
  /// For distant deadlines: this timer counts suspended time.
  private let timer: BootTimer
  private var terminal: OuterTerminal
  private var session: ProgramSession?
  private var ready = PollSet(count: Place.count)
  private var buffer = ReadBuffer(size: 64 * 1024)
  private var connections = ProgramConnections()

  init(link: WindowLink) throws(SystemError) {
    let signals = try TakenSignals(
      Signal.ending + [.interrupt, .quit, .terminalStop, .terminalOutput, .continued, .windowSizeChanged])
    let timer = try BootTimer()
    // While the shell is in the foreground, the terminal has the modes of the shell's line editor.
    OuterTerminal.waitForForeground(hasProgram: false)
    terminal = try OuterTerminal()
    self.signals = signals
    self.timer = timer
    self.link = link
  }

  /// Starts the program in a terminal of this size.
  mutating func start(
    _ arguments: [PlatformString], environment: [PlatformString], size: TerminalSize
  ) throws(ProgramSession.StartError) {
    // A redirected standard error stays redirected.
    session = try ProgramSession(
      arguments, environment: environment, standardError: OwnTerminal.isSame(0, 2) ? nil : 2, modes: terminal.modes,
      size: size.windowSize, signals: signals)
  }

  mutating func restoreTerminal() { terminal.restore() }

  func reapHelper() { session?.reapHelper() }

  // MARK: - Facts in

  var now: Duration { BootClock.now }
  var terminalSize: TerminalSize? { terminal.size }
  var isForeground: Bool { OwnTerminal.isForeground(0) }
  var leadsSession: Bool { OwnTerminal.leadsSession }
  var writeLimit: Int? { terminal.writeLimit }

  mutating func wait(for interest: PortInterest, until deadline: Duration?) -> PortReadiness {
    ready.watch(Place.typed, terminal.reading, reads: interest.typed)
    ready.watch(Place.terminal, terminal.writing, writes: interest.terminal)
    ready.watch(Place.signals, signals.rawValue, reads: true)
    ready.watch(Place.bell, link.bell.rawValue, reads: true)
    ready.watch(Place.timer, timer.rawValue, reads: true)
    if let session {
      ready.watch(Place.printed, session.masterDescriptor, reads: interest.printed, writes: interest.program)
      ready.watch(Place.reports, session.reportDescriptor, reads: interest.reports)
    }
    wait(until: deadline)
    if ready.isReady(Place.timer) { timer.take() }
    var found = PortReadiness()
    found.typed = ready.isReady(Place.typed)
    found.printed = ready.isReadable(Place.printed)
    found.reports = ready.isReady(Place.reports)
    found.terminal = ready.isReady(Place.terminal)
    found.signals = ready.isReady(Place.signals)
    found.requests = ready.isReady(Place.bell)
    return found
  }

  private mutating func wait(until deadline: Duration?) {
    guard let deadline else { return ready.wait(for: nil) }
    if deadline == .zero { return ready.wait(for: .zero) }
    let left = deadline - BootClock.now
    // The timer costs a system call for each new deadline; the timeout of poll(2) does not count suspended time.
    if left <= .seconds(1) { return ready.wait(for: max(.zero, left)) }
    timer.arm(deadline)
    ready.wait(for: nil)
  }

  mutating func nextSignal() -> Signal? { signals.next() }
  mutating func takeRequests() -> [WindowRequest] { link.takeRequests() }
  mutating func nextReport() -> ProgramSession.Report? { session?.nextReport() }

  mutating func read(_ source: PortSource, into bytes: inout [UInt8]) -> PortRead {
    guard let descriptor = source == .terminal ? terminal.reading : session?.masterDescriptor else { return .end }
    do {
      return try buffer.read(from: descriptor, into: &bytes) == 0 ? .end : .bytes
    } catch {
      return error.isWouldBlock ? .none : .end
    }
  }

  // MARK: - Effects out

  mutating func write(_ bytes: ArraySlice<UInt8>, to sink: PortSink) -> Int? {
    // What was typed before the program runs waits for it.
    guard let descriptor = sink == .terminal ? terminal.writing : session?.masterDescriptor else { return 0 }
    do {
      return try writeBytes(bytes, to: descriptor)
    } catch {
      return error.isWouldBlock ? 0 : nil
    }
  }

  mutating func perform(_ effect: WindowEffect) -> [WindowEvent] {
    switch effect {
    case .noteInput: link.onInput()
    case .setSlices(let isShort): isShort ? Processor.requestShortSlices() : Processor.giveUpShortSlices()
    case .followDirectory: session?.followDirectory()
    case .makeRaw: terminal.makeRaw()
    case .stop: return [.resumed(hasStopped: stop())]
    case .resizeProgram(let size): session?.setSize(size.windowSize)
    case .signalProgram(let signal): session?.forward(Signal(rawValue: signal.rawValue))
    case .signalResize: session?.forward(.windowSizeChanged)
    case .hangUpProgram: session?.hangUp()
    case .abandonProgram(let isKilled): session?.abandon(killing: isKilled)
    case .resumeProgram: session?.resume()
    case .lookForProgram: return [.programSeen(isAlive: session?.isAlive == true)]
    // Takes less than a millisecond, or 10 ms where the machine has 10,000 sockets. The program has printed nothing for a second.
    case .lookAtConnections(let isFirst):
      if let session { return [.connectionsSeen(connections.look(isFirst: isFirst, below: session.helper))] }
    case .releaseMemory: ProcessEnvironment.trimHeap()
    case .begin: link.post(.settled)
    case .complete(let completion): link.post(.completed(completion))
    case .publish(let status): link.post(.changed(status))
    // The pump does these itself.
    case .write, .repair, .discardOutput, .type, .discardInput: break
    }
    return []
  }

  private mutating func stop() -> Bool {
    terminal.restore()
    let hasStopped = Job.stop(hasProgram: session != nil)
    if hasStopped {
      OuterTerminal.waitForForeground(hasProgram: session != nil)
      terminal.readModes()
    }
    return hasStopped
  }
}
