import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// What curl cannot do, and what it refuses.
@Suite(.ownThread) struct CurlFailureTests {
  /// A portal that sends what curl gives up on is an answer, so the wait goes on until the portal is gone.
  @Test(arguments: [PortalServer.Manner.longLine, .longStatus, .binary])
  func waitWithCheckOutlastsAnAnswerThatCurlRefuses(_ manner: PortalServer.Manner) throws {
    let world = try World()
    try world.configure("[check]\nurl = \"\(PortalServer.url)\"\nexpect-body = \"success\"\n")
    let server = try PortalServer(world, manner)
    let once = try world.overline("wait", "--check", "-t", "0")
    #expect(once.status == 1)
    #expect(once.errorText.hasSuffix(": limited: no answer from 127.0.0.1 (its answer is not HTTP)\n"), "\(once)")
    let wait = try world.start("wait", "--check", "-t", "60")
    try server.waitForRequests(3)
    try server.answer(.good)
    #expect(endStatus(of: wait.pid) == 0)
  }

  /// The same exit codes without a byte from the server: curl cannot ask, which says nothing about the network.
  @Test(arguments: [1, 27, 77])
  func aCurlThatCannotAskSaysNothingAboutTheNetwork(_ status: Int) throws {
    let world = try World()
    try world.configure("[check]\nurl = \"\(PortalServer.url)\"\n")
    try Files.makePrivateDirectory("\(world.folder)/bin")
    let script = "#!/bin/sh\nprintf 0.000000 >&2\nexit \(status)\n"
    try Files.replace("\(world.folder)/bin/curl", with: Array(script.utf8), permissions: 0o755)
    let path = "PATH=\(world.folder)/bin:\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")"
    let environment = [path] + world.environment.filter { !$0.hasPrefix("PATH=") }
    let wait = try world.namespace.inside {
      try Subprocess.run(
        World.executable, ["wait", "--check", "-t", "20"], environment: environment, timeout: .seconds(30))
    }
    #expect(wait.status == 2)
    #expect(wait.errorText.hasPrefix("overline: the reachability check cannot ask: curl "), "\(wait)")
  }
}
