internal import OverlineSystem
internal import OverlineTestSupport

/// An outage and a toast as a tmux client sees them: latency and bytes.
enum TmuxFigures {
  private static let title = "No connection"

  static func measure(_ plan: Plan) throws -> [Figure] { try [outages(plan), bytesPerFrame(plan)] + toasts(plan) }

  /// From the link's end to the last byte of the banner's text.
  private static func outages(_ plan: Plan) throws -> Figure {
    let scenes = try plan.programs.map { try TmuxScene($0, hideDelay: "50ms") }
    var times = scenes.map { _ in [Double]() }
    for round in 0..<(plan.isQuick ? 12 : 42) {
      for (index, scene) in scenes.enumerated() {
        let mark = scene.client.output.count
        let start = try scene.world.goDown()
        let end = try scene.arrival(of: title, from: mark)
        try scene.world.goUp()
        try scene.waitUntilGone()
        // The first rounds warm up.
        if round >= 2 { times[index].append((end - start).milliseconds) }
      }
    }
    return Figure(
      what: "link down → banner text on a tmux client, without grace", unit: "ms", ours: times[0],
      peer: plan.peer(times), goal: .atMost(15))
  }

  /// From the request to the last byte of a toast's words. In turns, also from the start of the minimum that tmux itself needs for a line
  /// that is restored exactly: one run that reads the state, one that changes it.
  private static func toasts(_ plan: Plan) throws -> [Figure] {
    let scenes = try plan.programs.map { try TmuxScene($0, hideDelay: "50ms") }
    let posters = try scenes.map { try Poster($0.world.socket) }
    var times = scenes.map { _ in [Double]() }
    var alone: [Double] = []
    for round in 0..<(plan.isQuick ? 12 : 42) {
      let title = "Number-\(round)."
      func time(in scene: TmuxScene, _ body: () throws -> Void) throws -> [Double] {
        let mark = scene.client.output.count
        let start = BootClock.now
        try body()
        let end = try scene.arrival(of: title, from: mark)
        return round < 2 ? [] : [(end - start).milliseconds]
      }
      for (index, scene) in scenes.enumerated() {
        times[index] += try time(in: scene) {
          try posters[index].post(title, more: #","duration":0,"tmux":"\#(scene.server.socket)""#)
        }
        try posters[index].dismiss()
        try scene.waitUntilGone()
      }
      let server = scenes[0].server
      alone += try time(in: scenes[0]) {
        try server.source("show-options -g status-format")
        try server.source("set -g status-format[1] '\(title)'", "set -g status 2")
      }
      try server.source("set -g status on", "set -gu status-format[1]")
      try scenes[0].settle()
    }
    let what = "toast in tmux: post → first frame"
    return [
      Figure(
        what: what, unit: "ms", ours: times[0], peer: .init(name: "two runs of tmux alone", values: alone),
        goal: .atMost(15))
    ] + plan.beside(what, unit: "ms", times)
  }

  /// For the monitor's own fades from one banner to the other.
  private static func bytesPerFrame(_ plan: Plan) throws -> Figure {
    let scenes = try plan.programs.map { try TmuxScene($0, hideDelay: "1500ms") }
    var bytes = scenes.map { _ in [Double]() }
    for scene in scenes { try scene.countFrames() }
    for _ in 0..<plan.rounds {
      for (index, scene) in scenes.enumerated() {
        let mark = scene.client.output.count
        _ = try scene.world.goDown()
        try scene.arrival(of: title, from: mark)
        try scene.settle()
        let before = (bytes: scene.client.output.count, frames: try scene.frames)
        try scene.world.goUp()
        try scene.arrival(of: "Back online", from: before.bytes)
        // Longer than a fade, shorter than the hide delay.
        try scene.settle()
        let frames = try scene.frames - before.frames
        bytes[index].append(Double(scene.client.output.count - before.bytes) / Double(max(1, frames)))
        try scene.waitUntilGone()
      }
    }
    return Figure(
      what: "tmux: bytes per frame and client, 80 columns", unit: "bytes", ours: bytes[0], peer: plan.peer(bytes),
      goal: .atMost(250))
  }
}
