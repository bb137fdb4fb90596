internal import OverlineSystem
internal import OverlineTestSupport

/// A day compressed: the growth of a monitor that drives a tmux server, and of its history, after ten thousand outages.
///
/// Takes a quarter of an hour: after each of the kernel's messages the monitor waits 50 ms for the rest of a burst.
enum DayFigures {
  static func measure(_ plan: Plan) throws -> [Figure] {
    let outages = plan.isQuick ? 500 : 10_000
    // The first outages, some hundreds, load everything that they need into memory.
    let first = plan.isQuick ? outages / 2 : outages / 10
    let world = try BenchWorld(
      plan.overline,
      configuration: """
        banner = { grace-delay = "0s", hide-delay = "0s", motion = "off" }
        history = { keep = 10000 }
        """)
    let monitor = try world.startOverline("monitor")
    let server = try TmuxTestServer()
    try world.run("tmux", "attach", "--server", server.socket)
    let status = try server.tmux("show-options", "-gv", "status")
    let series = try world.outages()
    let figures = ProcessFigures(pid: monitor.pid)
    try series.run(first)
    let before = try Figures(figures)
    try series.run(outages - first)
    let isGone = try eventually { try server.tmux("show-options", "-gv", "status") == status }
    let after = try Figures(figures)
    var history = 0
    // The last line may still be on its way.
    _ = try eventually(within: .seconds(2)) {
      history = try world.run("history", "--json").ranges(of: "\"ended\":\"known\"").count
      return history == outages
    }
    let what = "\(outages) outages"
    return [
      Figure(
        what: "\(what): growth of memory (Anonymous) from the \(first)th on", unit: "KB",
        ours: [Double(after.memory - before.memory)], goal: .atMost(256)),
      Figure(
        what: "\(what): growth of descriptors", unit: "", ours: [Double(after.descriptors - before.descriptors)],
        goal: .atMost(0)),
      Figure(
        what: "\(what): growth of threads", unit: "", ours: [Double(after.threads - before.threads)], goal: .atMost(0)),
      Figure(what: "\(what): missing in the history", unit: "", ours: [Double(outages - history)], goal: .atMost(0)),
      Figure(what: "\(what): banners left in tmux", unit: "", ours: [isGone ? 0 : 1], goal: .atMost(0)),
    ]
  }

  private struct Figures {
    let memory: Int
    let descriptors: Int
    let threads: Int

    /// The figures at rest: without the threads that Dispatch keeps for some seconds, and without the memory that the monitor gives back
    /// ten seconds after the last change. Both readings would differ by that memory if only one of them came later.
    init(_ figures: ProcessFigures) throws {
      let busy = try figures.residentSize()
      var threads = try figures.threads()
      let isAtRest = try eventually(within: .seconds(20)) {
        threads = min(threads, try figures.threads())
        return try threads <= 2 && figures.residentSize() < busy - 1024
      }
      guard isAtRest else { throw TestKitError("the monitor gives no memory back") }
      self.threads = threads
      memory = try figures.memory("Anonymous")
      descriptors = try figures.descriptors()
    }
  }
}
