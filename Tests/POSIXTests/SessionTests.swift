import Glibc
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
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

  /// SIGSTOP and SIGCONT of the helper alone, as by `pkill`: the shell's job stays in the foreground.
  @Test(.ownProcess) func aContinuedHelperLeavesTheForegroundAlone() throws {
    let terminal = try Pseudoterminal(rows: 24, columns: 80)
    let session = try ProgramSession(
      ["sh", "-c", "set -m; sleep 60; exit"], environment: ["PATH=/usr/bin:/bin"], standardError: nil,
      modes: try TerminalAttributes(of: terminal.slave.rawValue), size: WindowSize(rows: 24, columns: 80),
      signals: try TakenSignals([.hangUp]))
    let (master, program, helper) = (session.masterDescriptor, session.program, session.helper)
    let foreground = { tcgetpgrp(master) }
    #expect(eventually { foreground() > 1 && foreground() != program })
    let job = foreground()
    Signal.continued.send(to: helper)
    // Until the helper has taken the signal and waits for the next one.
    #expect(
      try eventually {
        let status = String(decoding: try Files.read("/proc/\(helper)/status"), as: UTF8.self)
        return status.contains("State:\tS") && status.contains(/(?m)^ShdPnd:\t0+$/)
      })
    #expect(foreground() == job)
    session.hangUp()
    session.reapHelper()
  }
}
