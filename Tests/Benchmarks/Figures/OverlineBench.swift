internal import OverlineSystem
internal import OverlineTestSupport

/// Measures a release build of `overline` and prints its figures beside their goals:
///
///     OverlineBench [--soak] [--quick] [--only GROUP] [--baseline PATH] PATH-TO-OVERLINE [DOCUMENT]
///
/// A whole run is recorded in the document, with the machine and the date. `--soak` measures what a long load leaves behind instead of
/// durations; it takes two hours. `--baseline` names an earlier build of `overline`: it is the peer where no other program is one.
///
/// Everything happens in network namespaces of its own. Needs root, or `unshare --map-root-user --net`.
@main
enum OverlineBench {
  private typealias Group = (name: String, measure: @Sendable (Plan) throws -> [Figure])

  private static let speed: [Group] = [
    ("grid", GridFigures.measure), ("windows", WindowFigures.measure), ("toasts", ToastFigures.measure),
    ("a link's end, as paths", PathLatency.measure), ("a lot of everything", ScaleFigures.measure),
    ("a link's end, as lines", LinkLatency.measure), ("a link's end, in tmux", TmuxFigures.measure),
    ("a monitor alone", CostFigures.measure), ("overline status", StartFigures.status),
    ("the library", StartFigures.library),
    ("many observers", ObserverFigures.measure), ("answers", AnswerFigures.measure),
    ("networks that answer and do not", SilenceFigures.measure),
  ]

  private static let soak: [Group] = [
    ("a window", SoakFigures.measure), ("a monitor", DayFigures.measure), ("reloads", ReloadFigures.measure),
    ("false claims", ClaimFigures.measure), ("quality", QualityFigures.measure),
    ("real daemons", DaemonFigures.measure),
  ]

  private static let usage = "[--soak] [--quick] [--only GROUP] [--baseline PATH] PATH-TO-OVERLINE [DOCUMENT]"

  static func main() {
    var arguments = ProcessEnvironment.arguments
    func hasFlag(_ name: String) -> Bool {
      guard arguments.first == name else { return false }
      arguments.removeFirst()
      return true
    }
    func value(of name: String) -> String? {
      guard arguments.count > 1, hasFlag(name) else { return nil }
      return arguments.removeFirst()
    }
    let isSoak = hasFlag("--soak")
    let isQuick = hasFlag("--quick")
    let only = value(of: "--only")
    let baseline = value(of: "--baseline")
    guard 1...2 ~= arguments.count, !arguments[0].hasPrefix("-") else {
      say("usage: OverlineBench \(usage)", to: 2)
      exitProcess(64)
    }
    let groups = isSoak ? soak : speed
    if let only, !groups.contains(where: { $0.name == only }) {
      say("OverlineBench: no group \"\(only)\"; there are \(groups.map(\.name).joined(separator: ", "))", to: 2)
      exitProcess(64)
    }
    let plan: Plan
    do {
      plan = Plan(overline: arguments[0], baseline: try baseline.map { try .init($0) }, isQuick: isQuick)
    } catch {
      say("OverlineBench: \(error)", to: 2)
      exitProcess(2)
    }
    let loadBefore = Machine.load
    var figures: [Figure] = []
    var hasFailed = false
    for group in groups where only == nil || only == group.name {
      say("measuring: \(group.name) …", to: 2)
      do {
        figures += try group.measure(plan)
      } catch {
        hasFailed = true
        say("OverlineBench: \(group.name): \(error)", to: 2)
      }
    }
    say(FigureTable.text(figures), to: 1)
    // Latencies of a busy machine mean little.
    let circumstances = "load average before: \(loadBefore), after: \(Machine.load)"
    say(circumstances, to: 1)
    if arguments.count == 2, !isQuick, only == nil, !hasFailed {
      let text = "\(Machine.description); \(circumstances).\n\n\(FigureTable.markdown(figures))"
      do {
        try GeneratedText(isSoak ? "soak" : "figures", path: arguments[1]).write(text)
      } catch {
        hasFailed = true
        say("OverlineBench: \(error)", to: 2)
      }
    }
    exitProcess(hasFailed ? 2 : 0)
  }

  private static func say(_ text: String, to descriptor: Int32) {
    try? writeAll(Array((text + "\n").utf8), to: descriptor)
  }
}
