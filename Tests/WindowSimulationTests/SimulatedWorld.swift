import NetworkPath
import Overline
import OverlineProcess
import OverlineSimulatedTerminal
import OverlineSystem
@testable import OverlineCore
@testable import OverlineShell

/// What is outside of a window: its terminal, its program, the user, and the clock, which jumps to the next event.
///
/// Beside it runs the same terminal without a window, which gets the same output and the same sizes.
final class SimulatedWorld {
  private enum Event {
    case item(Int)
    case handleWrite
    /// `isCut` if the rest of a sequence follows.
    case answer([UInt8], isCut: Bool)
    case signalSize
    case learnSize
    case acceptAgain
  }

  let scenario: Scenario
  private(set) var now = Duration.seconds(1000)
  private(set) var terminal: SimulatedTerminal
  /// The terminal without a window.
  private(set) var bare: SimulatedTerminal
  private(set) var coverage = Coverage()

  /// The program's output that the window has not read.
  private var printed: [UInt8] = []
  /// What the program prints after `fg`; nil while it is not stopped.
  private var printedLater: [UInt8]?
  /// Keys and answers that the window has not read.
  private var typed: [[UInt8]] = []
  /// Keys that wait for the rest of an answer. A terminal writes an answer at once, and only the line cuts it: a key
  /// comes before or after the whole answer.
  private var keysBehindAnswer: [[UInt8]]?
  /// The writes that the terminal has not handled.
  private var inbox: [[UInt8]] = []
  private var signals: [Signal] = []
  private var requests: [WindowRequest] = []
  private var reports: [ProgramSession.Report] = []
  private(set) var knownSize: TerminalSize
  /// Whether the terminal has had another size since the last banner, and signalled only that it is the old one again. The rows that it has
  /// moved are where no window can know them.
  private(set) var hasMovedUnseen = false
  private var isAccepting = true
  private var hasEnded = false
  /// What reached the program, and what the user typed.
  private(set) var received: [UInt8] = []
  private(set) var keys: [UInt8] = []

  private(set) var isOffline = false
  /// Since when the banner has been missing, counted from the outage, the last size or its signal, or the return of the
  /// terminal; nil while none is due.
  private var missingSince: Duration?
  /// The longest time without a banner that was due.
  private(set) var longestMissing = Duration.zero
  /// What observers were told.
  private(set) var observations: [Observation] = []
  private(set) var tag = Failure.Tag.clean
  /// What happened, for one schedule that is looked at.
  private(set) var log: [String] = []
  private let logs: Bool

  private var queue: [(time: Duration, number: Int, event: Event)] = []
  private var eventCount = 0
  private var nextItem = 0
  private var cuts: Turns
  private var lags: Turns
  private var reads: Turns
  private var answers: Turns
  private var splits: Turns
  private var sizeSignals: Turns
  private var accepts: Turns
  /// The terminal handles writes in their order, and answers in this order.
  private var handledUntil = Duration.zero
  private var answeredUntil = Duration.zero

  init(_ scenario: Scenario, logs: Bool) {
    self.scenario = scenario
    self.logs = logs
    let family = TerminalFamily.all.first { $0.name == scenario.family } ?? .xterm
    terminal = SimulatedTerminal(rows: scenario.rows, columns: scenario.columns, family: family)
    for number in 0..<scenario.linesBefore { terminal.write("before \(number)\r\n") }
    if scenario.linesBefore > 0 { terminal.write("$ overline run\r\n") }
    bare = terminal
    knownSize = TerminalSize(rows: scenario.rows, columns: scenario.columns)
    cuts = Turns(scenario.cuts)
    lags = Turns(scenario.lags)
    reads = Turns(scenario.reads)
    answers = Turns(scenario.answers)
    splits = Turns(scenario.splits)
    sizeSignals = Turns(scenario.signals)
    accepts = Turns(scenario.accepts)
    if scenario.startsOffline { beginOutage() }
  }

  /// The window has started the program.
  func startProgram() { scheduleNextItem() }

  static let lost = NWPath(status: .unsatisfied, reason: .noCarrier, cause: "eth0 has no carrier")
  static let online = NWPath(status: .satisfied)

  // MARK: The schedule

  /// Nothing happens any more until the next item, or a deadline of the window.
  var isQuiet: Bool {
    queue.isEmpty && inbox.isEmpty && printed.isEmpty && typed.isEmpty && signals.isEmpty && requests.isEmpty
      && reports.isEmpty && isAccepting
  }

  /// Begins the item that waited for the rest.
  ///
  /// - Returns: false if there is none.
  func continueAfterRest() -> Bool {
    guard nextItem < scenario.items.count else { return false }
    perform(nextItem)
    return true
  }

