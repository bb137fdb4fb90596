import NetworkPath
import OverlineTestThread
import Testing
@testable import OverlineCore

/// When a window shows that its program's connection is slow. The program is an ssh of which each key is answered after a round trip.
@Suite(.ownThread) struct ProgramLagMachineTests {
  /// An ssh and its server, in milliseconds.
  private struct Shell {
    var machine = ProgramLagMachine(.milliseconds(500))
    /// The round trip of a key that is typed now.
    var roundTrip = 20
    /// False for a server that acknowledges a key and computes.
    var isWaiting = true
    private(set) var now = 0
    private(set) var looks = 0
    private(set) var shown: String?
    /// The times at which the notice came and went.
    private(set) var changes: [Int] = []
    /// What the kernel measures if a segment was lost: the round trip of the one that was sent again.
    var repeated: Int?
    private var answers: [Int] = []
    private var lastAnswer = 0
    /// False for a program that prints nothing, as for a password.
    var prints = true
    private var sent = 100
    private var smoothed = 20.0
    private var deviation = 2.0

    mutating func type(until end: Int, every pause: Int) {
      while now < end {
        handle(.keyTyped)
        let due = now + roundTrip
        answers.append(due)
        pass(pause)
      }
    }

    mutating func pass(_ time: Int) {
      let end = now + time
      while true {
        let deadline = machine.nextDeadline.map { max(now, Int($0 / .milliseconds(1))) }
        let next = [answers.first, deadline].compactMap(\.self).min() ?? .max
        guard next <= end else { break }
        now = next
        if next == answers.first {
          answers.removeFirst()
          sent += 1
          lastAnswer = now
          let error = Double(repeated ?? roundTrip) - smoothed
          deviation += (abs(error) - deviation) / 4
          smoothed += error / 8
          if prints { handle(.outputArrived) }
        } else {
          handle(.deadlineReached)
        }
      }
      now = end
    }

    mutating func handle(_ event: ProgramLagMachine.Event) {
      for effect in machine.handle(event, at: .milliseconds(now)) {
        switch effect {
        case .look:
          looks += 1
          handle(.looked([sample]))
        case .show(let program, let lag):
          if shown == nil { changes.append(now) }
          shown = ProgramNotice.text(program: program, lag: lag)
        case .hide:
          shown = nil
          changes.append(now)
        }
      }
    }

    private var sample: ProgramSample {
      var sample = QualitySample(connection: 1, host: 0)
      sample.roundTrip = .microseconds(Int(smoothed * 1000))
      sample.deviation = .microseconds(Int(deviation * 1000))
      sample.shortest = .milliseconds(20)
      (sample.sent, sample.delivered, sample.receivedSegments) = (UInt32(sent), UInt32(sent), UInt32(sent))
      sample.heardAge = .milliseconds(now - lastAnswer)
      sample.isWaiting = isWaiting && !answers.isEmpty
      return ProgramSample(program: "ssh", sample: sample)
    }
  }

  @Test(arguments: [20, 150, 399]) func quickAnswersCauseNoLook(_ roundTrip: Int) {
    var shell = Shell()
    shell.roundTrip = roundTrip
    for pause in [100, 600, 3000] {
      shell.type(until: shell.now + 10_000, every: pause)
      shell.pass(3000)
    }
    // A key that is typed before the output of an earlier one begins no wait of its own.
    #expect(shell.looks == 0 && shell.changes.isEmpty && shell.machine.nextDeadline == nil)
  }

  @Test(arguments: [150, 700, 1500]) func aSlowConnectionIsShown(_ pause: Int) {
    var shell = Shell()
    shell.roundTrip = 800
    shell.type(until: 12_000, every: pause)
    #expect(shell.shown == "ssh: slow, 0.8 s round trip")
    #expect(shell.changes.count == 1 && shell.changes[0] <= 7000, "\(shell.changes)")
    // The notice ends when the user has typed nothing for a while.
    shell.pass(20_000)
    #expect(shell.shown == nil && shell.changes.count == 2 && shell.machine.nextDeadline == nil)
  }

