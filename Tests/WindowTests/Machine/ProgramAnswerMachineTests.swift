import OverlineTestThread
import Testing
@testable import OverlineCore

/// A program whose server a test silences. It answers the machine's looks, and records the looks and the notices.
private struct AnswerScript {
  typealias Machine = ProgramAnswerMachine

  var machine: Machine
  var now = Duration.seconds(100)
  /// What a look finds, by the time.
  var answer: (Duration) -> ProgramAnswer = { _ in .acknowledged }
  var looks: [Duration] = []
  var firstLooks = 0
  /// Each change of the notice with its time; the text is empty when the notice is hidden.
  var notices: [(time: Duration, words: String)] = []

  init(_ setting: Duration = .seconds(3)) { machine = Machine(setting) }

  var shown: String { notices.last?.words ?? "" }

  mutating func send(_ event: Machine.Event) {
    var events = [event]
    while !events.isEmpty {
      for effect in machine.handle(events.removeFirst(), at: now) {
        switch effect {
        case .look(let isFirst):
          looks.append(now)
          if isFirst { firstLooks += 1 }
          events.append(.looked(answer(now)))
        case .show(let program, let age): notices.append((now, ProgramNotice.text(program: program, age: age)))
        case .hide: notices.append((now, ""))
        }
      }
    }
  }

  mutating func pass(_ time: Duration) {
    let end = now + time
    while let deadline = machine.nextDeadline, deadline <= end {
      #expect(deadline >= now)
      now = max(now, deadline)
      send(.deadlineReached)
      // A deadline in the past would spin.
      #expect(machine.nextDeadline.map { $0 > now } ?? true)
    }
    now = end
  }

  /// The server falls silent now; data that is sent now is sent again after 200, 600 and 1400 ms.
  ///
  /// - Parameter idle: the time since its last answer.
  mutating func silence(after idle: Duration = .zero) {
    let start = now
    answer = { now in
      let age = now - start
      let retransmits = [200, 600, 1400, 3000, 6200, 12600, 25400, 51000].count { .milliseconds($0) <= age }
      if retransmits < 2 { return .underway }
      return .stalled(.init(program: "ssh", age: age, heardAge: idle + age, retransmits: retransmits))
    }
  }
}

/// When a window looks at its program's connections, and what its notice says.
@Suite(.ownThread) struct ProgramAnswerMachineTests {
  /// A firewall of the machine stops what the program writes.
  @Test func aProgramThatCannotSend() {
    var script = AnswerScript()
    let start = script.now
    script.answer = { now in
      let age = now - start
      if age < .milliseconds(600) { return .underway }
      return .stalled(.init(program: "ssh", age: age, heardAge: .seconds(20) + age, retransmits: 2, isUnsent: true))
    }
    script.send(.keyTyped)
    script.pass(.milliseconds(2900))
    #expect(script.notices.isEmpty)
    script.pass(.seconds(10))
    #expect(script.notices.first?.time == start + .seconds(3))
    #expect(Set(script.notices.map(\.words)) == ["ssh: cannot send"])
    // The data leaves, and waits for an answer.
    script.silence()
    script.pass(.seconds(2))
    #expect(script.shown == "")
    script.pass(.seconds(3))
    #expect(script.shown.hasPrefix("ssh: last answer"))
    script.answer = { _ in .acknowledged }
    script.pass(.seconds(2))
    #expect(script.shown == "" && script.machine.nextDeadline == nil)
  }

  @Test func aServerThatFallsSilent() {
    var script = AnswerScript()
    let start = script.now
    script.silence()
    script.send(.keyTyped)
    script.pass(.milliseconds(2999))
    #expect(script.notices.isEmpty)
    script.pass(.milliseconds(1))
    #expect(script.shown == "ssh: last answer 3 s ago")
    script.pass(.seconds(11))
    // The notice counts every second once.
    #expect(script.notices.map(\.time) == (3...14).map { start + .seconds($0) })
    #expect(script.notices.map(\.words) == (3...14).map { "ssh: last answer \($0) s ago" })
    #expect(script.looks.count <= 14 && script.firstLooks == 1)
    // More keys change nothing.
    let deadline = script.machine.nextDeadline
    script.send(.keyTyped)
    #expect(script.machine.nextDeadline == deadline && script.shown == "ssh: last answer 14 s ago")
    script.send(.outputArrived)
    #expect(script.shown == "" && script.machine.nextDeadline == nil)
  }

