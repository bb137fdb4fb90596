import OverlineCore
import OverlineTestThread
import Testing

/// Days in which a monitor failed, shrunk.
@Suite(.ownThread) struct DayScheduleTests {
  private func play(_ items: [Day.Item], delay: Int = 1) {
    let failure = SimulatedDay.run(Day(items: items, delays: [delay])).failure
    #expect(failure == nil, "\(failure.map(String.init(describing:)) ?? "")")
  }

  private static let version = "3.5a"

  @Test("a session whose entry the user has removed keeps no copy of the server's array")
  func removedEntryOfASession() {
    play([
      .init(0, .startServer(2, version: Self.version)), .init(0, .network(.address(link: 2, false))),
      .init(0, .reloadServer(2, ["set -g status 5", "set -t $0: status 3"])),
      .init(0, .network(.carrier(link: 3, false))),
      .init(1000, .tmux(2, "set -u -t $0: status-format[3]")),
    ])
  }

  @Test("a server that replaces another one at its socket gets the text, also without a line")
  func replacedServerWithoutALine() {
    play([
      .init(0, .startServer(0, version: Self.version)), .init(0, .network(.carrier(link: 2, false))),
      .init(1000, .configure(graceMilliseconds: 0, reserve: .never, checks: true, hasHooks: true, hasMotion: false)),
      .init(1000, .killServer(0)), .init(0, .startServer(0, version: Self.version)),
    ])
  }

  @Test(
    "a server that replaces another one and is stopped gets its banner when it continues", arguments: [500, 20_000])
  func replacedServerThatIsStopped(_ milliseconds: Int) {
    play(
      [
        .init(0, .startServer(1, version: Self.version)), .init(0, .network(.carrier(link: 2, false))),
        .init(1000, .killServer(1)), .init(0, .startServer(1, version: Self.version)), .init(0, .stopServer(1)),
        .init(milliseconds, .continueServer(1)),
      ], delay: 600)
  }

  @Test("an older server that replaces another one is left alone")
  func replacedByAnOldServer() {
    play([
      .init(0, .startServer(0, version: Self.version)), .init(0, .network(.carrier(link: 2, false))),
      .init(1, .killServer(0)), .init(0, .startServer(0, version: "3.1c")),
    ])
  }

  @Test("toasts that end at the same time in tmux and for observers each end once")
  func toastsThatEndTogether() {
    func toast(_ server: String?) -> Day.Action {
      .request(3, .toast(.init(title: "Saved", duration: .seconds(1), tmux: server)))
    }
    play(
      [
        .init(0, .startServer(1, version: Self.version)), .init(1000, .startServer(0, version: Self.version)),
        .init(0, .connect(3)), .init(0, toast(nil)), .init(0, toast("/run/tmux/0")),
      ], delay: 600)
  }

  @Test("an option that the user changes while the monitor writes is not lost")
  func changeMeanwhile() {
    play([
      .init(0, .startServer(0, version: Self.version)), .init(0, .tmuxMeanwhile(0, "set -g status 3")),
      .init(0, .network(.carrier(link: 2, false))), .init(1000, .tmuxMeanwhile(0, "set -g status-format[1] 'mine'")),
      .init(1000, .network(.carrier(link: 2, true))),
    ])
  }

  @Test("two changes that come together restore a line that the user has removed")
  func changesThatComeTogether() {
    play(
      [
        .init(
          0, .configure(graceMilliseconds: 2000, reserve: .always, checks: false, hasHooks: false, hasMotion: false)),
        .init(0, .startServer(0, version: Self.version)), .init(0, .network(.carrier(link: 2, false))),
        .init(2945, .network(.routeGap(link: 2, milliseconds: 51))), .init(0, .tmux(0, "set -t $0: status on")),
      ], delay: 600)
  }

  @Test("a line is not orphaned when monitor and guardian are killed while a server is detached")
  func killedDuringADetach() {
    play(
      [
        .init(0, .startServer(2, version: Self.version)), .init(0, .connect(2)),
        .init(0, .network(.carrier(link: 2, false))),
        .init(1000, .request(2, .tmuxDetach(socket: "/run/tmux/2"))), .init(0, .killWithGuardian),
      ], delay: 150)
  }

  @Test("a server that is detached while a new monitor reads the register stays detached")
  func detachedWhileFound() {
    let items: [Day.Item] = [
      .init(600, .killAtTmux(runs: 4, isBefore: true)), .init(0, .network(.carrier(link: 2, false))),
      .init(0, .startServer(1, version: "3.2a")), .init(605, .start), .init(0, .connect(4)),
      .init(240, .request(4, .tmuxDetach(socket: "/run/tmux/1"))),
    ]
    let delays = [0, 10, 0, 40, 40, 10, 600, 3, 1, 600, 10, 600, 600, 150, 0, 150]
    let failure = SimulatedDay.run(Day(items: items, delays: delays)).failure
    #expect(failure == nil, "\(failure.map(String.init(describing:)) ?? "")")
  }
}