  private func scheduleNextItem() {
    guard nextItem < scenario.items.count, let after = scenario.items[nextItem].after else { return }
    schedule(.item(nextItem), at: now + .milliseconds(after))
  }

  private func schedule(_ event: Event, at time: Duration) {
    eventCount += 1
    let entry = (time, eventCount, event)
    let index = queue.firstIndex { $0.time > time } ?? queue.count
    queue.insert(entry, at: index)
  }

  private func perform(_ index: Int) {
    nextItem = index + 1
    defer { scheduleNextItem() }
    note("\(scenario.items[index].action)")
    switch scenario.items[index].action {
    case .print(let text):
      guard !hasEnded else { return }
      if printedLater != nil { printedLater! += text.utf8 } else { print(text.utf8) }
    case .goOffline:
      beginOutage()
      requests.append(.network(Self.lost))
    case .goOnline:
      isOffline = false
      noteBannerPlace()
      requests.append(.network(Self.online))
    case .resize(let rows, let columns): resize(rows: rows, columns: columns)
    case .type(let text):
      guard !hasEnded else { return }
      keys += text.utf8
      if keysBehindAnswer == nil { typed.append(Array(text.utf8)) } else { keysBehindAnswer!.append(Array(text.utf8)) }
    case .suspend:
      if hasEnded { return }
      printedLater = printedLater ?? []
      reports.append(.stopped)
    case .toast(let text):
      eventCount += 1
      requests.append(
        .overlay(
          .toast(.toastPosted(ToastContent(title: text, duration: .seconds(3)), id: ToastID(rawValue: eventCount)))))
    case .end:
      hasEnded = true
      noteBannerPlace()
      reports.append(.exited(0))
    }
  }

  private func print(_ bytes: some Sequence<UInt8>) {
    printed += bytes
    bare.write(Array(bytes))
    _ = bare.takeAnswers()
  }

  private func beginOutage() {
    isOffline = true
    noteBannerPlace(beginsAgain: true)
  }

  /// - Parameter beginsAgain: the window has its whole time again.
  private func noteBannerPlace(beginsAgain: Bool = false) {
    noteMissingTime()
    // The programs of the schedules set no background.
    let isThere = terminal.cell(row: 0, column: 0).style.background != .standard
    let isDue = isOffline && !hasEnded && !isThere
    missingSince = isDue ? beginsAgain ? now : missingSince ?? now : nil
  }

  func noteMissingTime() { if let missingSince { longestMissing = max(longestMissing, now - missingSince) } }

  private func resize(rows: Int, columns: Int) {
    guard rows != terminal.rows || columns != terminal.columns else { return }
    if !inbox.isEmpty || !printed.isEmpty { tag = max(tag, .mid) }
    if !terminal.family.arrival.waitingBytesSeeNewSize { while !inbox.isEmpty { handleWrite() } }
    coverage.resizes += 1
    terminal.resize(rows: rows, columns: columns)
    bare.resize(rows: rows, columns: columns)
    noteBannerPlace(beginsAgain: true)
    let lag = sizeSignals.next() + terminal.family.arrival.signalDelay
    let learns = terminal.family.arrival.sizeBeforeAnswer ? 0 : min(lag, terminal.family.arrival.sizeAfterAnswer)
    if learns == 0 { learnSize() } else if learns < lag { schedule(.learnSize, at: now + .milliseconds(learns)) }
    schedule(.signalSize, at: now + .milliseconds(lag))
  }

  private func learnSize() { knownSize = TerminalSize(rows: terminal.rows, columns: terminal.columns) }

  /// Whether the window has not been able to learn the terminal's size yet.
  private var isSizeHidden: Bool { knownSize.rows != terminal.rows || knownSize.columns != terminal.columns }

  private func run(_ event: Event) {
    switch event {
    case .item(let index): perform(index)
    case .handleWrite: if !inbox.isEmpty { handleWrite() }
    case .answer(let bytes, let isCut):
      typed.append(bytes)
      typed += keysBehindAnswer ?? []
      keysBehindAnswer = isCut ? [] : nil
    case .signalSize:
      hasMovedUnseen = hasMovedUnseen || terminal.family.arrival.signalDelay > 0 && !isSizeHidden
      learnSize()
      signals.append(.windowSizeChanged)
      noteBannerPlace(beginsAgain: true)
    case .learnSize: learnSize()
    case .acceptAgain: isAccepting = true
    }
  }

  private func note(_ text: @autoclosure () -> String) {
    if logs { log.append("\(now - .seconds(1000)) \(text())") }
  }