  /// The first key after a pause: the last answer came before it.
  @Test func anIdleSessionCountsFromItsLastAnswer() {
    var script = AnswerScript()
    let start = script.now
    script.silence(after: .milliseconds(40_300))
    script.send(.keyTyped)
    script.pass(.seconds(6))
    #expect(script.notices.map(\.words) == (43...46).map { "ssh: last answer \($0) s ago" })
    // At 3 s, then at each whole second of the age.
    #expect(script.notices.map(\.time) == [3000, 3700, 4700, 5700].map { start + .milliseconds($0) })
  }

  @Test func anAcknowledgementEndsTheNotice() {
    var script = AnswerScript()
    script.silence()
    script.send(.keyTyped)
    script.pass(.seconds(5))
    #expect(script.shown == "ssh: last answer 5 s ago")
    script.answer = { _ in .acknowledged }
    script.pass(.seconds(1))
    #expect(script.shown == "" && script.machine.nextDeadline == nil)
    // Data that is on its way ends it too: the connection goes on.
    script.silence()
    script.send(.keyTyped)
    script.pass(.seconds(5))
    script.answer = { _ in .underway }
    script.pass(.seconds(1))
    #expect(script.shown == "")
  }

  @Test func whileKeysAreAnsweredItAsksForNothing() {
    var script = AnswerScript()
    for _ in 0..<100 {
      script.send(.keyTyped)
      script.send(.keyTyped)
      script.pass(.milliseconds(999))
      script.send(.outputArrived)
      #expect(script.machine.nextDeadline == nil)
    }
    script.pass(.seconds(60))
    #expect(script.looks.isEmpty)
  }

  /// A program that computes for a minute.
  @Test func everythingIsAcknowledged() {
    var script = AnswerScript()
    script.send(.keyTyped)
    script.pass(.seconds(60))
    #expect(script.looks.count == 1 && script.machine.nextDeadline == nil && script.notices.isEmpty)
    script.send(.keyTyped)
    script.pass(.seconds(60))
    #expect(script.looks.count == 2 && script.firstLooks == 2)
  }

  /// An upload has data on its way at every look.
  @Test func aBusyConnectionIsNotWatchedForEver() {
    var script = AnswerScript()
    script.answer = { _ in .underway }
    script.send(.keyTyped)
    script.pass(.seconds(600))
    #expect((10...20).contains(script.looks.count))
    #expect(script.machine.nextDeadline == nil && script.notices.isEmpty)
  }

  @Test func outputEndsTheLooks() {
    var script = AnswerScript()
    script.silence()
    script.send(.keyTyped)
    script.pass(.milliseconds(1500))
    script.send(.outputArrived)
    #expect(script.machine.nextDeadline == nil && script.notices.isEmpty)
    // A look's answer that comes late changes nothing.
    script.send(.looked(.stalled(.init(program: "ssh", age: .seconds(9), heardAge: .seconds(9), retransmits: 5))))
    #expect(script.notices.isEmpty)
  }

  /// The program redraws itself after the notice has taken a row. That output is no answer: it only causes a look.
  @Test func itsOwnLayoutIsNoAnswer() {
    var script = AnswerScript()
    script.silence()
    script.send(.keyTyped)
    script.pass(.milliseconds(3010))
    script.send(.outputArrived)
    #expect(script.shown == "ssh: last answer 3 s ago")
    script.answer = { _ in .acknowledged }
    script.send(.outputArrived)
    #expect(script.shown == "" && script.machine.nextDeadline == nil)
  }

  /// The terminal's echo of Enter is no answer, but makes the window look.
  @Test func theEndOfALine() {
    var script = AnswerScript()
    script.silence()
    script.send(.keyTyped)
    script.send(.lineEnded)
    script.pass(.seconds(3))
    #expect(script.shown == "ssh: last answer 3 s ago")
    script.pass(.milliseconds(500))
    script.send(.lineEnded)
    #expect(script.shown == "ssh: last answer 3 s ago")
    script.pass(.milliseconds(500))
    #expect(script.shown == "ssh: last answer 4 s ago")
    script.answer = { _ in .acknowledged }
    script.send(.lineEnded)
    #expect(script.shown == "")
  }

