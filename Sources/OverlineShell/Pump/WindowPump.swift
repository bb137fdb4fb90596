package import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// Carries facts from a port to ``WindowMachine`` and performs its effects. It decides only the order of
/// a turn, how much it reads in a flood, and which event a signal becomes.
///
/// One thread owns all state and waits for typed input, the program's output, signals, deadlines and requests of other threads. If the
/// program does not read, only typed input waits. If the terminal accepts no bytes, only the program's output waits.
package struct WindowPump<Port: WindowPort & ~Copyable>: ~Copyable {
  /// The largest number of reads of the program's output in a turn: Ctrl-C and a new size must not wait for a flood.
  private static var maximumPieceCount: Int { 8 }
  /// A read shorter than this is not a flood.
  private static var floodPiece: Int { 1024 }

  package var port: Port
  package private(set) var machine: WindowMachine
  /// Events that performed effects have caused.
  private var pending: [WindowEvent] = []
  /// The effects of the last event, and the bytes of the last reads. Kept so that a turn allocates no memory.
  private var effects: [WindowEffect] = []
  private var typed: [UInt8] = []
  private var printed: [UInt8] = []
  private var toTerminal = Outflow()
  /// True while the machine waits for the terminal to accept the written bytes.
  private var isDrainDue = false
  private var toProgram = Outflow()

  package init(_ machine: consuming WindowMachine, port: consuming Port) {
    self.machine = machine
    self.port = port
  }

  /// Waits, then reports all that has happened: signals first, then the size, requests, typed input, output, reports and deadlines.
  package mutating func turn() {
    var interest = PortInterest()
    interest.typed = machine.readsInput && toProgram.isEmpty
    interest.printed = machine.readsOutput && toTerminal.isEmpty
    interest.reports = machine.readsReports
    interest.terminal = !toTerminal.isEmpty
    interest.program = !toProgram.isEmpty
    let ready = port.wait(
      for: interest, until: interest.printed && machine.isPauseAwaited ? .zero : machine.nextDeadline)
    if ready.signals { readSignals() }
    // What follows may write: to the place that this size gives it, and not to that of an earlier one.
    if machine.showsOverlays || ready.requests { noteSize() }
    if ready.requests { for request in port.takeRequests() { deliver(.requested(request)) } }
    if ready.terminal {
      flushTerminal()
      noteDrain()
      deliverPending()
    }
    if ready.typed { readTyped() }
    if !toProgram.isEmpty { flushProgram() }
    // poll(2) may report a hang-up before the last output: only a read shows whether output is left.
    if interest.printed { readPrinted(isReady: ready.printed) }
    // Reports come after the output that was printed before them.
    if ready.reports { readReports() }
    if isDeadlineReached {
      noteSize()
      deliver(.deadlineReached)
    }
  }

  package mutating func deliver(_ event: WindowEvent) {
    deliverPending()
    handle(event, at: port.now)
    deliverPending()
  }

  /// Reports a new size of the terminal, even before its signal arrives.
  package mutating func noteSize() {
    let size = port.terminalSize
    if size != machine.terminalSize { deliver(.resized(size)) }
  }

  private var isDeadlineReached: Bool { machine.nextDeadline.map { $0 <= port.now } ?? false }

  private mutating func deliverPending() {
    while !pending.isEmpty { handle(pending.removeFirst(), at: port.now) }
  }

  private mutating func handle(_ event: WindowEvent, at now: Duration) {
    machine.handle(event, at: now, into: &effects)
    for index in effects.indices { perform(effects[index]) }
    effects.removeAll(keepingCapacity: true)
    noteDrain()
  }

  private mutating func noteDrain() {
    guard isDrainDue, toTerminal.isEmpty else { return }
    isDrainDue = false
    pending.append(.drained)
  }
}

// MARK: - Facts in

extension WindowPump where Port: ~Copyable {
  private mutating func readSignals() {
    while let signal = port.nextSignal() {
      if signal == .windowSizeChanged {
        deliver(.resized(port.terminalSize))
        continue
      }
      noteSize()
      switch signal {
      case .continued: deliver(.continued(isTerminalShared: !port.leadsSession))
      case .interrupt: deliver(.signaled(.interrupt))
      case .quit: deliver(.signaled(.quit))
      case .terminalStop: deliver(.signaled(.terminalStop))
      case .terminalOutput: break
      // All other signals end a process without a handler.
      default: deliver(.endRequested(signal: signal.rawValue))
      }
    }
  }

