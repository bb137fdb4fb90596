import Overline
import OverlineCore
import OverlineTestSupport

extension Day {
  init(seed: UInt64) {
    var generator = Generator(SeededNumbers(seed))
    self = generator.day()
  }
}

/// Draws a day.
private struct Generator {
  private var numbers: SeededNumbers
  private var time = 0

  init(_ numbers: SeededNumbers) { self.numbers = numbers }

  private static let length = 24 * 3600 * 1000
  private static let statuses = ["off", "on", "2", "3", "4", "5"]

  mutating func day() -> Day {
    var day = Day()
    day.delays = (0..<16).map { _ in numbers.pick([0, 1, 3, 10, 40, 150, 600]) }
    if !numbers.one(in: 3) { append(to: &day, 0, configuration()) }
    for number in 0..<numbers.number(0...3) { append(to: &day, 10, .startServer(number, version: version())) }
    while time < Self.length { scene(&day) }
    return day
  }

  private mutating func append(to day: inout Day, _ after: Int, _ action: Day.Action) {
    day.items.append(Day.Item(after, action))
    time += after
  }

  /// Some things that happen together, then a pause.
  private mutating func scene(_ day: inout Day) {
    let pause = numbers.pick([5_000, 130_000, 600_000, 3_600_000, 3_600_000, 10_000_000])
    var after = numbers.number(pause / 2...pause)
    for _ in 0..<numbers.number(1...2) {
      for (index, action) in actions().enumerated() {
        // A message of the kernel is under way for a millisecond only.
        append(to: &day, index == 0 ? after : action == .network(.overrun) ? 0 : gap(), action)
        after = gap()
      }
    }
  }

  private mutating func gap() -> Int {
    numbers.pick([0, 1, 5, 20, 49, 51, 100, 240, 260, 600, 1_900, 2_100, 5_000, 31_000])
  }

  private mutating func actions() -> [Day.Action] {
    let link = numbers.pick([2, 2, 2, 3])
    switch numbers.number(0...39) {
    case 0...2: return [.network(.carrier(link: link, false)), .network(.carrier(link: link, true))]
    case 3:
      return [
        .network(.carrier(link: 2, false)), .network(.carrier(link: 3, false)), .network(.carrier(link: link, true)),
      ]
    case 4:
      return [.network(.up(link: link, false)), .network(.up(link: link, true)), .network(.route(link: link, true))]
    case 5:
      return [
        .network(.up(link: 2, false)), .network(.up(link: 3, false)), .network(.up(link: link, true)),
        .network(.route(link: link, true)),
      ]
    case 6:
      return [
        .network(.address(link: link, false)), .network(.address(link: link, true)), .network(.route(link: link, true)),
      ]
    case 7: return [.network(.route(link: link, false)), .network(.route(link: link, true))]
    case 8:
      return [.network(.route(link: 2, false)), .network(.route(link: 3, false)), .network(.route(link: link, true))]
    case 9: return [.network(.routeGap(link: link, milliseconds: numbers.pick([1, 20, 49, 51, 300])))]
    case 10:
      return [.network(.router(link: 2, false)), .network(.traffic(seconds: 50)), .network(.router(link: 2, true))]
    case 11:
      return [
        .network(.router(link: link, false)), .network(.traffic(seconds: 40)), .network(.router(link: 2, true)),
        .network(.router(link: 3, true)),
      ]
    case 12: return [.network(.router(link: link, true)), .network(.traffic(seconds: 60))]
    case 13: return [.network(.carrier(link: link, numbers.one(in: 2))), .network(.overrun)]
    case 14:
      return [.network(.interrupt(dumps: numbers.number(1...6))), .suspend(seconds: numbers.pick([1, 60, 20_000]))]
    case 15: return [.network(.deafKernel(milliseconds: numbers.pick([50, 3_000, 40_000])))]
    case 16: return [.startServer(numbers.number(0...2), version: version())]
    case 17:
      let server = numbers.number(0...2)
      return [.stopServer(server), tmux(), .continueServer(server)]
    case 18: return [.killServer(numbers.number(0...2)), .startServer(numbers.number(0...2), version: version())]
    case 19: return [.reloadServer(numbers.number(0...2), ["set -g status \(numbers.pick(Self.statuses))", option()])]
    case 20, 21: return [tmux(), tmux()]
    case 37:
      let changes = (0...numbers.number(0...2)).map { Day.Action.tmuxMeanwhile($0, option()) }
      return changes + [
        .network(.carrier(link: 2, false)), .network(.carrier(link: 3, false)), .network(.carrier(link: link, true)),
      ]
    case 38:
      let disk = Day.Action.disk(numbers.pick([.full, .readOnly, .nearlyFull]))
      let trouble = numbers.pick([disk, disk, .removeHistory, .otherMonitor(true)])
      let loss: [Day.Action] = [
        .network(.carrier(link: 2, false)), .network(.carrier(link: 3, false)), .network(.carrier(link: 2, true)),
      ]
      let end: [Day.Action] = numbers.one(in: 2) ? [.disk(.fine), .otherMonitor(false)] : []
      return [trouble] + loss + end + (numbers.one(in: 4) ? [.kill, .start] : [])
    case 39: return [.pause(seconds: numbers.pick([0, 1, 60, 3_600])), .pause(seconds: numbers.pick([0, 0, 30]))]
    case 22: return [.session(numbers.number(0...2), "$\(numbers.number(0...2))", !numbers.one(in: 3))]
    case 23: return [.tmuxClient(numbers.number(0...2), !numbers.one(in: 3))]
    case 24: return [.connect(numbers.number(1...4)), request(numbers.number(1...4))]
    case 25...28:
      let client = numbers.number(1...4)
      return [.connect(client), request(client), request(client)]
    case 29: return [.deaf(numbers.number(1...4), numbers.one(in: 2)), .garbage(numbers.number(1...4))]
    case 36:
      let (client, server) = (numbers.number(1...4), numbers.number(0...1))
      let toast = ToastRequest(title: "Saved", duration: .seconds(1), tmux: numbers.pick([nil, "/run/tmux/\(server)"]))
      return [.connect(client), .request(client, .toast(toast)), .killServer(server)]
    case 30:
      return [
        .hangUp(numbers.number(1...4)), .endProcess(Int32(numbers.number(1...3))),
        .beginProcess(Int32(numbers.number(1...3))),
      ]
    case 31: return life()
    case 33: return [.network(.traffic(seconds: 200)), .network(.internet(false))]
    case 34: return [.network(.internet(true))]
    case 35:
      return [.connect(link), .flood(link, requests: numbers.pick([3, 20, 200])), .deaf(link, numbers.one(in: 3))]
    case 32: return [configuration()]
    default:
      return [
        numbers.one(in: 2)
          ? .check(numbers.pick([.good, .bad, .none])) : .hookTime(milliseconds: numbers.pick([1, 1_000, 60_000]))
      ]
    }
  }

