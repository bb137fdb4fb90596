import Dispatch
import OverlineProcess
import OverlineReferenceTerminal
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// The reachability check of a real monitor, with a real curl and a scripted server.
@Suite(.ownThread) struct CheckTests {
  private func world(_ manner: PortalServer.Manner, _ more: String = "", timeout: String = "500ms") throws -> (
    World, PortalServer
  ) {
    let world = try World()
    try world.configure(
      """
      [banner]
      motion = "off"
      hide-delay = "500ms"
      [check]
      url = "\(PortalServer.url)"
      expect-body = "success"
      interval = "1s"
      timeout = "\(timeout)"
      \(more)
      """)
    return (world, try PortalServer(world, manner))
  }

  /// The window sends nothing itself.
  @Test func aWindowShowsWhatTheMonitorFinds() throws {
    let (world, server) = try world(.redirect)
    let window = try world.namespace.inside {
      try TerminalScene([World.executable, "run", "sh", "-c", "echo IN; cat"], environment: world.environment)
    }
    try window.wait(for: "IN")
    #expect(server.requests.isEmpty)
    for _ in 1...2 {
      // The window follows a monitor that starts later, and the next one.
      let monitor = try world.startMonitor()
      try window.wait("the portal") { $0.text[0].contains("Log in: http://127.0.0.1:8000/login") }
      let status = try world.overline("status", "--format", "env", "--socket", world.windowSocket())
      #expect(status.outputText.contains("OVERLINE_STATE='limited'\n"))
      #expect(status.outputText.contains("OVERLINE_LIMITATION_REASON='captive-portal'\n"))
      try server.answer(.good)
      try window.waitUntilGone("Log in")
      try server.answer(.redirect)
      try window.wait("the portal") { $0.text[0].contains("Log in: http://127.0.0.1:8000/login") }
      #expect(monitor.end(.terminate) == 0)
      try window.waitUntilGone("Log in")
    }
  }