  @Test func itEndsWhenTheAnswersAreQuick() {
    var shell = Shell()
    shell.roundTrip = 1500
    shell.type(until: 10_000, every: 300)
    #expect(shell.shown != nil)
    shell.roundTrip = 100
    shell.type(until: 25_000, every: 300)
    #expect(shell.shown == nil && shell.changes.count == 2, "\(shell.changes)")
    // It has shown for a while.
    #expect(shell.changes[1] - shell.changes[0] >= 4000)
  }

  @Test(arguments: [420, 480]) func almostSlowIsNotSlow(_ roundTrip: Int) {
    var shell = Shell()
    shell.roundTrip = roundTrip
    shell.type(until: 20_000, every: 250)
    #expect(shell.changes.isEmpty)
  }

  /// One lost segment delays one key.
  @Test func oneLateAnswerIsNotSlow() {
    var shell = Shell()
    for _ in 0..<20 {
      shell.type(until: shell.now + 2000, every: 300)
      shell.roundTrip = 900
      shell.type(until: shell.now + 1, every: 1000)
      shell.roundTrip = 20
    }
    #expect(shell.changes.isEmpty, "\(shell.changes)")
  }

  /// A segment was lost twice: a single key waits for longer than two looks.
  @Test func oneVeryLateAnswerIsNotSlow() {
    var shell = Shell()
    for _ in 0..<20 {
      shell.type(until: shell.now + 2000, every: 300)
      (shell.roundTrip, shell.repeated) = (2800, 20)
      shell.type(until: shell.now + 1, every: 3000)
      (shell.roundTrip, shell.repeated) = (20, nil)
    }
    #expect(shell.changes.isEmpty, "\(shell.changes)")
  }

  @Test func theFigureStaysBetweenTwoAnswers() {
    var shell = Shell()
    shell.roundTrip = 2000
    var words: Set<String> = []
    shell.type(until: 10_000, every: 300)
    while shell.now < 40_000 {
      shell.type(until: shell.now + 1, every: 300)
      if let shown = shell.shown { words.insert(shown) }
    }
    #expect(words.isSubset(of: ["ssh: slow, 1.9 s round trip", "ssh: slow, 2.0 s round trip"]), "\(words)")
  }

  @Test func aProgramThatComputesIsNotSlow() {
    var shell = Shell()
    shell.isWaiting = false
    shell.roundTrip = 5000
    shell.type(until: 30_000, every: 3000)
    #expect(shell.changes.isEmpty && shell.looks > 0)
    shell.pass(10_000)
    #expect(shell.machine.nextDeadline == nil)
  }

  /// Each key of a password is acknowledged, and none has output.
  @Test(arguments: [20, 150, 400]) func aPasswordIsNotSlow(_ roundTrip: Int) {
    var shell = Shell()
    shell.roundTrip = roundTrip
    shell.prints = false
    shell.type(until: 8000, every: 200)
    #expect(shell.changes.isEmpty, "\(shell.changes)")
  }

  /// A password by a slow connection: the time since the first key is no round trip.
  @Test func theFigureIsTheConnectionsAlsoWithoutOutput() {
    var shell = Shell()
    (shell.roundTrip, shell.prints) = (800, false)
    var words: Set<String> = []
    while shell.now < 15_000 {
      shell.type(until: shell.now + 1, every: 300)
      if let shown = shell.shown { words.insert(shown) }
    }
    #expect(words == ["ssh: slow, 0.8 s round trip"], "\(words)")
  }

  @Test func zeroIsNever() {
    var shell = Shell()
    shell.machine = ProgramLagMachine(.zero)
    shell.roundTrip = 3000
    shell.type(until: 20_000, every: 500)
    #expect(shell.looks == 0 && shell.machine.nextDeadline == nil)
  }

  @Test(arguments: [ProgramLagMachine.Event.programLeft, .settingChanged(.zero), .settingChanged(.seconds(2))])
  func itEndsWith(_ event: ProgramLagMachine.Event) {
    var shell = Shell()
    shell.roundTrip = 1000
    shell.type(until: 8000, every: 300)
    #expect(shell.shown != nil)
    shell.handle(event)
    #expect(shell.shown == nil && shell.machine.nextDeadline == nil)
  }
}
