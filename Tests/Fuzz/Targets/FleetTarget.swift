import Overline
@testable import OverlineCore

/// The bytes are what happens to the tmux servers of a monitor: servers that come, hang, end and are replaced, toasts, and time.
enum FleetTarget {
  static func run(_ bytes: [UInt8]) {
    var script = ByteScript(bytes)
    var driver = Driver()
    while !script.isEmpty {
      driver.pass(script.pause() * 4)
      let kind = script.next() % 20
      let value = Int(script.next())
      let server = TmuxServer(socket: "/\(value % 5)")
      switch kind {
      case 0: driver.find(value)
      case 1, 2: driver.ask { .attach(server, $0) }
      case 3: driver.ask { .detach(server, $0) }
      case 4...7: driver.answerProbe(value)
      case 8, 9: driver.leave(value)
      case 10: driver.end(value)
      case 11: driver.send(.overlay(.banner(value % 2 == 0 ? .networkLost(cause: script.word()) : .networkRestored)))
      case 12...14: driver.post(value, to: value % 3 == 0 ? nil : server)
      case 15: driver.send(.frontToastDismissed(in: value % 2 == 0 ? nil : server))
      case 16: driver.send(.overlay(.toast(.toastDismissed(ToastID(rawValue: value % 16)))))
      case 17, 18: driver.count(value)
      default:
        driver.send(.configured(BannerSettings(motion: value % 2 == 0 ? .off : .auto), ToastSettings(), .auto))
      }
    }
    driver.isEverythingAnswered()
  }

  private struct Driver: TimedDriver {
    private var fleet = FleetMachine(banner: BannerSettings(), reserve: .auto)
    private let reference = OverlayModel(window: .reference)
    var now = Duration.seconds(100)
    private var number = 0
    private var hasFound = false
    /// The requests without an answer, and the toasts that have not ended.
    private var open: Set<Int> = []
    private var toasts: Set<ToastID> = []
    private var probes: [(server: TmuxServer, question: Int)] = []
    private var counts: [(servers: [TmuxServer], question: Int)] = []
    private var leaving: [TmuxServer] = []
    private var windows: [TmuxServer: Int] = [:]

    mutating func find(_ value: Int) {
      if hasFound { return }
      hasFound = true
      send(.found((0..<value % 24).map { TmuxServer(socket: "/\($0)") }))
    }

    mutating func ask(_ event: (Int) -> FleetMachine.Event) {
      number += 1
      open.insert(number)
      send(event(number))
    }

    mutating func post(_ value: Int, to server: TmuxServer?) {
      let id = ToastID(rawValue: number + 1)
      toasts.insert(id)
      let toast = ToastContent(
        title: "t", duration: value % 4 == 0 ? nil : .seconds(3), key: value % 2 == 0 ? "k" : nil)
      ask { .toastPosted(toast, id, to: server, $0) }
    }

    mutating func answerProbe(_ value: Int) {
      if probes.isEmpty { return }
      let probe = probes.remove(at: value % probes.count)
      let codes: [TmuxError.Code] = [.serverGone, .failed, .tooOld, .refused, .notInstalled]
      let result: Result<TmuxProbe, TmuxError> =
        value % 8 < codes.count
        ? .failure(TmuxError(code: codes[value % 8], attempt: "talk", reason: "no answer"))
        : .success(TmuxProbe(["version": "3.3a", "pid": "\(value % 2)", "position": value > 128 ? "top" : "bottom"]))
      send(.probed(result, question: probe.question))
    }

    mutating func leave(_ value: Int) {
      if !leaving.isEmpty { send(.left(leaving.remove(at: value % leaving.count))) }
    }

    mutating func end(_ value: Int) {
      let server = TmuxServer(socket: "/\(value % 5)")
      // An old window may still report something.
      guard let window = windows[server] else { return }
      send(
        value % 3 == 0
          ? .insetChanged(server, window: window - value % 2, TerminalInsets(top: 1))
          : .windowEnded(server, window: window - value % 2))
    }

    mutating func count(_ value: Int) {
      guard let next = counts.popLast() else { return }
      let answers = next.servers.enumerated().filter { value >> ($0.offset % 8) & 1 == 1 }.map {
        ($0.element, TmuxActivity(clientCount: value % 3, last: value % 3 == 0 ? nil : value))
      }
      send(.counted(Dictionary(answers) { $1 }, question: next.question))
    }

    var nextDeadline: Duration? { fleet.nextDeadline }

    mutating func deadlinePassed() { send(.deadlineReached) }

    mutating func send(_ event: FleetMachine.Event) {
      for effect in fleet.handle(event, like: reference, at: now) {
        switch effect {
        case .probe(let server, let question): probes.append((server, question))
        case .countClients(let servers, let question): counts.append((servers, question))
        case .open(let server, let window, _, _):
          precondition(windows.updateValue(window, forKey: server) == nil, "a server has one window")
        case .show(let server, _), .reload(let server, _): precondition(windows[server] != nil)
        case .close(let server, _):
          precondition(windows.removeValue(forKey: server) != nil)
          leaving.append(server)
          if case .close(_, let request?) = effect { answered(request) }
        case .abandon(let server): precondition(windows.removeValue(forKey: server) != nil)
        case .restore(let server, let request):
          leaving.append(server)
          answered(request)
        case .answer(let request, _), .shown(let request, _): answered(request)
        case .toastEnded(let id, _): precondition(toasts.remove(id) != nil, "a toast ends once")
        case .register, .unregister, .warn: break
        }
      }
      precondition(Set(fleet.members.map(\.server)) == Set(windows.keys))
      precondition(fleet.members.count == windows.count)
    }

    private mutating func answered(_ request: Int) {
      precondition(open.remove(request) != nil, "a request is answered once")
    }

    /// The shell gives all its answers, and every server is detached: then each request is answered and each toast has ended.
    mutating func isEverythingAnswered() {
      while !leaving.isEmpty || !probes.isEmpty || !counts.isEmpty {
        leave(0)
        answerProbe(0)
        count(255)
      }
      for server in Array(windows.keys) { ask { .detach(server, $0) } }
      while !leaving.isEmpty { leave(0) }
      precondition(open.isEmpty && toasts.isEmpty && windows.isEmpty)
    }
  }
}
