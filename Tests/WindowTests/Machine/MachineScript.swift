import NetworkPath
import Overline
import Testing
@testable import OverlineCore
@testable import OverlineShell

let lostPath = NWPath(status: .unsatisfied, reason: .noCarrier, cause: "eth0 has no carrier")

/// A window without a pseudoterminal: its machine, a clock, and a terminal and a program that do what a test says.
final class MachineScript {
  private var machine: WindowMachine
  private(set) var now = Duration.seconds(100)
  /// Every effect but the bytes that were written and typed, and the looks at the program's directory.
  private(set) var effects: [WindowEffect] = []
  /// What reached the terminal, and the program.
  private(set) var written = "" {
    didSet { noteUpdates() }
  }
  private(set) var typed = ""
  private(set) var looksAtDirectory = 0
  /// Whether the slices became short, each time.
  private(set) var slices: [Bool] = []
  /// A terminal that accepts no bytes keeps the machine waiting.
  var acceptsBytes = true {
    didSet { if acceptsBytes, !oldValue, owesDrain { send(.drained) } }
  }
  private var owesDrain = false

  init(
    rows: Int = 24, columns: Int = 80, motion: BannerSettings.Motion = .off, grace: Duration = .zero,
    toastInput: ToastInputSettings = ToastInputSettings(), programNotice: Duration = .zero,
    term: String = "konsole-256color"
  ) {
    machine = WindowMachine(
      DisplayMachine(
        banner: BannerSettings(graceDelay: grace, hideDelay: .seconds(2), motion: motion),
        toasts: ToastSettings(motion: motion), toastInput: toastInput, size: TerminalSize(rows: rows, columns: columns),
        capabilities: TerminalCapabilities(environment: { ["TERM": term][$0] }, isTerminal: true)),
      programNotice: programNotice)
  }

  /// A program that runs on a cleared screen, whose cursor's place is known.
  static func started(
    motion: BannerSettings.Motion = .off, toastInput: ToastInputSettings = ToastInputSettings(),
    programNotice: Duration = .zero, term: String = "konsole-256color"
  ) -> MachineScript {
    let script = MachineScript(motion: motion, toastInput: toastInput, programNotice: programNotice, term: term)
    script.send(.opened([]))
    script.send(.programStarted(title: nil))
    script.print("\u{1b}[2J\u{1b}[Hready")
    script.pass(.milliseconds(30))
    script.forget()
    return script
  }

  /// The same below a banner, with a line in each row and the cursor in the last one.
  static func startedOnFullScreen(term: String = "konsole-256color") -> MachineScript {
    let script = started(term: term)
    script.print("\u{1b}[H\u{1b}[2J" + (1...24).map { "line \($0)" }.joined(separator: "\r\n"))
    script.lose()
    if script.family == .foot { script.type("\u{1b}[24;8R\u{1b}[?62c") }
    script.pass(.seconds(1))
    return script
  }

  /// Which terminal the window takes this one for.
  var family: TerminalFamily? { machine.display.canvas.capabilities.family }

  /// What the window knows of a row of the screen, from 0.
  func text(ofRow row: Int) -> String {
    let cells = (0..<80).map { machine.display.canvas.output.surface.screen.cell(row: row, column: $0).text }
    return String(cells.joined().reversed().drop { $0 == " " }.reversed())
  }

  var knowsTheMargin: Bool { machine.display.canvas.output.surface.knowsTheMargin }

  func send(_ event: WindowEvent) {
    var events = [event]
    var results: [WindowEffect] = []
    while !events.isEmpty {
      machine.handle(events.removeFirst(), at: now, into: &results)
      for effect in results {
        switch effect {
        case .write(let bytes), .repair(let bytes):
          written += String(decoding: bytes, as: UTF8.self)
          owesDrain = true
        case .type(let bytes): typed += String(decoding: bytes, as: UTF8.self)
        case .followDirectory: looksAtDirectory += 1
        case .setSlices(let isShort): slices.append(isShort)
        default: effects.append(effect)
        }
      }
      if owesDrain, acceptsBytes {
        owesDrain = false
        events.append(.drained)
      }
    }
  }

  /// The program prints. As the pump does, writes first what may reach the terminal unseen.
  func print(_ text: String) {
    guard acceptsBytes, machine.passesOutput else { return send(.printed(Array(text.utf8))) }
    written += text
    send(.passed(Array(text.utf8), isAccepted: true))
  }

  /// The user types. As the pump does, gives the program first what may reach it unseen.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    guard machine.passesText, !bytes.contains(0x1b) else { return send(.typed(bytes)) }
    typed += text
    send(.typedText(bytes))
  }

  func resize(rows: Int, columns: Int) { send(.resized(TerminalSize(rows: rows, columns: columns))) }
  func lose() { send(.requested(.network(lostPath))) }
  func restore() { send(.requested(.network(NWPath(status: .satisfied)))) }

  /// Lets time pass; each deadline is delivered at its own time, and a pause of the output at once.
  func pass(_ time: Duration) {
    let end = now + time
    if machine.isPauseAwaited { send(.paused) }
    while let deadline = machine.nextDeadline, deadline <= end {
      now = max(now, deadline)
      send(.deadlineReached)
      if machine.isPauseAwaited, machine.readsOutput { send(.paused) }
    }
    now = end
  }

  /// Fails the test if the window asks inside a synchronized update: kitty answers nothing until the update ends.
  private func noteUpdates() {
    guard written.hasSuffix("\u{1b}[6n\u{1b}[c"), let begin = written.ranges(of: "\u{1b}[?2026h").last else { return }
    #expect(written[begin.upperBound...].contains("\u{1b}[?2026l"), "asked inside a synchronized update")
  }

  /// Forgets what has happened so far.
  func forget() {
    effects = []
    written = ""
    typed = ""
  }

  /// How often the terminal was asked for its cursor.
  var questions: Int { written.ranges(of: /\u{1b}\[6n(\u{1b}\[\d+G)?\u{1b}\[c/).count }
  var isBannerLifted: Bool { machine.display.canvas.output.surface.isBannerLifted }
  var isAnswerAwaited: Bool { machine.display.inquiry.isWaiting }
  var cursorRow: Int { machine.display.canvas.output.surface.cursorRow }
  var showsBanner: Bool { machine.display.canvas.shown.banner != nil }
  var isToastHeld: Bool { machine.display.overlays.toasts.isHeld }
  var phase: WindowMachine.Phase { machine.phase }
  var nextDeadline: Duration? { machine.nextDeadline }
  var programSize: TerminalSize { machine.programSize }
  var readsInput: Bool { machine.readsInput }
  var readsOutput: Bool { machine.readsOutput }
  var readsReports: Bool { machine.readsReports }
  var reapsHelper: Bool { machine.reapsHelper }

  /// The status of a window of 80 columns below a banner.
  func status(rows: Int) -> WindowStatus {
    var status = WindowStatus()
    status.overlays = machine.display.overlays.status
    status.observation = Observation(path: lostPath, overlays: status.overlays, inset: TerminalInsets(top: 1))
    status.rows = rows
    status.columns = 80
    return status
  }

  var end: WindowEnd? { if case .over(let end) = machine.phase { end } else { nil } }
  var isOver: Bool { end != nil }
}
