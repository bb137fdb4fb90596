package import Overline
package import OverlineSystem

/// Runs a program below a banner, in the terminal that this process was started in. This is the pump; ``WindowMachine`` decides.
///
/// One thread owns all state and waits with `poll(2)` for typed input, the program's output, signals, deadlines and events from other
/// threads. It never waits for only one of them. A program that does not read and a terminal that accepts no bytes delay only each other.
///
///     var window = try Window(settings: settings, capabilities: capabilities, link: link)  // before any other thread
///     try window.start(["vim", "notes.txt"], environment: environment)
///     let end = window.run()
package struct Window: ~Copyable {
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

  private static let maximumPieceCount = 8
  /// A read shorter than this is not a flood.
  private static let floodPiece = 1024

  private let link: WindowLink
  private let signals: TakenSignals
  /// For distant deadlines: this timer counts suspended time.
  private let timer: BootTimer
  private var terminal: OuterTerminal
  private var session: ProgramSession?
  private var ready = PollSet(count: Place.count)
  private var buffer = ReadBuffer(size: 64 * 1024)
  private var machine: WindowMachine
  /// Events that performed effects have caused.
  private var pending: [WindowEvent] = []
  private var toTerminal = Outflow()
  /// True while the machine waits for the terminal to accept the written bytes.
  private var isDrainDue = false
  private var toProgram = Outflow()
  private var armed: Duration?
  private var connections = ProgramConnections()

  /// - Parameters:
  ///   - settings: the banner's settings.
  ///   - toasts: the toasts' settings.
  ///   - toastInput: keyboard and mouse settings of toasts.
  ///   - programNotice: the time after which the window shows that its program has no answer; zero for never.
  ///   - capabilities: the terminal's capabilities.
  ///   - link: connects the window to the path watcher and to observers.
  package init(
    settings: BannerSettings, toasts: ToastSettings = ToastSettings(),
    toastInput: ToastInputSettings = ToastInputSettings(), programNotice: Duration = .zero,
    capabilities: TerminalCapabilities, link: WindowLink
  ) throws(SystemError) {
    let signals = try TakenSignals(
      Signal.ending + [.interrupt, .quit, .terminalStop, .terminalOutput, .continued, .windowSizeChanged])
    let timer = try BootTimer()
    // While the shell is in the foreground, the terminal has the modes of the shell's line editor.
    OuterTerminal.waitForForeground(hasProgram: false)
    let terminal = try OuterTerminal()
    self.signals = signals
    self.timer = timer
    self.link = link
    machine = WindowMachine(
      DisplayMachine(
        banner: settings, toasts: toasts, toastInput: toastInput, size: terminal.size, capabilities: capabilities),
      programNotice: programNotice)
    self.terminal = terminal
  }

  /// Starts the program.
  ///
  /// - Parameter events: the network's state so far. Its banner is on the screen before the program starts.
  /// - Returns: the signal that ended the window before the program started; nil when the program runs.
  /// - Throws: the reason why the program did not start. The terminal is then restored.
  package mutating func start(
    _ arguments: [PlatformString], environment: [PlatformString], after events: [BannerEvent] = []
  ) throws(ProgramSession.StartError) -> Signal? {
    deliver(.opened(events))
    while machine.phase != .ready, !hasEnded { turn() }
    if let signal = machine.terminatingSignal {
      terminal.restore()
      return Signal(rawValue: signal)
    }
    do throws(ProgramSession.StartError) {
      // A redirected standard error stays redirected.
      session = try ProgramSession(
        arguments, environment: environment, standardError: OwnTerminal.isSame(0, 2) ? nil : 2, modes: terminal.modes,
        size: machine.programSize.windowSize, signals: signals)
    } catch {
      deliver(.programFailed)
      while !hasEnded { turn() }
      terminal.restore()
      throw error
    }
    let name = arguments.first?.description.split(separator: "/").last.map(String.init)
    deliver(.programStarted(title: OwnTerminal.leadsSession ? name : nil))
    // The size may have changed before the signal was handled.
    noteSize()
    return nil
  }

  /// Serves the program until its end, then restores the terminal.
  package consuming func run() -> WindowEnd {
    // A key's echo passes this thread twice. Not before the program's start, which inherits nothing of it.
    Processor.requestShortSlices()
    while true {
      if case .over(let end) = machine.phase {
        terminal.restore()
        if machine.reapsHelper { session?.reapHelper() }
        return end
      }
      turn()
    }
  }

  private var hasEnded: Bool { if case .over = machine.phase { true } else { false } }
}