  /// A stopped monitor cannot withdraw what it has found. The window asks it half a minute later, and drops the finding without an answer.
  @Test func aWindowDropsTheFindingOfAMonitorThatHangs() throws {
    let (world, server) = try world(.redirect)
    let monitor = try world.startMonitor()
    let window = try world.namespace.inside {
      try TerminalScene([World.executable, "run", "sh", "-c", "echo IN; cat"], environment: world.environment)
    }
    try window.wait("the portal") { $0.text[0].contains("Log in: http://127.0.0.1:8000/login") }
    _ = try Subprocess.run("kill", ["-STOP", "\(monitor.pid)"])
    try window.wait("no portal", within: .seconds(60)) { !$0.text[0].contains("Log in") }
    #expect(
      try eventually {
        try world.overline("status", "--format", "prompt", "--socket", world.windowSocket()).outputText == "online"
      })
    // The monitor's finding has not changed meanwhile, so it announces nothing by itself.
    _ = try Subprocess.run("kill", ["-CONT", "\(monitor.pid)"])
    try window.wait("the portal") { $0.text[0].contains("Log in: http://127.0.0.1:8000/login") }
    #expect(monitor.end(.terminate) == 0)
    try window.waitUntilGone("Log in")
    withExtendedLifetime(server) {}
  }

  /// New connections of programs get no answer, so the check asks long before its interval ends: half a minute after its last request.
  @Test(.enabled(if: RoutedNetwork.canRun, "COULD NOT RUN: nft is missing; install it: make test-deps"))
  func newConnectionsWithoutAnswersMakeItAsk() throws {
    let network = try RoutedNetwork()
    let world = try World(in: network.host)
    try world.configure(
      "[check]\nurl = \"\(PortalServer.url)\"\nexpect-body = \"success\"\ninterval = \"10m\"\n")
    let server = try PortalServer(world, .good)
    let monitor = try world.startMonitor()
    try server.waitForRequests(1)
    try network.drop("ip daddr 198.51.100.128/25")
    let clients = try EchoClients(
      in: network.host, to: (200..<220).map { "198.51.100.\($0)" }, waits: false)
    try server.waitForRequests(2, within: .seconds(90))
    withExtendedLifetime((monitor, clients)) {}
  }

  /// A service manager that listens for the monitor starts one for the first connection.
  @Test func aWindowStartsNoMonitor() throws {
    let (world, _) = try world(.redirect)
    try Files.makePrivateDirectory("\(world.folder)/overline")
    let manager = try UnixSocket.listen(at: "\(world.folder)/overline/monitor.sock")
    let window = try world.namespace.inside {
      try TerminalScene([World.executable, "run", "sh", "-c", "echo IN; cat"], environment: world.environment)
    }
    try window.wait(for: "IN")
    try world.pullTheCable()
    try window.wait(for: "No connection")
    var connections = PollSet(count: 1)
    connections.watch(0, manager.rawValue, reads: true)
    connections.wait(for: .milliseconds(300))
    let hasAsked = connections.isReady(0)
    #expect(!hasAsked)
  }

  @Test func aWindowInAnotherNamespaceDoesNotFollow() throws {
    let (world, server) = try world(.redirect)
    let monitor = try world.startMonitor()
    defer { #expect(monitor.end(.terminate) == 0) }
    try server.waitForRequests(2)
    #expect(eventually { (try? world.overline("status").outputText.hasPrefix("limited")) == true })
    let other = try NetworkNamespace()
    try other.addUplink("eth0")
    let window = try other.inside {
      try TerminalScene([World.executable, "run", "sh", "-c", "echo IN; cat"], environment: world.environment)
    }
    try window.wait(for: "IN")
    let status = try world.overline("status", "--socket", world.windowSocket())
    #expect(status.outputText.hasPrefix("online via eth0"), "\(status.outputText)")
    #expect(window.text[0] == "IN")
  }

  /// The processes that a monitor has started and not yet waited for.
  private func children(of pid: Int32) throws -> [Int32] {
    let tasks = try Subprocess.run("sh", ["-c", "cat /proc/\(pid)/task/*/children"])
    return tasks.outputText.split(whereSeparator: { " \n".contains($0) }).compactMap { Int32($0) }
  }

  @Test func onlineThenLimitedThenOnline() throws {
    let (world, server) = try world(.good)
    let monitor = try world.startMonitor()
    let watch = try world.start("watch", "--format", "prompt")
    try watch.lines.wait("online") { $0 == ["unknown", "online"] || $0 == ["online"] }
    try server.waitForRequests(1)
    try server.answer(.redirect)
    try watch.lines.wait("limited") { $0.last == "limited" }
    let status = try world.overline("status")
    #expect(status.status == 0)
    #expect(
      status.outputText.hasPrefix(
        "limited: log in: http://127.0.0.1:8000/login (127.0.0.1 answered with a redirect (302)); via eth0, wired, "))
    let variables = try world.overline("status", "--format", "env").outputText
    #expect(variables.contains("OVERLINE_STATE='limited'\nOVERLINE_STATUS='satisfied'\n"))
    #expect(
      variables.contains("OVERLINE_LIMITATION_REASON='captive-portal'\nOVERLINE_PORTAL='http://127.0.0.1:8000/login'\n")
    )
    #expect(
      try world.overline("status", "--format", "json").outputText.contains(#""portal":"http://127.0.0.1:8000/login""#))
    #expect(eventually { (try? world.overline("status", "--format", "plain").outputText) == "Limited connection\n" })
    try server.answer(.good)
    try watch.lines.wait("online again") { $0.suffix(3) == ["limited", "restored", "online"] }
    let words = monitor.lines.values.map { $0.dropFirst(10) }
    #expect(words.count == 3)
    #expect(words[1] == "limited: log in: http://127.0.0.1:8000/login (127.0.0.1 answered with a redirect (302))")
    #expect(words[2] == words[0] && words[0].hasPrefix("online via eth0"))
    #expect(!watch.lines.values.contains("offline"))
    // The portal's page was never requested.
    #expect(server.requests.allSatisfy { $0.hasPrefix("GET /success.txt HTTP/1.1 | Host: 127.0.0.1:8000 | ") })
  }

  @Test(arguments: [
    (PortalServer.Manner.redirect, "log in: http://127.0.0.1:8000/login (127.0.0.1 answered with a redirect (302))"),
    (.lie, "127.0.0.1 answered with another text than expected"),
    (.huge, "127.0.0.1 answered with another text than expected"),
    (.error, "127.0.0.1 answered with status 503, not 200"),
    (.garbage, "no answer from 127.0.0.1 (its answer is not HTTP)"),
    (.stall, "no answer from 127.0.0.1 (not in time)"),
    (.slow, "no answer from 127.0.0.1 (not in time)"),
    (.reset, "no answer from 127.0.0.1 (the connection was broken off)"),
    (.longLine, "no answer from 127.0.0.1 (its answer is not HTTP)"),
    (.longStatus, "no answer from 127.0.0.1 (its answer is not HTTP)"),
    (.binary, "no answer from 127.0.0.1 (its answer is not HTTP)"),
    (.badLength, "no answer from 127.0.0.1 (its answer is not HTTP)"),
    (.badCoding, "no answer from 127.0.0.1 (the connection was broken off)"),
    (.cutShort, "no answer from 127.0.0.1 (the connection was broken off)"),
  ])
  func eachWrongAnswerIsALimitedConnection(manner: PortalServer.Manner, words: String) throws {
    let (world, server) = try world(manner)
    let monitor = try world.startMonitor()
    // A request that a busy machine delays too long is repeated.
    try monitor.lines.wait("limited") { $0.last?.hasSuffix("  limited: \(words)") == true }
    try server.waitForRequests(2)
    // No aborted request is left, and no endless page is read.
    #expect(eventually { (try? children(of: monitor.pid)) == [] })
    #expect(server.sent.allSatisfy { $0 < 8_000_000 })
    try server.answer(.good)
    try monitor.lines.wait("online again") { $0.count > 2 && $0.last?.contains("online via eth0") == true }
    #expect(monitor.lines.values.dropFirst().dropLast().allSatisfy { $0.contains("  limited: ") })
  }

  @Test func aClosedPortAndABadCertificateAreLimitedToo() throws {
    for (url, words) in [
      ("http://127.0.0.1:8001/", "no answer from 127.0.0.1 (it accepts no connection)"),
      ("https://127.0.0.1:8000/", "no answer from 127.0.0.1 that can be trusted (TLS failed)"),
    ] {
      let world = try World()
      let server = try PortalServer(world, .good)
      try world.configure("[check]\nurl = \"\(url)\"\ninterval = \"1s\"\n")
      let monitor = try world.startMonitor()
      try monitor.lines.wait("limited") { $0.count == 2 && $0[1].hasSuffix("limited: \(words)") }
      withExtendedLifetime(server) {}
    }
  }

  /// The kernel decides on offline, and then no server is asked.
  @Test func nothingIsAskedWhileOffline() throws {
    let (world, server) = try world(.redirect)
    let monitor = try world.startMonitor()
    try monitor.lines.wait("limited") { $0.last!.contains("limited: ") }
    try world.pullTheCable()
    try monitor.lines.wait("offline") { $0.last!.contains("eth0 has no carrier") }
    #expect(try world.overline("status", "--format", "prompt").outputText == "offline")
    #expect(eventually { (try? children(of: monitor.pid)) == [] })
    let before = server.requests.count
    // The time of three requests.
    #expect(try world.overline("wait", "--for", "online", "-t", "3").status == 1)
    #expect(server.requests.count == before)
    try server.answer(.good)
    try world.plugTheCable()
    try server.waitForRequests(before + 1)
    try monitor.lines.wait("online") { $0.last!.contains("online via eth0") }
    #expect(monitor.lines.values.count == 4)
  }

  @Test func withoutACheckTheMonitorSleepsAndStartsNothing() throws {
    let world = try World()
    let monitor = try world.startMonitor()
    func wakeUps() throws -> String {
      try Subprocess.run("sh", ["-c", "grep -h ctxt_switches /proc/\(monitor.pid)/task/*/status"]).outputText
    }
    // The monitor has started when no output has come for a while.
    var before = ""
    #expect(
      try Sanitizer.threads > 0
        || eventually {
          before = try wakeUps()
          _ = try world.overline("wait", "--for", "offline", "-t", "1")
          return try wakeUps() == before
        })
    #expect(try children(of: monitor.pid) == [])
  }

  @Test func aMonitorWithoutCurlSaysSoOnceAndGoesOn() throws {
    let (world, server) = try world(.good)
    let environment = ["PATH=/nonexistent"] + world.environment.filter { !$0.hasPrefix("PATH=") }
    let monitor = try world.namespace.inside {
      try TestProgram(World.executable, ["monitor"], environment: environment)
    }
    try monitor.errors.wait("the advice") {
      $0 == [
        "overline: the reachability check cannot ask: curl is not installed; install it, or remove the server from [check]; going on without"
      ]
    }
    try world.pullTheCable()
    try monitor.lines.wait("offline") { $0.last!.contains("eth0 has no carrier") }
    try world.plugTheCable()
    try monitor.lines.wait("online") { $0.count == 3 }
    // Two requests later it has printed nothing more.
    _ = try world.overline("wait", "--for", "offline", "-t", "2")
    #expect(monitor.errors.values.count == 1)
    #expect(server.requests.isEmpty)
  }

  @Test("a curl that is a script is ended with its children")
  func theChildrenOfCurlAreEnded() throws {
    let (world, _) = try world(.good)
    try Files.makePrivateDirectory("\(world.folder)/bin")
    let curl = "\(world.folder)/bin/curl"
    try Files.replace(
      curl, with: Array("#!/bin/sh\nsleep 1000 &\necho $! >>\(world.folder)/pids\nwait\n".utf8), permissions: 0o755)
    let path = ProcessEnvironment["PATH"] ?? "/usr/bin:/bin"
    let environment =
      ["PATH=\(world.folder)/bin:\(path)"] + world.environment.filter { !$0.hasPrefix("PATH=") }
    let monitor = try world.namespace.inside {
      try TestProgram(World.executable, ["monitor"], environment: environment)
    }
    // Two failures in a row, each by time-out.
    try monitor.lines.wait("limited") { $0.last?.contains("limited: ") == true }
    #expect(monitor.end(.terminate) == 0)
    let pids = String(decoding: try Files.read("\(world.folder)/pids"), as: UTF8.self).split(separator: "\n")
    #expect(pids.count >= 2)
    for pid in pids { #expect(eventually { Files.linkTarget("/proc/\(pid)/exe") == nil }, "\(pid) is left") }
  }

  @Test func theUsersOwnSettingsOfCurlDoNotCount() throws {
    let (world, server) = try world(.good)
    try Files.replace("\(world.folder)/.curlrc", with: Array("user-agent = \"from-curlrc\"\nlocation\n".utf8))
    let environment = ["HOME=\(world.folder)"] + world.environment.filter { !$0.hasPrefix("HOME=") }
    let monitor = try world.namespace.inside {
      try TestProgram(World.executable, ["monitor"], environment: environment)
    }
    try server.waitForRequests(1)
    #expect(server.requests[0].contains("User-Agent: curl/"))
    monitor.end(.terminate)
  }

  @Test func aQuestionEndsWithTheMonitor() throws {
    let (world, server) = try world(.stall, timeout: "60s")
    let monitor = try world.startMonitor()
    try server.waitForRequests(1)
    let asking = try children(of: monitor.pid)
    #expect(asking.count == 1)
    #expect(monitor.end(.terminate) == 0)
    // A zombie may remain until its parent reaps it, but nothing runs.
    #expect(eventually { ((try? Files.read("/proc/\(asking[0])/cmdline")) ?? []).isEmpty })
  }

  /// Enabled, given another text, and disabled, while the monitor runs.
  @Test func itFollowsTheConfiguration() throws {
    let world = try World()
    let server = try PortalServer(world, .good)
    let monitor = try world.startMonitor()
    let watch = try world.watchWords()
    func configure(_ more: String) throws {
      try world.configure(
        "[banner]\nmotion = \"off\"\nhide-delay = \"0s\"\n[check]\ninterval = \"3600s\"\n\(more)\n")
    }
    try configure("url = \"\(PortalServer.url)\"\nexpect-body = \"success\"")
    try server.waitForRequests(1)
    // The answer counts, and the next request is an hour away.
    #expect(eventually { (try? children(of: monitor.pid)) == [] })
    #expect(watch.lines.values == ["online"])
    let asked = server.requests.count
    try configure("url = \"\(PortalServer.url)\"\nexpect-body = \"another\"")
    try watch.lines.wait("limited") { $0.last == "limited" }
    #expect(server.requests.count > asked)
    try configure("url = \"\"")
    try watch.lines.wait("no check, no limitation") { $0.last == "online" }
    #expect(!watch.lines.values.contains("offline"))
    #expect(eventually { (try? children(of: monitor.pid)) == [] })
    let before = server.requests.count
    // With a check, this outage would start another request.
    try world.haveOutage(watch)
    #expect(try world.overline("wait", "--for", "offline", "-t", "1").status == 1)
    #expect(server.requests.count == before)
    #expect(monitor.errors.values == [])
  }

  /// A custom banner returns when the network's has disappeared.
  @Test func theNetworksStateWinsOverAnotherBanner() throws {
    let (world, server) = try world(.good)
    let monitor = try world.startMonitor()
    try server.waitForRequests(1)
    let watch = try world.start("watch", "--format", "plain")
    try watch.lines.wait("no banner") { $0.last == "" }
    #expect(try world.overline("banner", "present", "Deploying").status == 0)
    try server.answer(.lie)
    try watch.lines.wait("limited") { $0.last == "Limited connection" }
    try server.answer(.good)
    try watch.lines.wait("the other one") { $0.suffix(2) == ["Back online", "Deploying"] }
    withExtendedLifetime(monitor) {}
  }

  @Test func waitWithCheckEndsWithTheFirstGoodAnswer() throws {
    let (world, server) = try world(.redirect)
    let once = try world.overline("wait", "--check", "-t", "0")
    #expect(once.status == 1)
    #expect(
      once.errorText
        == "overline: gave up after 0s of waiting for online with an answer: limited: log in: http://127.0.0.1:8000/login (127.0.0.1 answered with a redirect (302))\n"
    )
    let wait = try world.start("wait", "--check", "-t", "60")
    try server.waitForRequests(2)
    try server.answer(.good)
    #expect(endStatus(of: wait.pid) == 0)
    #expect(try world.overline("wait", "--check", "-t", "0").status == 0)
    for other in [["--for", "offline"], ["--target", "192.0.2.0/24"]] {
      let contradiction = try world.namespace.inside {
        try Subprocess.run(World.executable, ["wait", "--check"] + other, environment: world.environment)
      }
      #expect(contradiction.status == 64)
    }
    try world.configure("")
    let none = try world.overline("wait", "--check")
    #expect(none.status == 78)
    #expect(none.errorText.contains("names no server to ask; add use = \"mozilla\" or a url to [check]"))
  }
}

extension World {
  /// The socket of the only window.
  func windowSocket() throws -> String {
    String(try Subprocess.run("sh", ["-c", "echo \(folder)/overline/window-*.sock"]).outputText.dropLast())
  }
}
