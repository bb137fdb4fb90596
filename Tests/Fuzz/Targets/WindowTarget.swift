import Overline
@testable import OverlineCore

/// The bytes are the events of a window: keys, output, sizes, signals, overlays and time. In the end the window's program exits:
/// then the window must end too.
enum WindowTarget {
  static func run(_ bytes: [UInt8]) {
    var script = ByteScript(bytes)
    var driver = Driver(
      rows: script.rows(), columns: script.columns(), hasMotion: script.next() & 1 == 0,
      hasBanner: script.next() & 1 == 0)
    while !script.isEmpty, !driver.isOver {
      driver.acceptsBytes = script.next() & 7 != 0
      driver.pass(script.pause())
      if let event = event(&script, driver) { driver.send(event) }
    }
    driver.end()
  }

  private static func event(_ script: inout ByteScript, _ driver: borrowing Driver) -> WindowEvent? {
    let kind = script.next() % 18
    switch kind {
    case 0...4:
      let output = script.run()
      guard driver.readsOutput else { return nil }
      return driver.passesOutput ? .passed(output, isAccepted: driver.acceptsBytes) : .printed(output)
    case 5, 6:
      let keys = script.run()
      return driver.readsInput ? .typed(keys) : nil
    case 7:
      let value = script.next()
      return .resized(value == 0 ? nil : TerminalSize(rows: script.rows(), columns: script.columns()))
    case 8: return .requested(.overlay(.banner(.networkFoundLost(cause: script.word()))))
    case 9: return .requested(.overlay(.banner(.networkRestored)))
    case 10:
      let content = ToastContent(title: script.word(), message: script.word())
      return .requested(.overlay(.toast(.toastPosted(content, id: ToastID(rawValue: driver.count)))))
    case 11:
      let alert = Alert(title: script.word(), buttons: ["Yes", "No"])
      return .requested(.overlay(.alert(.alertPosted(alert, id: AlertID(rawValue: driver.count)))))
    case 12: return .requested(.hardSync)
    case 13: return driver.isServing && driver.readsReports ? .programStopped : nil
    case 14: return .continued(isTerminalShared: script.next() % 2 == 0)
    case 15, 16: return .connectionsSeen(ProgramLook(answer(&script), samples: samples(&script)))
    default: return driver.isServing ? .signaled(.interrupt) : nil
    }
  }

  private static func samples(_ script: inout ByteScript) -> [ProgramSample] {
    (0..<Int(script.next() % 3)).map { number in
      var sample = QualitySample(connection: UInt64(number), host: number)
      sample.roundTrip = .milliseconds(Int(script.next()) * 10)
      sample.deviation = .milliseconds(Int(script.next()))
      sample.sent = UInt32(script.next())
      (sample.delivered, sample.receivedSegments) = (sample.sent, sample.sent)
      sample.isWaiting = script.next() % 2 == 0
      return ProgramSample(program: script.word(), sample: sample)
    }
  }

  private static func answer(_ script: inout ByteScript) -> ProgramAnswer {
    switch script.next() % 4 {
    case 0: .acknowledged
    case 1: .underway
    default:
      .stalled(
        ProgramAnswer.Stall(
          program: script.word(), age: .milliseconds(Int(script.next()) * 100), heardAge: .seconds(26),
          retransmits: Int(script.next() % 8), isUnsent: script.next() % 4 == 0))
    }
  }

  private struct Driver: ~Copyable {
    private var machine: WindowMachine
    private var now = Duration.seconds(100)
    var acceptsBytes = true
    private var owesDrain = false
    /// The number of events so far: a number for toasts and alerts that no other has.
    private(set) var count = 0

    init(rows: Int, columns: Int, hasMotion: Bool, hasBanner: Bool) {
      let motion: BannerSettings.Motion = hasMotion ? .auto : .off
      machine = WindowMachine(
        DisplayMachine(
          banner: BannerSettings(motion: motion), toasts: ToastSettings(motion: motion),
          toastInput: ToastInputSettings(), size: TerminalSize(rows: rows, columns: columns),
          capabilities: TerminalCapabilities(environment: { ["TERM": "xterm-256color"][$0] }, isTerminal: true)),
        programNotice: .seconds(3))
      send(.opened(hasBanner ? [.overlay(.banner(.networkFoundLost(cause: "eth0 has no carrier")))] : []))
      pass(.seconds(2))
      send(.programStarted(title: nil))
    }

    var isOver: Bool { if case .over = machine.phase { true } else { false } }
    var isServing: Bool { machine.phase == .serving }
    var readsInput: Bool { machine.readsInput }
    var readsOutput: Bool { machine.readsOutput }
    var passesOutput: Bool { machine.passesOutput }
    var readsReports: Bool { machine.readsReports }

    /// Sends an event, and what follows from its effects.
    mutating func send(_ event: WindowEvent) {
      count += 1
      if case .passed(_, isAccepted: false) = event { owesDrain = true }
      var events = [event]
      var effects: [WindowEffect] = []
      while !events.isEmpty, !isOver {
        machine.handle(events.removeFirst(), at: now, into: &effects)
        for effect in effects {
          switch effect {
          case .write, .repair: owesDrain = true
          case .stop: events.append(.resumed(hasStopped: true))
          case .resizeProgram(let size): precondition(size.rows > 0 && size.columns > 0, "a size without cells")
          case .lookForProgram: events.append(.programSeen(isAlive: false))
          default: break
          }
        }
        if owesDrain, acceptsBytes {
          owesDrain = false
          events.append(.drained)
        }
      }
    }

    /// Lets time pass; each deadline is delivered at its own time, and a pause of the output at once.
    mutating func pass(_ time: Duration) {
      let end = now + time
      var steps = 0
      if machine.isPauseAwaited, machine.readsOutput { send(.paused) }
      while !isOver, let deadline = machine.nextDeadline, deadline <= end {
        now = max(now, deadline)
        send(.deadlineReached)
        if machine.isPauseAwaited, machine.readsOutput { send(.paused) }
        steps += 1
        precondition(steps < 20_000, "a deadline that has passed would spin")
      }
      now = end
    }

    /// The program ends by itself; if the window then waits for its terminal, it waits for a time only.
    mutating func end() {
      acceptsBytes = true
      if isOver { return }
      if owesDrain {
        owesDrain = false
        send(.drained)
      }
      send(.programEnded(.exited(0)))
      send(.outputClosed)
      pass(.seconds(60))
      precondition(isOver, "a window that outlives its program")
    }
  }
}
