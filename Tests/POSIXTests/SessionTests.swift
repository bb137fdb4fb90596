import Glibc
import OverlineSystem
import OverlineTestKit
import OverlineTestThread
import Testing

@Suite(.ownThread) struct SessionTests {
  /// Wherever descriptors run out, here or in the helper, the error says so. In a process of its own, whose limit is lowered.
  @Test(.ownProcess) func aProgramThatCannotBeStartedForWantOfDescriptorsSaysSo() throws {
    let terminal = try Pseudoterminal(rows: 24, columns: 80)
    let modes = try TerminalAttributes(of: terminal.slave.rawValue)
    let signals = try TakenSignals([.hangUp])
    ResourceLimits.setDescriptors(64)
    var fillers: [Int32] = []
    while case let filler = open("/dev/null", O_RDONLY | O_CLOEXEC), filler >= 0 { fillers.append(filler) }
    var failures = 0
    var isStarted = false
    // One more is released each time.
    while !isStarted, let filler = fillers.popLast() {
      close(filler)
      do {
        let session = try ProgramSession(
          ["true"], environment: ["PATH=/usr/bin:/bin"], standardError: nil, modes: modes,
          size: WindowSize(rows: 24, columns: 80), signals: signals)
        session.hangUp()
        session.reapHelper()
        isStarted = true
      } catch ProgramSession.StartError.session(let error) {
        #expect(error.code == EMFILE)
        failures += 1
      }
    }
    // Four are needed here, and more in the helper, which inherits this process's.
    #expect(isStarted && failures > 5, "\(failures) failures")
  }
}
