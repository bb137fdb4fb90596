internal import OverlineSystem
internal import OverlineTestKit

/// Measures a release build of `overline` and prints its figures beside their goals:
///
///     OverlineBench [--soak] [--quick] [--only GROUP] PATH-TO-OVERLINE [DOCUMENT]
///
/// A whole run is recorded in the document, with the machine and the date. `--soak` measures what a long load leaves behind instead of
/// durations; it takes twenty minutes.
///
/// Everything happens in network namespaces of its own. Needs root, or `unshare --map-root-user --net`.
@main
enum OverlineBench {
  /// The groups to measure, and the duration.
  struct Plan: Sendable {
    /// The executable.
    let overline: String
    /// Shortens measurements that take minutes: for development, not for published figures.
    let isQuick: Bool
  }

  private typealias Group = (name: String, measure: @Sendable (Plan) throws -> [Figure])

  private static let speed: [Group] = [
    ("grid", GridFigures.measure), ("windows", WindowFigures.measure), ("toasts", ToastFigures.measure),
    ("a link's end, as paths", PathLatency.measure), ("a lot of everything", ScaleFigures.measure),
    ("a link's end, as lines", LinkLatency.measure), ("a link's end, in tmux", TmuxFigures.measure),
    ("a monitor alone", CostFigures.measure), ("overline status", StartFigures.status),
    ("the library", StartFigures.library),
    ("many observers", ObserverFigures.measure), ("answers", AnswerFigures.measure),
  ]

  private static let soak: [Group] = [
    ("a window", SoakFigures.measure), ("a monitor", DayFigures.measure), ("reloads", ReloadFigures.measure),
  ]

  static func main() {
    var arguments = ProcessEnvironment.arguments
    let isSoak = arguments.first == "--soak"
    if isSoak { arguments.removeFirst() }
    let isQuick = arguments.first == "--quick"
    if isQuick { arguments.removeFirst() }
    var only: String?
    if arguments.count > 1, arguments.first == "--only" {
      only = arguments[1]
      arguments.removeFirst(2)
    }
    guard 1...2 ~= arguments.count, !arguments[0].hasPrefix("-") else {
      say("usage: OverlineBench [--soak] [--quick] [--only GROUP] PATH-TO-OVERLINE [DOCUMENT]", to: 2)
      exitProcess(64)
    }
    let plan = Plan(overline: arguments[0], isQuick: isQuick)
    let groups = isSoak ? soak : speed
    if let only, !groups.contains(where: { $0.name == only }) {
      say("OverlineBench: no group \"\(only)\"; there are \(groups.map(\.name).joined(separator: ", "))", to: 2)
      exitProcess(64)
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