  @Test func aShorterAgeDoesNotCountBack() {
    var script = AnswerScript()
    script.silence()
    script.send(.keyTyped)
    script.pass(.seconds(10))
    #expect(script.shown == "ssh: last answer 10 s ago")
    // The kernel limits the timeout, and the age from one look is too short.
    script.answer = { _ in .stalled(.init(program: "ssh", age: .seconds(4), heardAge: .seconds(4), retransmits: 9)) }
    script.pass(.seconds(1))
    #expect(script.shown == "ssh: last answer 11 s ago")
    // Fewer retransmissions: an answer came between two looks, and the count begins anew.
    script.answer = { _ in .stalled(.init(program: "ssh", age: .seconds(2), heardAge: .seconds(2), retransmits: 2)) }
    script.pass(.seconds(1))
    #expect(script.shown == "")
    script.answer = { _ in .stalled(.init(program: "ssh", age: .seconds(3), heardAge: .seconds(3), retransmits: 3)) }
    script.pass(.seconds(1))
    #expect(script.shown == "ssh: last answer 3 s ago")
  }

  @Test func afterAMinuteItLooksEachFiveSeconds() {
    var script = AnswerScript()
    script.silence()
    script.send(.keyTyped)
    script.pass(.seconds(59))
    #expect(script.shown == "ssh: last answer 59 s ago")
    script.pass(.seconds(1))
    #expect(script.shown == "ssh: last answer 1 min ago")
    let before = script.looks.count
    script.pass(.seconds(3540))
    #expect(script.shown == "ssh: last answer 1 h ago")
    #expect(script.looks.count - before == 708)
  }

  @Test func otherTimes() {
    var off = AnswerScript(.zero)
    off.silence()
    off.send(.keyTyped)
    #expect(off.machine.nextDeadline == nil)
    off.send(.settingChanged(.seconds(2)))
    off.send(.keyTyped)
    off.pass(.seconds(2))
    #expect(off.shown == "ssh: last answer 2 s ago")
    off.send(.settingChanged(.seconds(10)))
    off.pass(.seconds(1))
    #expect(off.shown == "")
    off.pass(.seconds(7))
    #expect(off.shown == "ssh: last answer 10 s ago")
    off.send(.settingChanged(.zero))
    #expect(off.shown == "" && off.machine.nextDeadline == nil)
  }

  @Test func aProgramThatIsStoppedHasNoNotice() {
    var script = AnswerScript()
    script.silence()
    script.send(.keyTyped)
    script.pass(.seconds(4))
    script.send(.programLeft)
    #expect(script.shown == "" && script.machine.nextDeadline == nil)
  }

  /// The clock of the deadlines counts suspended time: one look at resume, then one a second.
  @Test func afterSuspendItLooksOnce() {
    var script = AnswerScript()
    script.silence()
    script.send(.keyTyped)
    script.pass(.seconds(4))
    let before = script.looks.count
    script.now += .seconds(20)
    script.send(.deadlineReached)
    script.send(.deadlineReached)
    #expect(script.looks.count == before + 1)
    #expect(script.shown == "ssh: last answer 24 s ago")
  }
}

@Suite(.ownThread) struct ProgramNoticeTests {
  @Test(arguments: ["", "\r\n", "\n", "\r\r\n", "\u{1b}[?2004l\r\n", "\r\n\u{1b}[?2004l\r", "\u{1b}[?2004;7h"])
  func theEndOfALineIsNoAnswer(_ output: String) { #expect(ProgramNotice.isLineEnd(Array(output.utf8))) }

  @Test(arguments: [
    "l", " ", "\r\n$ ", "\u{8}", "\u{7}", "\u{1b}", "\u{1b}[", "\u{1b}[?", "\u{1b}[?2004", "\u{1b}[2K", "\u{1b}[?6n",
    "\u{1b}[K\r\n",
    String(repeating: "\r\n", count: 17),
  ])
  func anythingElseIsOne(_ output: String) { #expect(!ProgramNotice.isLineEnd(Array(output.utf8))) }
}
