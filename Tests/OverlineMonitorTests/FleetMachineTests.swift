import Overline
import OverlineCore
import OverlineTestThread
import Testing

private let a = TmuxServer(socket: "/a")
private let b = TmuxServer(socket: "/b")
private let probe = TmuxProbe(["version": "3.3a", "position": "top"])
private let silent = TmuxError(code: .failed, attempt: "talk to tmux", reason: "no answer")
private let gone = TmuxError(code: .serverGone, attempt: "talk to tmux", reason: "no server running")
private let old = TmuxError(code: .tooOld, attempt: "show a banner in tmux", reason: "the server is tmux 3.1")
private let two = ToastID(rawValue: 2)

/// The tmux servers of a monitor without tmux.
@Suite(.ownThread) struct FleetMachineTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The time in seconds, the event, and what the machine does.
    var steps: [(Int, FleetMachine.Event, [String])]

    init(_ name: String, _ steps: [(Int, FleetMachine.Event, [String])]) {
      (testDescription, self.steps) = (name, steps)
    }
  }

  private static func driven(_ server: TmuxServer, _ question: Int) -> [(Int, FleetMachine.Event, [String])] {
    [
      (0, .found([server]), ["probe \(server.socket)"]),
      (
        0, .probed(.success(probe), question: question),
        ["register \(server.socket)", "open \(server.socket) auto", "\(server.socket) shows No connection"]
      ),
    ]
  }

  private static let rows = [
    Row("a server that is found is driven, and begins with the monitor's banner", driven(a, 1)),
    Row(
      "a server that hangs is asked again after 30 seconds",
      [
        (0, .found([a, b]), ["probe /a", "probe /b"]),
        (10, .probed(.failure(silent), question: 1), ["warn \(silent)"]),
        (39, .deadlineReached, []),
        (40, .deadlineReached, ["probe /a"]),
        (41, .probed(.success(probe), question: 3), ["register /a", "open /a auto", "/a shows No connection"]),
        (99, .deadlineReached, []),
      ]),
    Row(
      "a server that has ended is forgotten, one that is too old is not asked again",
      [
        (0, .found([a, b]), ["probe /a", "probe /b"]),
        (0, .probed(.failure(gone), question: 1), ["unregister /a"]),
        (0, .probed(.failure(old), question: 2), ["warn \(old)"]),
        (99, .deadlineReached, []),
      ]),
    Row(
      "the plugin hears why its server shows no banner",
      [
        (0, .attach(a, 7), ["probe /a"]), (0, .probed(.failure(old), question: 1), ["answer 7: tmux-too-old"]),
        (1, .attach(a, 8), ["probe /a"]),
        (
          1, .probed(.success(probe), question: 2),
          ["register /a", "open /a auto", "/a shows No connection", "answer 8: ok"]
        ),
      ]),
    Row(
      "a server that does not answer the plugin in time gets its banner later",
      [
        (0, .attach(a, 7), ["probe /a"]), (10, .probed(.failure(silent), question: 1), ["answer 7: tmux-failed"]),
        (40, .deadlineReached, ["probe /a"]),
        (41, .probed(.success(probe), question: 2), ["register /a", "open /a auto", "/a shows No connection"]),
      ]),
    Row(
      "a server in the place of a driven one: its window tries until it answers, and leaves an old one alone",
      driven(a, 1) + [
        (5, .attach(a, 7), ["probe /a"]),
        (
          15, .probed(.failure(silent), question: 3),
          ["reload /a auto", "/a shows No connection", "answer 7: tmux-failed"]
        ),
        (20, .attach(a, 8), ["probe /a"]),
        (20, .probed(.failure(old), question: 4), ["abandon /a", "unregister /a", "answer 8: tmux-too-old"]),
      ]),
    Row(
      "a new server in the place of a driven one has a window of its own",
      driven(a, 1) + [
        (5, .attach(a, 7), ["probe /a"]),
        (
          5, .probed(.success(TmuxProbe(["pid": "2"])), question: 3),
          ["abandon /a", "unregister /a", "register /a", "open /a auto", "/a shows No connection", "answer 7: ok"]
        ),
        (6, .windowEnded(a, window: 2), []),
      ]),
    Row(
      "a server that is driven is read again",
      driven(a, 1) + [
        (5, .attach(a, 7), ["probe /a"]),
        (
          5,
          .probed(
            .success(TmuxProbe(["@overline_offline_title": "Offline", "@overline_reserve": "always"])), question: 3),
          ["register /a", "reload /a always", "/a shows Offline", "answer 7: ok"]
        ),
      ]),
    Row(
      "a server that dies ends once, and a late word of its window means nothing to the next server there",
      driven(a, 1) + [
        (5, .windowEnded(a, window: 2), ["abandon /a", "unregister /a"]), (5, .windowEnded(a, window: 2), []),
        (6, .attach(a, 7), ["probe /a"]),
        (
          6, .probed(.success(probe), question: 3),
          ["register /a", "open /a auto", "/a shows No connection", "answer 7: ok"]
        ),
        (6, .windowEnded(a, window: 2), []), (6, .insetChanged(a, window: 2, TerminalInsets(top: 1)), []),
        (7, .windowEnded(a, window: 4), ["abandon /a", "unregister /a"]),
      ]),
    Row(
      "a server is detached while it is driven, silent, asked, or unknown",
      driven(a, 1) + [
        (1, .detach(a, 7), ["close /a for 7"]),
        (1, .detach(a, 8), ["restore /a for 8"]),
        (2, .found([b]), ["probe /b"]), (2, .detach(b, 9), ["restore /b for 9"]),
        (3, .probed(.success(probe), question: 3), []), (3, .left(b), ["unregister /b"]),
        (3, .found([b]), ["probe /b"]),
        (4, .probed(.failure(silent), question: 4), ["warn \(silent)"]),
        (5, .detach(b, 10), ["restore /b for 10"]), (99, .deadlineReached, []),
      ]),
    Row(
      "a server that is detached before it is found stays detached",
      [
        (1, .detach(a, 7), ["restore /a for 7"]), (2, .left(a), ["unregister /a"]), (3, .found([a, b]), ["probe /b"]),
      ]),
    Row(
      "a server that is found while its line is removed is asked after that",
      [
        (1, .detach(a, 7), ["restore /a for 7"]), (1, .attach(a, 8), []), (1, .found([a, b]), ["probe /b"]),
        (2, .left(a), ["unregister /a", "probe /a"]),
      ]),
    Row(
      "a server that is detached is attached again once nothing of ours runs there",
      driven(a, 1) + [
        (1, .detach(a, 7), ["close /a for 7"]), (1, .attach(a, 8), []),
        (2, .left(a), ["unregister /a", "probe /a"]), (2, .left(a), []),
      ]),
    Row(
      "a server that is detached twice is attached again after both removals",
      driven(a, 1) + [
        (1, .detach(a, 7), ["close /a for 7"]),
        (1, .detach(a, 8), ["restore /a for 8"]),
        (1, .attach(a, 9), []), (2, .left(a), []), (3, .left(a), ["unregister /a", "probe /a"]),
      ]),
    Row(
      "whoever asked for a server that is detached before it answers hears so",
      [
        (1, .attach(a, 7), ["probe /a"]),
        (2, .detach(a, 8), ["answer 7: tmux-failed", "restore /a for 8"]),
        (3, .probed(.success(probe), question: 1), []),
      ]),
    Row(
      "a toast goes to the server in use, and ends once",
      driven(a, 1) + driven(b, 3) + [
        (1, .toastPosted(toast, one, to: nil, 7), ["count /a /b"]), (1, .toastPosted(toast, two, to: nil, 8), []),
        (1, .overlay(.toast(.toastDismissed(two))), ["shown 8: 0", "toast 2 ended"]),
        (
          2,
          .counted([a: TmuxActivity(clientCount: 1, last: 5), b: TmuxActivity(clientCount: 3, last: 9)], question: 5),
          ["/b shows No connection and Saved", "shown 7: 3"]
        ),
        (3, .frontToastDismissed(in: a), []),
        (3, .frontToastDismissed(in: b), ["/b shows No connection", "toast 1 ended"]),
      ]),
    Row(
      "without attached clients a toast goes to all servers, and ends with the last of them",
      driven(a, 1) + driven(b, 3) + [
        (1, .toastPosted(toast, one, to: nil, 7), ["count /a /b"]),
        (
          1, .counted([a: TmuxActivity(clientCount: 0, last: nil)], question: 5),
          ["/a shows No connection and Saved", "/b shows No connection and Saved", "shown 7: 0"]
        ),
        (2, .windowEnded(a, window: 2), ["abandon /a", "unregister /a"]),
        (3, .windowEnded(b, window: 4), ["abandon /b", "unregister /b", "toast 1 ended"]),
      ]),
    Row(
      "a toast that no server has shown is said to be unseen",
      driven(a, 1) + [
        (1, .toastPosted(toast, one, to: nil, 7), ["count /a"]),
        (1, .windowEnded(a, window: 2), ["abandon /a", "unregister /a"]),
        (1, .counted([:], question: 3), ["toast 1 ended unseen", "shown 7: 0"]),
      ]),
    Row(
      "a toast for one server asks for its clients behind the first frame",
      driven(a, 1) + driven(b, 3) + [
        (1, .toastPosted(toast, one, to: a, 7), ["/a shows No connection and Saved", "count /a"]),
        (1, .counted([a: TmuxActivity(clientCount: 2, last: 1)], question: 5), ["shown 7: 2"]),
        (6, .deadlineReached, ["/a shows No connection", "toast 1 ended"]),
      ]),
  ]

  @Test(arguments: rows) func aRow(_ row: Row) {
    var reference = OverlayModel(
      banner: BannerSettings(graceDelay: .zero, motion: .off), toasts: ToastSettings(motion: .off), window: .reference)
    _ = reference.handle(.banner(.networkLost(cause: "no carrier")), at: .zero)
    var fleet = FleetMachine(banner: reference.banner.settings, reserve: .auto)
    for (seconds, event, words) in row.steps {
      let effects = fleet.handle(event, like: reference, at: .seconds(seconds))
      #expect(effects.map { MonitorScript.words($0) } == words, "\(event)")
    }
  }

  @Test("at most sixteen servers are asked at once") func manyServers() {
    let reference = OverlayModel(window: .reference)
    var fleet = FleetMachine(banner: BannerSettings(), reserve: .auto)
    let servers = (0..<100).map { TmuxServer(socket: "/\($0)") }
    var asked = fleet.handle(.found(servers), like: reference, at: .zero).count
    #expect(asked == 16)
    for question in 1...100 {
      let effects = fleet.handle(.probed(.failure(gone), question: question), like: reference, at: .zero)
      asked += effects.count { if case .probe = $0 { true } else { false } }
    }
    #expect(asked == 100 && fleet.wanted == [])
  }
}
