import Overline
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Synchronization
import Testing
@testable import OverlineCore
@testable import OverlineShell

/// The cost of a banner: bytes to each client, processes.
@Suite(.ownThread) struct CostTests {
  /// The status lines of a client of 80 columns, default configuration. With 24-bit colours each colour is 8 bytes longer,
  /// and the cause has its own.
  @Test(arguments: [
    ("256", "", 250), ("256", "eth0 has no carrier", 250), ("RGB", "", 270), ("RGB", "eth0 has no carrier", 290),
  ])
  func aFrameIsFewBytes(colors feature: String, detail: String, limit: Int) throws {
    let server = try TmuxTestServer(configuration: [
      "set -g status-interval 0", "set -g automatic-rename off", "set -g terminal-features 'xterm*:\(feature)'",
    ])
    let client = try server.attach()
    let log = Log<String>()
    let window = TmuxWindow(server: TmuxServer(socket: server.socket), onError: { log.append($0) })
    func show(_ frame: BannerFrame) throws -> Int {
      let start = client.output.count
      window.update(frame)
      let end = Array(frame.appearance.title.utf8)
      #expect(eventually { client.output.dropFirst(start).contains(end) })
      // A redraw ends by restoring the cursor.
      #expect(eventually { client.output.dropFirst(start).last == UInt8(ascii: "H") })
      return client.output.count - start
    }
    // The pane's own output is no cost of a frame.
    #expect(eventually { client.output.contains(UInt8(ascii: "$")) })
    _ = try show(.offline)
    var frame = BannerFrame.restored
    frame.detail = detail
    var bytes: [Int] = []
    // The pane's new size makes tmux draw it again, sometimes only after the first frame.
    for step in 0..<7 {
      frame.appearance.title = "Back online \(step)"
      frame.appearance.backgroundColor = .rgb(.init(UInt8(179 - 20 * step), UInt8(38 + 10 * step), 30))
      bytes.append(try show(frame))
    }
    #expect(bytes.dropFirst().allSatisfy { $0 <= limit }, "\(bytes)")
    #expect(log.all == [])
  }

  /// Every frame of a toast that appears and disappears, as its machine draws them.
  @Test(arguments: ToastStyle.allCases)
  func aFrameOfAToastIsFewBytes(style: ToastStyle) throws {
    let server = try TmuxTestServer(configuration: [
      "set -g status-interval 0", "set -g automatic-rename off", "set -g terminal-features 'xterm*:256'",
    ])
    let client = try server.attach()
    let log = Log<String>()
    let window = TmuxWindow(server: TmuxServer(socket: server.socket), onError: { log.append($0) })
    var machine = ToastMachine(window: .tmux(edge: .bottom))
    let content = ToastContent(title: "Saved successfully", message: "3 files in 2 folders", style: style)
    _ = machine.handle(.toastPosted(content, id: ToastID(rawValue: 1)), at: .zero)
    var bytes: [Int] = []
    var variables: [String: String] = [:]
    while let frame = machine.frame {
      let start = client.output.count
      // Steps that look alike in the palette are one.
      let isNew = variables != StatusLine.toast.variables(.init(frame, on: .palette256))
      variables = StatusLine.toast.variables(.init(frame, on: .palette256))
      window.show(TmuxContent(banner: nil, toast: frame))
      #expect(!isNew || eventually { client.output.count > start })
      _ = eventually {
        let count = client.output.count
        let end = BootClock.now + .milliseconds(20)
        _ = eventually { BootClock.now >= end }
        return client.output.count == count
      }
      if isNew { bytes.append(client.output.count - start) }
      repeat { _ = machine.handle(.deadlineReached, at: machine.nextDeadline!) } while machine.frame == frame
    }
    // Six each way; the last one in equals the one at rest, and the last one out equals nothing.
    #expect((4...12).contains(bytes.count))
    // The first frame comes with the line. On a busy machine the end of any frame may be counted with the next.
    bytes.removeFirst()
    #expect(min(bytes.sorted()[bytes.count / 2], bytes.reduce(0, +) / bytes.count) <= 250, "\(bytes)")
    #expect(log.all == [])
  }

  /// Counted by the server itself, with a hook on the one command that every frame's run has once.
  @Test func aFrameIsOneProcessAndTheSameFrameNone() throws {
    let scene = try Scene(["setenv -g COUNT ''"])
    try scene.show()
    try scene.server.tmux("set-hook", "-g", "after-list-clients", "setenv -gF COUNT '#{COUNT}x'")
    func count() throws -> Int { try scene.server.tmux("show-environment", "-g", "COUNT").count { $0 == "x" } }
    let start = try count()
    try scene.show(.titled("one"))
    try scene.show(.titled("two"))
    #expect(try count() == start + 2)
    for _ in 0..<100 { scene.window.update(.titled("two")) }
    try scene.show(.titled("three"))
    #expect(try count() == start + 3)
    try scene.server.tmux("set-hook", "-gu", "after-list-clients")
    try scene.hide()
  }

  /// A fade that offers a frame every 4 ms gets six of them in its 250 ms, and always the last one.
  @Test func aFadeIsAtMostSixFrames() throws {
    let scene = try Scene(["setenv -g COUNT ''"])
    try scene.show()
    try scene.server.tmux("set-hook", "-g", "after-list-clients", "setenv -gF COUNT '#{COUNT}x'")
    let start = BootClock.now
    for step in 1...63 {
      let due = start + .milliseconds(4 * step)
      _ = eventually { BootClock.now >= due }
      scene.window.update(.titled("step \(step)."))
    }
    try scene.wait(for: "step 63.")
    let taken = BootClock.now - start
    let count = try scene.server.tmux("show-environment", "-g", "COUNT").count { $0 == "x" }
    // On a busy machine the test itself takes longer than the fade.
    #expect(count <= 1 + Int(taken / .milliseconds(50)))
    #expect(count >= 2)
    try scene.server.tmux("set-hook", "-gu", "after-list-clients")
  }

  /// While nothing changes the client gets no byte.
  @Test func anOutageThatLastsCostsNothing() throws {
    let scene = try Scene()
    try scene.show()
    let client = try scene.server.attach()
    var bytes = 0
    var since = BootClock.now
    _ = eventually {
      if client.output.count != bytes { since = BootClock.now }
      bytes = client.output.count
      return BootClock.now - since > .milliseconds(200)
    }
    for _ in 0..<1000 { scene.window.update(.offline) }
    let end = BootClock.now + .milliseconds(300)
    _ = eventually { BootClock.now >= end }
    #expect(client.output.count == bytes)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard count >= part.count else { return false }
    return (startIndex...(endIndex - part.count)).contains { self[$0..<($0 + part.count)].elementsEqual(part) }
  }
}