  private func handleWrite() {
    note("handled \(inbox[0].count) bytes: \(String(reflecting: String(decoding: inbox[0], as: UTF8.self)))")
    terminal.write(inbox.removeFirst())
    noteBannerPlace()
    let answer = terminal.takeAnswers()
    guard !answer.isEmpty else { return }
    let delay = answers.next()
    guard delay >= 0 else {
      coverage.missingAnswers += 1
      return
    }
    if delay > 0 { coverage.lateAnswers += 1 }
    let cut = splits.next()
    answeredUntil = max(answeredUntil, now + .milliseconds(delay))
    guard cut > 0, cut < answer.count else { return schedule(.answer(answer, isCut: false), at: answeredUntil) }
    schedule(.answer(Array(answer[..<cut]), isCut: answer[cut] != 0x1b), at: answeredUntil)
    answeredUntil += .milliseconds(10)
    schedule(.answer(Array(answer[cut...]), isCut: false), at: answeredUntil)
  }

}

// MARK: - The port

extension SimulatedWorld {
  var size: TerminalSize { knownSize }

  func wait(for interest: PortInterest, until deadline: Duration?) -> PortReadiness {
    while true {
      var ready = PortReadiness()
      ready.typed = interest.typed && !typed.isEmpty
      ready.printed = interest.printed && !printed.isEmpty
      ready.reports = interest.reports && !reports.isEmpty
      ready.terminal = interest.terminal && isAccepting
      ready.signals = !signals.isEmpty
      ready.requests = !requests.isEmpty
      if ready != PortReadiness() { return ready }
      if let deadline, deadline <= now { return ready }
      guard let time = [queue.first?.time, deadline].compactMap(\.self).min() else { return ready }
      now = max(now, time)
      while let first = queue.first, first.time <= now {
        queue.removeFirst()
        run(first.event)
      }
    }
  }

  func nextSignal() -> Signal? { signals.isEmpty ? nil : signals.removeFirst() }

  func takeRequests() -> [WindowRequest] {
    defer { requests = [] }
    return requests
  }

  func nextReport() -> ProgramSession.Report? { reports.isEmpty ? nil : reports.removeFirst() }

  func read(_ source: PortSource, into bytes: inout [UInt8]) -> PortRead {
    switch source {
    case .terminal:
      if typed.isEmpty { return .none }
      bytes += typed.removeFirst()
    case .program:
      guard !printed.isEmpty else { return .none }
      let count = min(max(1, cuts.next()), printed.count)
      bytes += printed[..<count]
      printed.removeFirst(count)
    }
    return .bytes
  }

  func write(_ bytes: ArraySlice<UInt8>, to sink: PortSink) -> Int? {
    guard sink == .terminal else {
      received += bytes
      return bytes.count
    }
    guard isAccepting else { return 0 }
    let count = min(bytes.count, max(1, accepts.next()))
    if count < bytes.count {
      coverage.blockedWrites += 1
      isAccepting = false
      schedule(.acceptAgain, at: now + .milliseconds(5))
    }
    if isSizeHidden { tag = max(tag, .blind) }
    handledUntil = max(handledUntil, now + .milliseconds(lags.next()))
    var rest = bytes.prefix(count)
    while !rest.isEmpty {
      let piece = bare.family.arrival.takesSizeBetweenReads ? rest.prefix(max(1, reads.next())) : rest
      rest = rest.dropFirst(piece.count)
      inbox.append(Array(piece))
      if handledUntil <= now, inbox.count == 1 { handleWrite() } else { schedule(.handleWrite, at: handledUntil) }
      if !rest.isEmpty { handledUntil += .milliseconds(1) }
    }
    return count
  }

  func perform(_ effect: WindowEffect) -> [WindowEvent] {
    switch effect {
    case .stop:
      // The shell prints below the program's text and continues it.
      let text = "\r\nStopped\r\n$ fg\r\n"
      while !inbox.isEmpty { handleWrite() }
      terminal.write(text)
      bare.write(text)
      noteBannerPlace(beginsAgain: true)
      coverage.stops += 1
      if let bytes = printedLater { print(bytes) }
      printedLater = nil
      return [.resumed(hasStopped: true)]
    case .publish(let status):
      if let observation = status.observation, observation != observations.last { observations.append(observation) }
    case .lookForProgram: return [.programSeen(isAlive: false)]
    default: break
    }
    return []
  }

  /// The terminal handles what the window has written before it ended.
  func finish() { while !inbox.isEmpty { handleWrite() } }

  func noteBanner() {
    coverage.banners += 1
    hasMovedUnseen = false
  }
  func noteRest() { coverage.rests += 1 }
  func noteDividedLine() { coverage.dividedLines += 1 }
}
