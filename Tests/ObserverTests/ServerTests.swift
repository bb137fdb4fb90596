import Dispatch
import Foundation
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Synchronization
import Testing
@testable import OverlineCore
@testable import OverlineShell

@Suite(.ownThread) struct ServerTests {
  @Test func connectingIsWatching() throws {
    let server = try TestServer()
    server.publish(online(1))
    var client = try server.client()
    #expect(try client.next(timeout: .seconds(10)) == online(1))
    server.publish(offline(2))
    server.publish(online(3))
    #expect(try client.next(timeout: .seconds(10)) == offline(2))
    #expect(try client.next(timeout: .seconds(10)) == online(3))
    #expect(try ObserverClient.status(path: server.path) == online(3))
  }

  @Test func aClientFromBeforeTheFirstStateGetsIt() throws {
    let server = try TestServer()
    var client = try server.client()
    #expect(
      try client.request(.status())
        == ObserverResponse(
          ProtocolError(.noState, "the monitor has no state yet, because it has just started; ask again")))
    server.publish(online(1))
    #expect(try client.next(timeout: .seconds(10)) == online(1))
  }

  @Test("a status with a format is the state in that format", arguments: ObserverFormat.allCases)
  func statusAsText(_ format: ObserverFormat) throws {
    let server = try TestServer()
    for state in [online(1), offline(2)] {
      server.publish(state)
      let status = try ObserverClient.status(path: server.path, as: format)
      #expect(status == StatusText(state, as: format))
      #expect(status.text == format.string(state) && status.state == state.state)
    }
  }

  @Test("a status request before the first state waits for that state") func statusBeforeTheFirstState() throws {
    let server = try TestServer()
    let path = server.path
    let status = Mutex<StatusText?>(nil)
    // A thread of its own: the client waits.
    DispatchQueue.global().async {
      let text = try? ObserverClient.status(path: path, as: .text, timeout: .seconds(30))
      status.withLock { $0 = text }
    }
    #expect(eventually { server.clientCount == 1 })
    server.publish(offline(1))
    #expect(eventually { status.withLock { $0 } == StatusText(offline(1), as: .text) })
  }

  @Test(
    "a line that is no header of a finished text is none",
    arguments: [
      #"{"ok":true}"#, #"{"ok":true,"data":{}}"#, #"{"ok":true,"state":"offline"}"#,
      #"{"ok":true,"state":"away","lines":1}"#,
      #"{"ok":true,"state":"offline","lines":0}"#, #"{"ok":true,"state":"offline","lines":99999999}"#,
      #"{"ok":true,"state":"offline","lines":1"#, "",
    ])
  func noHeader(_ line: String) { #expect(StatusText.header(Array(line.utf8)) == nil) }

  @Test func requestsOnTheSameConnection() throws {
    let server = try TestServer { request, _, completion in
      completion(request == .dismiss ? .ok(.string("gone")) : .failure(message: "no", code: "nope"))
    }
    server.publish(offline(7))
    var client = try server.client()
    #expect(try client.request(.dismiss) == .ok(.string("gone")))
    #expect(try client.request(.present(.init(title: "x"))) == .failure(message: "no", code: "nope"))
    guard case .ok(.some(let data)) = try client.request(.status()) else { throw CancellationError() }
    #expect(try ObserverState(json: data) == offline(7))
    #expect(try client.request(.watch()) == .ok())
    #expect(try client.next(timeout: .seconds(10)) == offline(7))
  }

  @Test func answersKeepTheOrderOfTheirRequests() throws {
    // Completed late and from other threads, in reverse order.
    let count = Mutex(0)
    let server = try TestServer { request, _, completion in
      let number = count.withLock {
        $0 += 1; return $0
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20 - number)) {
        completion(.ok(.integer(number)))
      }
    }
    var client = try RawConnection(server.path)
    try client.send(String(repeating: "{\"do\":\"dismiss\"}\n", count: 10) + "{\"do\":\"status\"}\n")
    for number in 1...10 { #expect(try client.line() == "{\"ok\":true,\"data\":\(number)}") }
    #expect(try client.line()?.contains("no-state") == true)
  }

  @Test func aCompletionCalledTwiceAnswersOnce() throws {
    let server = try TestServer { _, _, completion in
      completion(.ok(.integer(1)))
      completion(.ok(.integer(2)))
    }
    var client = try RawConnection(server.path)
    try client.send("{\"do\":\"dismiss\"}\n{\"do\":\"nothing\"}\n")
    #expect(try client.line() == "{\"ok\":true,\"data\":1}")
    #expect(try client.line()?.contains("unknown-request") == true)
  }

  @Test func mistakesAreAnsweredAndTheConnectionLivesOn() throws {
    let server = try TestServer()
    var client = try RawConnection(server.path)
    try client.send("nonsense\r\n\n{\"do\":\"dance\"}\n")
    #expect(try client.line()?.contains("\"code\":\"bad-json\"") == true)
    #expect(try client.line()?.contains("\"code\":\"unknown-request\"") == true)
    try client.send(String(repeating: "x", count: 300_000))
    #expect(try client.line()?.contains("\"code\":\"line-too-long\"") == true)
    try client.send("still the same line\n{\"do\":\"dis")
    try client.send("miss\"}\r\n")
    #expect(try client.line() == "{\"ok\":true}")
  }

  @Test func aSlowReaderGetsTheNewestStateAndAFastOneEvery() throws {
    var limits = ServerMachine.Limits()
    limits.stall = .seconds(600)
    let server = try TestServer(limits: limits)
    server.publish(online(0))
    let slow = try RawConnection(server.path)
    var fast = try server.client()
    #expect(try fast.next(timeout: .seconds(10))?.seq == 0)
    for seq in 1...3000 {
      server.publish(online(seq))
      #expect(try fast.next(timeout: .seconds(10))?.seq == seq)
    }
    var reader = consume slow
    var seen = 0
    var last = -1
    while last < 3000 {
      guard let line = try reader.line() else { break }
      let seq = try ObserverState(jsonLine: line.utf8).seq
      #expect(seq > last)
      last = seq
      seen += 1
    }
    #expect(last == 3000)
    // The client gets the states that fitted into the kernel's buffer of some 200 KiB, and then only the newest.
    #expect(seen < 1500)
  }

  @Test func aReaderThatTakesNothingIsDropped() throws {
    var limits = ServerMachine.Limits()
    limits.stall = .milliseconds(50)
    let server = try TestServer(limits: limits)
    var fast = try server.client()
    let stalled = try RawConnection(server.path)
    #expect(eventually { server.clientCount == 2 })
    for seq in 1...3000 {
      server.publish(online(seq))
      _ = try fast.next(timeout: .seconds(10))
    }
    #expect(eventually { server.clientCount == 1 })
    server.publish(online(3001))
    #expect(try fast.next(timeout: .seconds(10))?.seq == 3001)
    _ = consume stalled
  }

  @Test func aFloodingClientThatNeverReadsDelaysNoOther() throws {
    let server = try TestServer()
    server.publish(online(1))
    let flood = try RawConnection(server.path)
    try flood.socket.setNonBlocking()
    let requests = Array(String(repeating: "{\"do\":\"status\"}\n", count: 1000).utf8)
    // Send until both directions are full: the server must stop reading instead of buffering.
    var sent = 0
    #expect(
      try eventually {
        do {
          sent += try flood.socket.write(requests[...])
          return false
        } catch let error as SystemError {
          guard error.isWouldBlock else { throw error }
          return true
        }
      })
    #expect(sent < 4_000_000)
    var other = try server.client()
    #expect(try other.next(timeout: .seconds(10)) == online(1))
    #expect(try other.request(.dismiss) == .ok())
    // Once the client reads, every answer comes.
    var reader = consume flood
    #expect(try reader.line() == online(1).json)
    for _ in 0..<(sent / 16) { #expect(try reader.line()?.hasPrefix("{\"ok\":true,\"data\"") == true) }
  }

  @Test func aClientThatGoesIsForgotten() throws {
    let server = try TestServer()
    server.publish(online(1))
    do {
      var client = try server.client()
      _ = try client.next(timeout: .seconds(10))
      #expect(server.clientCount == 1)
    }
    #expect(eventually { server.clientCount == 0 })
  }

  @Test func requestsOfAClientThatLeftArePerformed() throws {
    let asked = Mutex<[ObserverRequest]>([])
    let server = try TestServer { request, _, completion in
      asked.withLock { $0.append(request) }
      completion(.ok())
    }
    do {
      let client = try RawConnection(server.path)
      try client.send("{\"do\":\"dismiss\"}\n")
    }
    #expect(eventually { asked.withLock { $0 } == [.dismiss] })
    #expect(eventually { server.clientCount == 0 })
  }

  @Test func aClientThatClosedItsSendingHalfIsServed() throws {
    let server = try TestServer()
    server.publish(online(1))
    var client = try RawConnection(server.path)
    #expect(shutdown(client.socket.rawValue, Int32(SHUT_WR)) == 0)
    #expect(try client.line() == online(1).json)
    server.publish(offline(2))
    #expect(try client.line() == offline(2).json)
    #expect(server.clientCount == 1)
  }

  @Test func oneClientTooManyGetsAnError() throws {
    var limits = ServerMachine.Limits()
    limits.clients = 1
    let server = try TestServer(limits: limits)
    server.publish(online(1))
    var first = try server.client()
    #expect(try first.next(timeout: .seconds(10)) == online(1))
    let error = #expect(throws: ObserverSocketError.self) { try ObserverClient.status(path: server.path) }
    #expect(error?.code == .refused)
    #expect(error?.message.contains("serves 1 clients") == true)
  }

  /// As `printf … | nc -U` does, without waiting for the server.
  @Test func requestsOfAClientThatLeftBeforeTheReadArePerformed() throws {
    let titles = Mutex<[String]>([])
    var limits = ServerMachine.Limits()
    limits.requests.burst = 200
    let server = try TestServer(limits: limits) { request, _, completion in
      if case .present(let banner) = request { titles.withLock { $0.append(banner.title) } }
      completion(.ok())
    }
    server.publish(online(1))
    server.queue.suspend()
    do {
      let client = try RawConnection(server.path)
      for number in 1...200 { try client.send("{\"do\":\"present\",\"title\":\"\(number)\"}\n") }
    }
    server.queue.resume()
    #expect(eventually { titles.withLock { $0.count } == 200 })
    #expect(titles.withLock { $0 } == (1...200).map(String.init))
    #expect(eventually { server.clientCount == 0 })
  }

  @Test func closingEndsEveryConnectionAndRemovesTheSocket() throws {
    let server = try TestServer()
    server.publish(online(1))
    var client = try server.client()
    _ = try client.next(timeout: .seconds(10))
    server.queue.sync { server.server.close() }
    #expect(try client.next(timeout: .seconds(10)) == nil)
    #expect(!Files.exists(server.path))
    server.queue.sync { server.server.close() }
    let error = #expect(throws: ObserverSocketError.self) { try ObserverClient.status(path: server.path) }
    #expect(error?.code == .noMonitor)
  }

  @Test func theSocketIsForItsOwnerOnly() throws {
    let server = try TestServer()
    #expect(try Files.attributes(server.path).permissions == 0o600)
    #expect(try Files.attributes(server.path).isSocket)
  }

  @Test(.enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can become another user"))
  func anotherUserIsRefused() throws {
    let server = try TestServer()
    server.publish(online(1))
    // Accessible to all, so that only the credentials are left to refuse.
    #expect(chmod(server.directory.path, 0o755) == 0)
    #expect(chmod(server.path, 0o666) == 0)
    let script = """
      use IO::Socket::UNIX; my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "connect: $!"; print while <$s>;
      """
    let other = try Subprocess.run(
      "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", "perl", "-e", script, server.path])
    #expect(other.errorText == "")
    #expect(other.outputText.hasPrefix("{\"ok\":false,\"error\":\"this monitor belongs to another user"))
    #expect(other.outputText.hasSuffix("\"code\":\"refused\"}\n"))
    let same = try Subprocess.run(
      "perl", ["-e", script.replacing("print while <$s>", with: "print scalar <$s>"), server.path])
    #expect(same.outputText == online(1).json + "\n")
  }

  @Test func aPathTooLongSaysWhatToDo() throws {
    let path = "/tmp/" + String(repeating: "x", count: 120)
    let error = #expect(throws: ObserverSocketError.self) {
      try ObserverServer(path: path, queue: .global()) { _, _, completion in completion(.ok()) }
    }
    #expect(error?.code == .pathTooLong)
    #expect(error?.message.contains("at most 107; set XDG_RUNTIME_DIR") == true)
    #expect(throws: ObserverSocketError.self) { try ObserverClient.status(path: path) }
  }
}