// MARK: - Facts in

extension Window {
  private mutating func turn() {
    let waitsForOutput = watch()
    wait(isPauseAwaited: waitsForOutput && machine.isPauseAwaited)
    if ready.isReady(Place.signals) { readSignals() }
    if ready.isReady(Place.bell) { for request in link.takeRequests() { deliver(.requested(request)) } }
    if ready.isReady(Place.timer) {
      timer.take()
      armed = nil
    }
    if ready.isReady(Place.terminal) {
      flushTerminal()
      noteDrain()
      deliverPending()
    }
    if ready.isReady(Place.typed) { readTyped() }
    if !toProgram.isEmpty { flushProgram() }
    // poll(2) may report a hang-up before the last output: only a read shows whether output is left.
    if waitsForOutput { readPrinted() }
    // Reports come after the output that was printed before them.
    if ready.isReady(Place.reports) { readReports() }
    if let deadline = machine.nextDeadline, deadline <= BootClock.now {
      if machine.showsOverlays { noteSize() }
      deliver(.deadlineReached)
    }
  }

  /// Sets the descriptors to poll in this turn.
  ///
  /// - Returns: whether they include the program's output.
  private mutating func watch() -> Bool {
    ready.watch(Place.typed, terminal.reading, reads: machine.readsInput && toProgram.isEmpty)
    ready.watch(Place.terminal, terminal.writing, writes: !toTerminal.isEmpty)
    ready.watch(Place.signals, signals.rawValue, reads: true)
    ready.watch(Place.bell, link.bell.rawValue, reads: true)
    ready.watch(Place.timer, timer.rawValue, reads: true)
    guard let session else { return false }
    let readsOutput = machine.readsOutput && toTerminal.isEmpty
    ready.watch(Place.printed, session.masterDescriptor, reads: readsOutput, writes: !toProgram.isEmpty)
    ready.watch(Place.reports, session.reportDescriptor, reads: machine.readsReports)
    return readsOutput
  }

  private mutating func wait(isPauseAwaited: Bool) {
    if isPauseAwaited { return ready.wait(for: .zero) }
    guard let deadline = machine.nextDeadline else { return ready.wait(for: nil) }
    let left = deadline - BootClock.now
    // The timer costs a system call for each new deadline; the timeout of poll(2) does not count suspended time.
    if left <= .seconds(1) { return ready.wait(for: max(.zero, left)) }
    if armed != deadline { timer.arm(deadline) }
    armed = deadline
    ready.wait(for: nil)
  }

  private mutating func readSignals() {
    while let signal = signals.next() {
      if signal == .windowSizeChanged {
        deliver(.resized(terminal.size))
        continue
      }
      noteSize()
      switch signal {
      case .continued: deliver(.continued(isTerminalShared: !OwnTerminal.leadsSession))
      case .interrupt: deliver(.signaled(.interrupt))
      case .quit: deliver(.signaled(.quit))
      case .terminalStop: deliver(.signaled(.terminalStop))
      case .terminalOutput: break
      // All other signals end a process without a handler.
      default: deliver(.endRequested(signal: signal.rawValue))
      }
    }
  }

  /// Reports a new size of the terminal, even before its signal arrives.
  private mutating func noteSize() {
    let size = terminal.size
    if size != machine.terminalSize { deliver(.resized(size)) }
  }

  private mutating func readTyped() {
    // An answer about the cursor is worthless if the size has changed since.
    if machine.isAnswerAwaited { noteSize() }
    do {
      let bytes = try buffer.read(from: terminal.reading)
      deliver(bytes.isEmpty ? .terminalLost : .typed(bytes))
    } catch {
      if !error.isWouldBlock { deliver(.terminalLost) }
    }
  }

  /// Reads once and writes once: filling the buffer first would be slower. In a flood it repeats both before other events are handled,
  /// since a poll(2) of a pseudoterminal costs as much as half a read.
  private mutating func readPrinted() {
    guard let session else { return }
    if machine.showsOverlays { noteSize() }
    if !ready.isReadable(Place.printed) {
      if machine.isPauseAwaited { deliver(.paused) }
      return
    }
    for _ in 0..<Self.maximumPieceCount where machine.readsOutput && toTerminal.isEmpty {
      do {
        let bytes = try buffer.read(from: session.masterDescriptor)
        deliver(bytes.isEmpty ? .outputClosed : .printed(bytes))
        if bytes.count < Self.floodPiece { return }
      } catch {
        return deliver(error.isWouldBlock ? .paused : .outputClosed)
      }
    }
  }

