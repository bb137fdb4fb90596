import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// The server without sockets: what it reads and what it may write are values.
@Suite(.ownThread) struct ServerMachineTests {
  private var server = ServerMachine()
  private var now = Duration.seconds(100)
  private let one = ClientID(token: 1)

  /// Takes all that is due to a client, as a socket that accepts everything.
  private mutating func take(from id: ClientID) -> String {
    var bytes: [UInt8] = []
    while let head = server.head(for: id) {
      bytes += head
      server.sent(head.count, to: id)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func connect() {
    #expect(
      server.handle(.connected(isOwnUser: true), at: now).first == .admit(ClientID(token: UInt64(server.clientCount))))
  }

  private mutating func receive(_ text: String) -> [ServerMachine.Effect] {
    server.handle(.received(Array(text.utf8), from: one), at: now)
  }

  @Test mutating func aClientGetsTheStateAndThenEachChange() {
    connect()
    #expect(take(from: one) == "")
    #expect(server.handle(.published(online()), at: now) == [.send(one)])
    #expect(take(from: one) == online().json + "\n")
    #expect(server.handle(.flushed(one, .done), at: now) == [])
    #expect(server.handle(.published(offline()), at: now) == [.send(one)])
    #expect(take(from: one) == offline().json + "\n")
  }

  /// Programs have the time of the state, and words do not.
  @Test mutating func anAgeInWordsIsThatOfTheAnswer() {
    var state = offline()
    state.path.reason = "router-silent"
    state.path.since = 34
    state.path.explanation = "offline: the router 192.0.2.1 does not answer (last heard 34 s ago)"
    connect()
    _ = server.handle(.published(state), at: now)
    _ = take(from: one)
    now += .seconds(23)
    _ = receive(#"{"do":"status","format":"text"}"# + "\n")
    #expect(take(from: one).contains("(last heard 57 s ago)"))
    _ = receive(#"{"do":"status","format":"env"}"# + "\n")
    #expect(take(from: one).contains("OVERLINE_LAST_ANSWER='34'"))
  }

  @Test mutating func aSlowReaderGetsOnlyTheNewestState() {
    connect()
    _ = server.handle(.published(online()), at: now)
    #expect(server.handle(.flushed(one, .full), at: now) == [.watch(one, reads: true, writes: true)])
    for seq in 2...50 { #expect(server.handle(.published(offline(seq)), at: now) == []) }
    #expect(server.handle(.writable(one), at: now) == [.send(one)])
    #expect(take(from: one) == offline(50).json + "\n")
    #expect(server.handle(.flushed(one, .done), at: now) == [.watch(one, reads: true, writes: false)])
  }

  @Test mutating func aClientThatReadsNothingIsDropped() {
    connect()
    _ = server.handle(.published(online()), at: now)
    _ = server.handle(.flushed(one, .full), at: now)
    #expect(server.nextDeadline == now + .seconds(10))
    #expect(server.handle(.deadlineReached, at: now + .seconds(9)) == [])
    #expect(server.handle(.deadlineReached, at: now + .seconds(10)) == [.left(one), .close(one)])
    #expect(server.clientCount == 0 && server.nextDeadline == nil)
  }

  @Test mutating func requestsAreAnsweredInOrderAndOneAtATime() {
    connect()
    _ = server.handle(.published(online()), at: now)
    _ = take(from: one)
    let effects = receive(#"{"do":"reload"}"# + "\n" + #"{"do":"status"}"# + "\n")
    #expect(effects == [.perform(.reload, one, number: 1), .watch(one, reads: false, writes: false)])
    // A late or repeated answer has another number.
    #expect(server.handle(.answered(.ok(), one, number: 7), at: now) == [])
    #expect(
      server.handle(.answered(.ok(), one, number: 1), at: now) == [.send(one), .watch(one, reads: true, writes: false)])
    let answers = take(from: one).split(separator: "\n")
    #expect(answers.count == 2 && answers[0] == #"{"ok":true}"# && answers[1].contains(#""state":"online""#))
    #expect(server.handle(.answered(.ok(), one, number: 1), at: now) == [])
  }

  @Test mutating func unreadAnswersStopTheReading() {
    connect()
    let effects = receive(String(repeating: "nonsense\n", count: 40))
    #expect(effects == [.send(one), .watch(one, reads: false, writes: false)])
    #expect(server.handle(.flushed(one, .full), at: now).contains(.watch(one, reads: false, writes: true)))
    // The rest is served as the answers are read.
    var answers = 0
    for _ in 0..<3 {
      answers += take(from: one).split(separator: "\n").count
      _ = server.handle(.flushed(one, .done), at: now)
    }
    #expect(answers == 40)
  }

  @Test mutating func aFloodOfRequestsWaitsForItsTurn() {
    connect()
    _ = receive(String(repeating: "nonsense\n", count: 200))
    var effects: [ServerMachine.Effect] = []
    var answers = 0
    while !effects.contains(.takeTurn(one)) {
      answers += take(from: one).split(separator: "\n").count
      effects = server.handle(.flushed(one, .done), at: now)
    }
    answers += take(from: one).split(separator: "\n").count
    #expect(answers == 64)
    #expect(server.handle(.flushed(one, .done), at: now).contains(.send(one)) == false)
    #expect(server.handle(.turnCame(one), at: now).contains(.send(one)))
  }

  @Test mutating func whatWasSentBeforeTheHangUpIsPerformed() {
    connect()
    let request = Array((#"{"do":"reload"}"# + "\n" + #"{"do":"refresh"}"# + "\n").utf8)
    #expect(
      server.handle(.hungUp(one, rest: request), at: now) == [.perform(.reload, one, number: 1), .left(one)])
    #expect(
      server.handle(.answered(.ok(), one, number: 1), at: now) == [.perform(.refresh, one, number: 2), .left(one)])
    #expect(server.handle(.answered(.ok(), one, number: 2), at: now) == [.left(one), .close(one)])
    #expect(server.handle(.received([1], from: one), at: now) == [])
  }

  @Test mutating func strangersAndTooManyAreRefused() {
    var limits = ServerMachine.Limits()
    limits.clients = 1
    server = ServerMachine(limits)
    func code(_ effects: [ServerMachine.Effect]) -> String? {
      guard case .refuse(let bytes) = effects.first,
        case .failure(_, let code) = try? ObserverResponse(line: bytes.dropLast())
      else { return nil }
      return code
    }
    #expect(code(server.handle(.connected(isOwnUser: false), at: now)) == "refused")
    connect()
    #expect(code(server.handle(.connected(isOwnUser: true), at: now)) == "too-many-clients")
    #expect(server.clientCount == 1)
  }

  @Test mutating func withoutADescriptorTheServerAcceptsAgainLater() {
    connect()
    #expect(server.handle(.acceptFailed, at: now) == [.accept(false)])
    #expect(server.handle(.acceptFailed, at: now) == [])
    #expect(server.handle(.deadlineReached, at: now + .seconds(1)) == [.accept(true)])
    _ = server.handle(.acceptFailed, at: now)
    // The end of a client frees one.
    #expect(server.handle(.failed(one), at: now) == [.left(one), .close(one), .accept(true)])
  }

  @Test mutating func aClientThatClosedItsSendingHalfStillHears() {
    connect()
    #expect(receive("") == [.watch(one, reads: false, writes: false)])
    #expect(server.handle(.published(online()), at: now) == [.send(one)])
  }
}