/// These change process-wide state, so each runs in a process of its own.
@Suite(.ownThread) struct ProcessWideServerTests {
  @Test(.ownProcess) func withoutDescriptorsItWaitsAndDoesNotSpin() throws {
    var limits = ServerMachine.Limits()
    limits.exhaustedRetry = .seconds(60)
    let server = try TestServer(limits: limits)
    server.publish(online(1))
    let first = SharedDescriptor(try UnixSocket.connect(to: server.path))
    #expect(eventually { server.clientCount == 1 })
    // Both ends are in this process. One descriptor is left: the connecting end uses it, and the accepting one finds none. The limit
    // is on numbers, of which this process may have inherited some: all below it are used, then one is released.
    ResourceLimits.setDescriptors(256)
    var last: Int32 = -1
    while case let filler = open("/dev/null", O_RDONLY), filler >= 0 { last = filler }
    close(last)
    var second = try RawConnection(server.path)
    let before = clock()
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(300))
    let spent = Double(clock() - before) / Double(CLOCKS_PER_SEC)
    #expect(server.clientCount == 1)
    #expect(spent < 0.1, "seconds of CPU while it could not accept")
    // A client that leaves makes room, long before the retry.
    first.close()
    #expect(try second.line() == online(1).json)
  }

  /// A socket error that no further attempt resolves.
  @Test(.ownProcess) func aBrokenSocketDelaysNoOther() throws {
    let directory = try TemporaryDirectory()
    let listener = try ObserverListener(path: "\(directory.path)/monitor.sock")
    // The replacement is always ready, and has no client (ENOTSOCK).
    let pipe = try OverlineSystem.Pipe()
    try pipe.writing.writeAll([0])
    #expect(dup2(pipe.reading.rawValue, listener.socket.rawValue) >= 0)
    let queue = DispatchQueue(label: "test-server")
    let server = try ObserverServer(listener: listener, queue: queue) { _, _, completion in completion(.ok()) }
    let served = DispatchSemaphore(value: 0)
    // After a first read, which the source had announced.
    queue.asyncAfter(deadline: .now() + .milliseconds(200)) { served.signal() }
    #expect(served.wait(timeout: .now() + .seconds(20)) == .success)
    withExtendedLifetime(server) {}
  }

  @Test(.ownProcess) func noDescriptorIsLeftBehind() throws {
    let server = try TestServer()
    server.publish(online(1))
    func round() throws {
      for _ in 0..<50 {
        var client = try server.client()
        _ = try client.request(.dismiss)
        let raw = try RawConnection(server.path)
        try raw.send("nonsense\n{\"do\":\"wat")
      }
    }
    try round()
    #expect(eventually { server.clientCount == 0 })
    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    for _ in 0..<5 { try round() }
    #expect(eventually { server.clientCount == 0 })
    let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    #expect(after <= before)
  }
}

/// A descriptor that can be closed from within a closure.
final class SharedDescriptor: Sendable {
  private let descriptor: Mutex<OverlineSystem.FileDescriptor?>
  init(_ descriptor: consuming sending OverlineSystem.FileDescriptor) { self.descriptor = Mutex(consume descriptor) }
  func close() { descriptor.withLock { $0 = nil } }
}
