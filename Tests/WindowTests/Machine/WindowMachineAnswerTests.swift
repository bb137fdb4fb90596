import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// The notice that a window's program has no answer: which input counts as a key, and what shows.
@Suite(.ownThread) struct WindowMachineAnswerTests {
  private func look(_ isFirst: Bool) -> WindowEffect { .lookAtConnections(isFirst: isFirst) }
  private func stall(_ seconds: Int) -> WindowEvent {
    .connectionsSeen(
      ProgramLook(
        .stalled(.init(program: "ssh", age: .seconds(seconds), heardAge: .seconds(seconds), retransmits: seconds))))
  }

  @Test func aKeyWithoutOutput() {
    let script = MachineScript.started(programNotice: .seconds(3))
    script.type("a")
    script.pass(.seconds(1))
    #expect(script.effects.filter { $0 != .noteInput } == [look(true)])
    script.send(stall(2))
    #expect(!script.showsBanner)
    script.pass(.seconds(1))
    #expect(script.effects.last == look(false))
    script.forget()
    script.send(stall(3))
    #expect(script.showsBanner && script.written.contains("ssh: last answer 3 s ago"))
    #expect(script.programSize.rows == 23)
    script.pass(.seconds(1))
    script.forget()
    // The next word of the notice goes to its place in one frame.
    script.send(stall(4))
    #expect(script.written.ranges(of: "last answer 4 s ago").count == 1)
    script.pass(.milliseconds(900))
    script.print("b")
    #expect(!script.showsBanner && script.programSize.rows == 24)
    script.pass(.seconds(1))
    #expect(script.nextDeadline == nil)
  }

  @Test func anAnsweredKeyCausesNoLook() {
    let script = MachineScript.started(programNotice: .seconds(3))
    for _ in 0..<10 {
      script.type("a")
      script.print("a")
      script.pass(.seconds(2))
      #expect(script.nextDeadline == nil)
    }
    #expect(!script.effects.contains(look(true)))
  }

  /// The terminal, or a line editor, echoes Enter at once. The answer is still to come.
  @Test func anEchoedLineEndIsNoAnswer() {
    let script = MachineScript.started(programNotice: .seconds(3))
    script.type("\r")
    script.print("\r\n")
    script.pass(.seconds(1))
    #expect(script.effects.contains(look(true)))
  }

  @Test func theNetworksBannerComesFirst() {
    let script = MachineScript.started(programNotice: .seconds(1))
    script.type("a")
    script.pass(.seconds(1))
    script.send(stall(2))
    #expect(script.showsBanner)
    script.forget()
    script.lose()
    script.pass(.milliseconds(100))
    #expect(script.written.contains("No connection"))
    script.pass(.seconds(1))
    script.forget()
    script.send(stall(3))
    #expect(!script.written.contains("last answer"))
  }

  @Test func aStoppedProgramHasNoNotice() {
    let script = MachineScript.started(programNotice: .seconds(1))
    script.type("a")
    script.pass(.seconds(1))
    script.send(stall(2))
    #expect(script.showsBanner)
    script.send(.programStopped)
    #expect(!script.showsBanner)
    script.send(.resumed(hasStopped: true))
    script.pass(.seconds(5))
    #expect(!script.showsBanner)
  }

  @Test func theSettingIsFollowed() {
    let script = MachineScript.started()
    script.type("a")
    script.pass(.seconds(5))
    #expect(!script.effects.contains(look(true)))
    script.send(.requested(.programNotice(after: .seconds(1), lag: .zero)))
    script.type("a")
    script.pass(.seconds(1))
    #expect(script.effects.contains(look(true)))
  }
}
