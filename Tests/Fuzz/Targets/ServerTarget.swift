import NetworkPath
import Overline
@testable import OverlineCore

/// The server without its sockets. Each byte is an event; what clients send follows in the same bytes.
enum ServerTarget {
  private struct World {
    var server = ServerMachine(ServerTarget.limits)
    var now = Duration.seconds(1)
    var connected: Set<ClientID> = []
    var performed: [(client: ClientID, number: UInt64)] = []
    var turns: [ClientID] = []
    var isAccepting = true

    mutating func handle(_ event: ServerMachine.Event) {
      for effect in server.handle(event, at: now) {
        switch effect {
        case .admit(let id):
          precondition(connected.insert(id).inserted && connected.count <= ServerTarget.limits.clients)
        case .refuse(let bytes): precondition(bytes.last == 0x0a)
        case .send(let id), .watch(let id, _, _), .left(let id): precondition(connected.contains(id))
        case .perform(_, let id, let number):
          precondition(!performed.contains { $0.client == id }, "a client's requests are performed one at a time")
          performed.append((id, number))
        case .takeTurn(let id): turns.append(id)
        case .close(let id):
          precondition(connected.remove(id) != nil)
          performed.removeAll { $0.client == id }
        case .accept(let isOn):
          precondition(isOn != isAccepting)
          isAccepting = isOn
        }
      }
      precondition(server.clientCount == connected.count)
    }

    /// The kernel accepts up to `space` bytes for a client.
    mutating func write(to id: ClientID, space: Int) {
      var space = space
      while let head = server.head(for: id) {
        let count = min(space, head.count)
        if count == 0 { return handle(.flushed(id, .full)) }
        server.sent(count, to: id)
        space -= count
      }
      handle(.flushed(id, .done))
    }
  }

  private static let limits = {
    var limits = ServerMachine.Limits()
    limits.clients = 3
    return limits
  }()

  private static let sample = ObserverState(
    seq: 1, time: "2026-11-20T21:04:05.123Z", since: "2026-11-20T21:04:05.123Z", path: NWPath(status: .satisfied),
    phase: .hidden,
    appearance: nil, inset: TerminalInsets())

  static func run(_ bytes: [UInt8]) {
    var world = World()
    var rest = bytes[...]
    var state = sample
    while let byte = rest.popFirst() {
      let id = ClientID(token: UInt64(byte >> 4) % 4 + 1)
      switch byte & 15 {
      case 0: world.handle(.connected(isOwnUser: byte < 0xf0))
      case 1...5:
        let line = rest.prefix { $0 != 0x0a }
        rest = rest.dropFirst(line.count + 1)
        world.handle(.received(Array(line) + [0x0a], from: id))
      case 6: world.handle(.received([], from: id))
      case 7: world.handle(.hungUp(id, rest: Array(rest.prefix(Int(byte)))))
      case 8: world.handle(.failed(id))
      case 9, 10: world.write(to: id, space: Int(byte))
      case 11: if let turn = world.turns.popLast() { world.handle(.turnCame(turn)) }
      case 12:
        if let request = world.performed.popLast() {
          world.handle(.answered(.ok(), request.client, number: request.number))
        }
      case 13:
        state.seq += 1
        world.handle(.published(state))
      case 14: world.handle(.acceptFailed)
      default:
        world.now += .seconds(Int(byte))
        world.handle(.deadlineReached)
      }
    }
    // The server drops a client that hangs up after its last request, also if the client has not read its answers.
    for id in world.connected { world.handle(.hungUp(id, rest: [])) }
    while !world.connected.isEmpty {
      if let request = world.performed.popLast() {
        world.handle(.answered(.ok(), request.client, number: request.number))
      } else {
        world.handle(.turnCame(world.turns.removeLast()))
      }
    }
  }
}
