internal import OverlineSystem
internal import OverlineTestKit

/// An outage and a toast as a tmux client sees them: latency and bytes.
enum TmuxFigures {
  private static let title = Array("No connection".utf8)

  static func measure(_ plan: OverlineBench.Plan) throws -> [Figure] {
    let what = (
      down: "link down → banner text on a tmux client, without grace, median",
      frame: "tmux: bytes per frame and client, 80 columns",
      toast: "toast in tmux: post → first frame, median"
    )
    guard isInstalled("tmux") else {
      return [
        Figure(what: what.down, unit: "ms", goal: .atMost(15), note: "tmux is not installed"),
        Figure(what: what.frame, unit: "bytes", goal: .atMost(250), note: "tmux is not installed"),
        Figure(what: what.toast, unit: "ms", goal: .atMost(15), note: "tmux is not installed"),
      ]
    }
    let toasts = try toasts(plan)
    return [
      Figure(what: what.down, unit: "ms", ours: try outages(plan).median, goal: .atMost(15)),
      Figure(what: what.frame, unit: "bytes", ours: try bytesPerFrame(plan), goal: .atMost(250)),
      Figure(
        what: what.toast, unit: "ms", ours: toasts.ours.median,
        peer: .init(name: "two runs of tmux alone", value: toasts.alone.median), goal: .atMost(15)),
    ]
  }

  /// Milliseconds from the link's end to the last byte of the banner's text.
  private static func outages(_ plan: OverlineBench.Plan) throws -> Sample {
    let scene = try TmuxScene(plan, hideDelay: "50ms")
    var sample = Sample()
    for round in 0..<(plan.isQuick ? 22 : 42) {
      let mark = scene.client.output.count
      let start = try scene.world.goDown()
      let end = try scene.place(of: title, from: mark)
      try scene.world.goUp()
      try scene.waitUntilGone()
      // The first rounds warm up.
      if round >= 2, let time = scene.client.arrival(ofByteAt: end) { sample.add((time - start).milliseconds) }
    }
    return sample
  }

  /// Milliseconds from the request to the last byte of a toast's words. In turns, also from the start of the minimum that tmux itself
  /// needs for a line that is restored exactly: one run that reads the state, one that changes it.
  private static func toasts(_ plan: OverlineBench.Plan) throws -> (ours: Sample, alone: Sample) {
    let scene = try TmuxScene(plan, hideDelay: "50ms")
    let poster = try Poster(scene.world.socket)
    var (ours, alone) = (Sample(), Sample())
    for round in 0..<(plan.isQuick ? 12 : 42) {
      let title = "Number-\(round)."
      func measure(_ sample: inout Sample, _ body: () throws -> Void) throws {
        let mark = scene.client.output.count
        let start = BootClock.now
        try body()
        let end = try scene.place(of: Array(title.utf8), from: mark)
        if round >= 2, let time = scene.client.arrival(ofByteAt: end) { sample.add((time - start).milliseconds) }
      }
      try measure(&ours) { try poster.post(title, more: #","duration":0,"tmux":"\#(scene.server.socket)""#) }
      try poster.dismiss()
      try scene.waitUntilGone()
      try measure(&alone) {
        try scene.server.source("show-options -g status-format")
        try scene.server.source("set -g status-format[1] '\(title)'", "set -g status 2")
      }
      try scene.server.source("set -g status on", "set -gu status-format[1]")
      try scene.settle()
    }
    return (ours, alone)
  }

  /// For the monitor's own fades from one banner to the other. The server counts the frames, with a hook on the one command
  /// that each of them runs once.
  private static func bytesPerFrame(_ plan: OverlineBench.Plan) throws -> Double {
    let scene = try TmuxScene(plan, hideDelay: "1500ms")
    try scene.server.tmux("set-environment", "-g", "COUNT", "")
    try scene.server.tmux("set-hook", "-g", "after-list-clients", "setenv -gF COUNT '#{COUNT}x'")
    func frames() throws -> Int { try scene.server.tmux("show-environment", "-g", "COUNT").count { $0 == "x" } }
    var total = (bytes: 0, frames: 0)
    for _ in 0..<(plan.isQuick ? 3 : 10) {
      let mark = scene.client.output.count
      _ = try scene.world.goDown()
      _ = try scene.place(of: title, from: mark)
      try scene.settle()
      let before = (bytes: scene.client.output.count, frames: try frames())
      try scene.world.goUp()
      _ = try scene.place(of: Array("Back online".utf8), from: before.bytes)
      // Longer than a fade, shorter than the hide delay.
      try scene.settle()
      total.bytes += scene.client.output.count - before.bytes
      total.frames += try frames() - before.frames
      try scene.waitUntilGone()
    }
    return Double(total.bytes) / Double(max(1, total.frames))
  }
}

/// A monitor, a tmux server that it drives, and a client of that server.
final class TmuxScene {
  let world: BenchWorld
  let server: TmuxTestServer
  let client: TestTerminal
  let monitor: PipedProgram

  init(_ plan: OverlineBench.Plan, hideDelay: String) throws {
    world = try BenchWorld(
      plan, configuration: "[banner]\ngrace-delay = \"0ms\"\nhide-delay = \"\(hideDelay)\"\n")
    // A status line that changes only when we change it, on a terminal of 256 colours.
    server = try TmuxTestServer(configuration: [
      "set -g status-interval 0", "set -g automatic-rename off", "set -g terminal-features 'xterm*:256'",
    ])
    client = try server.attach()
    monitor = try world.startOverline("monitor")
    try world.run("tmux", "attach", "--server", server.socket)
    try settle()
  }

  /// Waits for a text on the client's terminal, starting at a byte of its output; returns the index of the text's last byte.
  func place(of text: [UInt8], from mark: Int) throws -> Int {
    var place: Int?
    guard
      eventually({
        let output = client.output
        place = (mark..<max(mark, output.count - text.count + 1)).first { output[$0...].starts(with: text) }
        return place != nil
      })
    else { throw TestKitError("no \(String(decoding: text, as: UTF8.self)) on the client's terminal") }
    return place! + text.count - 1
  }

  /// Waits until the line has been restored and drawing has ended.
  func waitUntilGone() throws {
    guard try eventually({ try !server.tmux("show-environment", "-gh").contains("OVERLINE") }) else {
      throw TestKitError("the banner does not go")
    }
    try settle()
  }

  /// Waits until the client has received nothing for longer than the time between two frames.
  func settle() throws {
    var count = -1
    var since = BootClock.now
    _ = eventually {
      if client.output.count != count { since = BootClock.now }
      count = client.output.count
      return BootClock.now - since > .milliseconds(250)
    }
  }
}
