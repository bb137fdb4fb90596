internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The history for programs. Times are RFC 3339 in UTC. Lengths are seconds during which the machine was awake.
enum HistoryJSON {
  static func text(_ history: History, from start: Int64, to end: Int64) -> String {
    let sum = history.sum(from: start, to: end)
    func periods(_ all: [History.Outage]) -> JSONValue {
      .array(all.filter { $0.end >= start && $0.start < end }.map(outage))
    }
    return JSONValue.object([
      "v": .integer(1), "since": time(start), "until": time(end),
      "availability": sum.availability.map(JSONValue.number) ?? .null, "offline": seconds(sum.offline),
      "watched": seconds(sum.watched), "at-least": .boolean(sum.isAtLeast), "outages": periods(history.outages),
      "limited": periods(history.limited), "limited-seconds": seconds(sum.limited),
    ]).json
  }

  private static func outage(_ outage: History.Outage) -> JSONValue {
    var members: [String: JSONValue] = [
      "start": time(outage.start), "end": time(outage.end), "seconds": seconds(outage.awake),
      "asleep": seconds(outage.asleep), "reason": .string(outage.cause.reason),
      "interface": outage.cause.interface.map(JSONValue.string) ?? .null,
      "explanation": .string(outage.cause.explanation), "began": .string(word(outage.beginning)),
      "ended": .string(word(outage.ending)),
    ]
    if case .killed(let latest?) = outage.ending { members["latest-end"] = time(latest) }
    if outage.ending == .now { members["end"] = .null }
    return .object(members)
  }

  /// `known`; `monitor`: at the start or end of the monitor, so the real time is unknown; `killed`: the monitor was killed, so the time is
  /// unknown; `now`: ongoing.
  private static func word(_ edge: History.Outage.Edge) -> String {
    switch edge {
    case .known: "known"
    case .monitor: "monitor"
    case .killed: "killed"
    case .now: "now"
    }
  }

  private static func time(_ milliseconds: Int64) -> JSONValue { .string(WallTime(milliseconds: milliseconds).rfc3339) }
  private static func seconds(_ milliseconds: Int64) -> JSONValue { .number(Double(milliseconds) / 1000) }
}
