import Dispatch
import Overline
import OverlineCore
import OverlineShell
import OverlineTestSupport
import OverlineTestThread
import Synchronization
import Testing

/// Records a server's requests and departures in order, and holds the outstanding answers.
private final class Desk: Sendable {
  enum Event: Equatable { case asked(String), left }

  let events = Mutex<[Event]>([])
  let pending = Mutex<[@Sendable (ObserverResponse) -> Void]>([])

  func server(_ limits: ServerMachine.Limits = .init()) throws -> TestServer {
    try TestServer(
      limits: limits,
      onRequest: { [self] request, _, completion in
        switch request {
        case .alert(let alert):
          events.withLock { $0.append(.asked(alert.title)) }
          pending.withLock { $0.append(completion) }
        case .toast(let toast):
          events.withLock { $0.append(.asked(toast.title)) }
          completion(.ok())
        default: completion(.ok())
        }
      },
      onLeave: { [self] _ in
        events.withLock { $0.append(.left) }
        // As a window does: the client no longer waits for the answer.
        for completion in pending.withLock({ all in
          defer { all = [] }
          return all
        }) { completion(.ok()) }
      })
  }

  func reaches(_ wanted: [Event]) -> Bool { eventually { events.withLock { $0 } == wanted } }

  /// Whether these were requested in this order, and the client's departure was the last event.
  func ends(after asked: [String]) -> Bool {
    eventually {
      let events = events.withLock { $0 }
      return events.filter { $0 != .left } == asked.map { .asked($0) } && events.last == .left
    }
  }
}

@Suite(.ownThread) struct LeavingTests {
  @Test func aClientThatLeavesBeforeItsAnswerIsReported() throws {
    let desk = Desk()
    let server = try desk.server()
    do {
      let client = try RawConnection(server.path)
      try client.send(#"{"do":"alert","title":"a","buttons":["b"]}"# + "\n")
      #expect(desk.reaches([.asked("a")]))
    }
    // Once when it hangs up, and once when it is removed.
    #expect(desk.reaches([.asked("a"), .left, .left]))
    #expect(eventually { server.clientCount == 0 })
  }

  @Test func whatWasAskedBehindAnAlertIsDoneBeforeTheLastTelling() throws {
    let desk = Desk()
    let server = try desk.server()
    do {
      let client = try RawConnection(server.path)
      try client.send(
        #"{"do":"alert","title":"a","buttons":["b"]}"# + "\n" + #"{"do":"toast","title":"t"}"# + "\n")
      #expect(desk.reaches([.asked("a")]))
    }
    #expect(desk.ends(after: ["a", "t"]))
  }

  @Test func aRequestSentBeforeTheClientLeftIsHandledBeforeItsLeaveIsReported() throws {
    let desk = Desk()
    let server = try desk.server()
    server.queue.suspend()
    do {
      let client = try RawConnection(server.path)
      try client.send((1...9).map { #"{"do":"toast","title":"\#($0)"}"# + "\n" }.joined())
    }
    server.queue.resume()
    #expect(desk.ends(after: (1...9).map { "\($0)" }))
  }

  @Test func anAnswerAfterTheClientHasLeftDoesNoHarm() throws {
    let pending = Mutex<[@Sendable (ObserverResponse) -> Void]>([])
    let server = try TestServer(onRequest: { _, _, completion in pending.withLock { $0.append(completion) } })
    do {
      let client = try RawConnection(server.path)
      try client.send(#"{"do":"alert","title":"a","buttons":["b"]}"# + "\n")
      #expect(eventually { pending.withLock { $0.count } == 1 })
    }
    let other = try RawConnection(server.path)
    #expect(eventually { server.clientCount == 2 })
    pending.withLock { $0[0] }(.ok())
    #expect(eventually { server.clientCount == 1 })
    _ = consume other
  }

  @Test func aQuestionIsWaitedForLongerThanAnyAnswer() throws {
    let desk = Desk()
    let server = try desk.server()
    let path = server.path
    let answer = Mutex<ObserverResponse?>(nil)
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      // A timeout that has expired already.
      var client = try? ObserverClient(path: path, timeout: .zero)
      let response = try? client?.request(.alert(.init(title: "a", buttons: ["b"])))
      answer.withLock { $0 = response }
      done.signal()
    }
    #expect(desk.reaches([.asked("a")]))
    // States continue meanwhile.
    server.publish(online(1))
    let completion = desk.pending.withLock { $0.removeFirst() }
    completion(.ok(.object(["button": .integer(0)])))
    done.wait()
    #expect(answer.withLock { $0 } == .ok(.object(["button": .integer(0)])))
  }

  @Test func aFloodingClientGetsAnErrorAndOthersAreServed() throws {
    let desk = Desk()
    var limits = ServerMachine.Limits()
    limits.requests.burst = 10
    limits.requests.perSecond = 1
    let server = try desk.server(limits)
    var flood = try RawConnection(server.path)
    try flood.send(String(repeating: #"{"do":"toast","title":"t"}"# + "\n", count: 300))
    var refused = 0
    for _ in 1...300 {
      let line = try #require(try flood.line())
      if line != "{\"ok\":true}" {
        #expect(line.contains(#""code":"too-many""#))
        refused += 1
      }
    }
    #expect((285...290).contains(refused))
    var other = try server.client()
    #expect(try other.request(.toast(.init(title: "t"))) == .ok())
    // The network's state may be requested without limit.
    server.publish(online(1))
    try flood.send(#"{"do":"status"}"# + "\n")
    #expect(try flood.line()?.hasPrefix(#"{"v":1"#) == true)
    #expect(try flood.line()?.hasPrefix(#"{"ok":true,"data":"#) == true)
  }
}