  /// Reads the output that a program printed before it stopped. One poll(2) may miss that output and yet see the report of the stop: it
  /// looks for output first, then the program prints and stops, then it looks for reports.
  private mutating func readRest() {
    while let session, machine.readsOutput, toTerminal.isEmpty,
      let bytes = try? buffer.read(from: session.masterDescriptor), !bytes.isEmpty
    {
      deliver(.printed(bytes))
    }
  }

  private mutating func readReports() {
    while machine.readsReports, let report = session?.nextReport() {
      switch report {
      case .stopped:
        readRest()
        deliver(.programStopped)
      case .continued: break
      case .exited(let status): deliver(.programEnded(.exited(status)))
      case .killed(let signal): deliver(.programEnded(.killed(signal: signal)))
      case .lost: deliver(.helperLost)
      }
    }
  }

  private mutating func deliver(_ event: WindowEvent) {
    pending.append(event)
    deliverPending()
  }

  private mutating func deliverPending() {
    while !pending.isEmpty {
      let next = pending.removeFirst()
      for effect in machine.handle(next, at: BootClock.now) { perform(effect) }
      noteDrain()
    }
  }

  private mutating func noteDrain() {
    guard isDrainDue, toTerminal.isEmpty else { return }
    isDrainDue = false
    pending.append(.drained)
  }
}

// MARK: - Effects out

extension Window {
  private mutating func perform(_ effect: WindowEffect) {
    switch effect {
    case .write(let bytes): write(bytes)
    case .repair(let bytes): write(OwnTerminal.isForeground(0) ? bytes : [])
    case .discardOutput: toTerminal.discard()
    case .type(let bytes):
      toProgram.add(bytes)
      flushProgram()
    case .discardInput: toProgram.discard()
    case .noteInput: link.onInput()
    case .followDirectory: session?.followDirectory()
    case .makeRaw: terminal.makeRaw()
    case .stop: stop()
    case .resizeProgram(let size): session?.setSize(size.windowSize)
    case .signalProgram(let signal): session?.forward(Signal(rawValue: signal.rawValue))
    case .signalResize: session?.forward(.windowSizeChanged)
    case .hangUpProgram: session?.hangUp()
    case .abandonProgram(let isKilled): session?.abandon(killing: isKilled)
    case .resumeProgram: session?.resume()
    case .lookForProgram: pending.append(.programSeen(isAlive: session?.isAlive == true))
    case .lookAtConnections(let isFirst): lookAtConnections(isFirst: isFirst)
    case .releaseMemory: ProcessEnvironment.trimHeap()
    case .begin: link.post(.settled)
    case .complete(let completion): link.post(.completed(completion))
    case .publish(let status): link.post(.changed(status))
    }
  }

  /// Takes less than a millisecond, or 10 ms where the machine has 10,000 sockets. The program has printed nothing for a second.
  private mutating func lookAtConnections(isFirst: Bool) {
    guard let session else { return }
    pending.append(.connectionsSeen(connections.look(isFirst: isFirst, below: session.helper)))
  }

  private mutating func write(_ bytes: [UInt8]) {
    toTerminal.add(bytes)
    isDrainDue = true
    // A terminal that may block is polled first.
    if terminal.writeLimit == nil || bytes.isEmpty { flushTerminal() }
  }

  private mutating func flushTerminal() {
    do {
      try toTerminal.flush(to: terminal.writing, limit: terminal.writeLimit)
    } catch {
      toTerminal.discard()
      pending.append(.terminalLost)
    }
  }

  private mutating func flushProgram() {
    guard let session else { return }
    do {
      try toProgram.flush(to: session.masterDescriptor, limit: nil)
    } catch {
      // No process is left to read it.
      toProgram.discard()
    }
  }

  private mutating func stop() {
    terminal.restore()
    let hasStopped = Job.stop(hasProgram: session != nil)
    if hasStopped {
      OuterTerminal.waitForForeground(hasProgram: session != nil)
      terminal.readModes()
    }
    let size = terminal.size
    if size != machine.terminalSize { pending.append(.resized(size)) }
    pending.append(.resumed(hasStopped: hasStopped))
  }
}