  private mutating func readTyped() {
    // An answer about the cursor is worthless if the size has changed since.
    if machine.isAnswerAwaited { noteSize() }
    typed.removeAll(keepingCapacity: true)
    switch port.read(.terminal, into: &typed) {
    case .bytes:
      guard machine.passesText, toProgram.isEmpty, !typed.contains(0x1b) else { return deliver(.typed(typed)) }
      // If no process is left to read them, the bytes are lost.
      _ = toProgram.pass(typed[...], to: .program, of: &port)
      deliver(.typedText(typed))
    case .none: break
    case .end: deliver(.terminalLost)
    }
  }

  /// Reads once and writes once: filling the buffer first would be slower. In a flood it repeats both before other events are handled,
  /// since a poll(2) of a pseudoterminal costs as much as half a read.
  private mutating func readPrinted(isReady: Bool) {
    guard isReady else {
      if machine.isPauseAwaited { deliver(.paused) }
      return
    }
    // The report of the output brings the deadline, too.
    if isDeadlineReached { noteSize() }
    if machine.passesOutput, toTerminal.isEmpty, port.writeLimit == nil { return passPrinted() }
    for number in 0..<Self.maximumPieceCount {
      if number > 0, machine.showsOverlays { noteSize() }
      guard machine.readsOutput, toTerminal.isEmpty else { return }
      printed.removeAll(keepingCapacity: true)
      switch port.read(.program, into: &printed) {
      case .bytes:
        deliver(.printed(printed))
        if printed.count < Self.floodPiece { return }
      case .none: return deliver(.paused)
      case .end: return deliver(.outputClosed)
      }
    }
  }

  /// Writes each piece of output before the machine hears of it, and reports all of them together. Nothing that the machine does could
  /// change them. A piece that the terminal does not accept whole ends the reading.
  private mutating func passPrinted() {
    // What becomes due meanwhile comes after the report, with a new look at the size.
    let start = port.now
    printed.removeAll(keepingCapacity: true)
    var next: WindowEvent?
    pieces: for _ in 0..<Self.maximumPieceCount {
      let begin = printed.count
      switch port.read(.program, into: &printed) {
      case .bytes:
        guard toTerminal.pass(printed[begin...], to: .terminal, of: &port) else {
          next = .terminalLost
          break pieces
        }
        if printed.count - begin < Self.floodPiece || !toTerminal.isEmpty { break pieces }
      case .none:
        next = .paused
        break pieces
      case .end:
        next = .outputClosed
        break pieces
      }
    }
    if !printed.isEmpty {
      isDrainDue = !toTerminal.isEmpty
      handle(.passed(printed, isAccepted: toTerminal.isEmpty), at: start)
    }
    if let next { pending.append(next) }
    deliverPending()
  }

  /// Reads the output that a program printed before it stopped. One poll(2) may miss that output and yet see the report of the stop: it
  /// looks for output first, then the program prints and stops, then it looks for reports.
  private mutating func readRest() {
    while machine.readsOutput, toTerminal.isEmpty {
      printed.removeAll(keepingCapacity: true)
      guard case .bytes = port.read(.program, into: &printed) else { return }
      deliver(.printed(printed))
    }
  }

  private mutating func readReports() {
    while machine.readsReports, let report = port.nextReport() {
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
}

// MARK: - Effects out

extension WindowPump where Port: ~Copyable {
  private mutating func perform(_ effect: WindowEffect) {
    switch effect {
    case .write(let bytes): write(bytes)
    case .repair(let bytes): write(port.isForeground ? bytes : [])
    case .discardOutput: toTerminal.discard()
    case .type(let bytes):
      toProgram.add(bytes)
      flushProgram()
    case .discardInput: toProgram.discard()
    case .stop:
      let events = port.perform(effect)
      let size = port.terminalSize
      if size != machine.terminalSize { pending.append(.resized(size)) }
      pending += events
    default: pending += port.perform(effect)
    }
  }

  private mutating func write(_ bytes: [UInt8]) {
    toTerminal.add(bytes)
    isDrainDue = true
    // A terminal that may block is polled first.
    if port.writeLimit == nil || bytes.isEmpty { flushTerminal() }
  }

  private mutating func flushTerminal() {
    guard !toTerminal.flush(to: .terminal, of: &port, limit: port.writeLimit) else { return }
    toTerminal.discard()
    pending.append(.terminalLost)
  }

  private mutating func flushProgram() {
    // No process is left to read it.
    if !toProgram.flush(to: .program, of: &port, limit: nil) { toProgram.discard() }
  }
}