  private mutating func version() -> String { numbers.pick(["3.2a", "3.3a", "3.4", "3.5a", "3.6", "3.1c"]) }

  private mutating func life() -> [Day.Action] {
    switch numbers.number(0...5) {
    case 0: [.terminate, .start]
    case 1: [.kill, .start]
    case 5: [.killWithGuardian, .start]
    case 2, 3:
      [
        .killAtTmux(runs: numbers.number(1...4), isBefore: numbers.one(in: 2)), .network(.carrier(link: 2, false)),
        .network(.carrier(link: 3, false)), .start,
      ]
    default: [.breakConfiguration, configuration()]
    }
  }

  private mutating func configuration() -> Day.Action {
    .configure(
      graceMilliseconds: numbers.pick([0, 250, 250, 2_000]),
      reserve: numbers.pick([.auto, .auto, .auto, .always, .never]), checks: numbers.one(in: 3),
      hasHooks: numbers.one(in: 2), hasMotion: numbers.one(in: 4))
  }

  private mutating func tmux() -> Day.Action { .tmux(numbers.number(0...2), option()) }

  private mutating func option() -> String {
    let scope = numbers.pick(["-g", "-g", "-t $0:", "-t $1:"])
    return numbers.pick([
      "set \(scope) status \(numbers.pick(Self.statuses))", "set -u\(scope == "-g" ? "g" : " \(scope)") status",
      "set \(scope) status-format[\(numbers.number(0...4))] 'mine \(numbers.number(0...9))'",
      "set -u\(scope == "-g" ? "g" : " \(scope)") status-format[\(numbers.number(0...4))]",
      "set -u\(scope == "-g" ? "g" : " \(scope)") status-format",
    ])
  }

  private mutating func request(_ client: Int) -> Day.Action {
    let owner = OverlayOwner(
      process: numbers.one(in: 3) ? Int32(numbers.number(1...4)) : nil, isConnection: numbers.one(in: 3))
    let server = numbers.pick([nil, "/run/tmux/0", "/run/tmux/1"])
    let request: ObserverRequest =
      switch numbers.number(0...9) {
      case 0: .present(.init(title: "Hello", owner: owner))
      case 1: .dismiss
      case 2: .dismissClaim
      case 3, 4, 5:
        .toast(
          .init(
            title: "Saved", duration: .seconds(numbers.number(1...4)), key: numbers.pick([nil, "key"]), owner: owner,
            tmux: server))
      case 6: .dismissToast(numbers.pick([.front(tmux: server), .key("key"), .id(.init(rawValue: 1))]))
      case 7: .status()
      case 8: numbers.one(in: 2) ? .watch(format: .waybar) : .reload
      default:
        numbers.one(in: 2) ? .tmuxAttach(socket: server ?? "/run/tmux/2") : .tmuxDetach(socket: server ?? "/run/tmux/2")
      }
    return .request(client, request)
  }
}
