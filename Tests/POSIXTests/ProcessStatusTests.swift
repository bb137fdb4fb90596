import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

@Suite(.ownThread) struct ProcessStatusTests {
  private func status(_ text: String) -> ProcessStatus? { ProcessStatus(Array(text.utf8)) }

  @Test func aNameMayContainAnything() throws {
    let found = try #require(status("42 (a) b (c)) S 1 40 41 34816 40 4194304 0"))
    #expect(found.name == "a) b (c)" && found.group == 40 && found.session == 41)
    #expect(found.foregroundGroup == 40 && found.isInForeground && found.hasTerminal)
    let daemon = try #require(status("42 (d) S 1 42 42 0 -1 0"))
    #expect(!daemon.hasTerminal && !daemon.isInForeground)
    #expect([found, daemon].allSatisfy { !$0.isStopped })
    #expect(
      status("42 (T) T 1 42 42 0 -1 0")?.isStopped == true && status("42 (a) t 1 42 42 0 -1 0")?.isStopped == true)
  }

  @Test(arguments: ["", "42", "42 (a", "42 a) S 1 2 3 4 5", ")(", "42 (a) S 1 2 3 4", "42 (a) S 1 x 3 4 5"])
  func damagedTextGivesNothing(_ text: String) { #expect(status(text) == nil) }

  @Test func aProcessThatHasEnded() {
    #expect(ProcessStatus(of: 0) == nil && ProcessStatus.owner(of: 0) == nil && !ProcessStatus.sharesNetwork(0))
    #expect(ProcessStatus.children(of: 0).isEmpty && ProcessStatus.sockets(of: 0).isEmpty)
  }

  @Test func aChildOfThisProcess() throws {
    let child = ChildProcess(try Subprocess.spawn("sleep", ["1000"], newSession: true, descriptors: []))
    let own = ProcessEnvironment.processID
    #expect(ProcessStatus.children(of: own).contains(child.pid) && ProcessStatus.all.contains(child.pid))
    #expect(eventually { ProcessStatus(of: child.pid)?.name == "sleep" })
    #expect(ProcessStatus(of: child.pid)?.session == child.pid)
    #expect(ProcessStatus.owner(of: child.pid) == ProcessEnvironment.userID)
    #expect(ProcessStatus.sharesNetwork(child.pid))
    #expect(ProcessStatus.sockets(of: child.pid).isEmpty)
  }
}
