import Banner
import OverlineTestKit
import POSIX
import Synchronization
import Testing

@testable import Tmux

/// What a banner costs: bytes to each client, processes.
@Suite struct CostTests {
  /// The status lines of a client of 80 columns, default configuration.
  @Test func aFrameIsFewBytes() throws {
    let server = try TmuxTestServer(configuration: ["set -g status-interval 0"])
    let client = try server.attach()
    let log = Log<String>()
    let window = TmuxWindow(server: TmuxServer(socket: server.socket), onError: { log.append($0) })
    func show(_ frame: BannerFrame) throws -> Int {
      let start = client.output.count
      window.update(frame)
      let end = Array(frame.appearance.title.utf8)
      #expect(eventually { client.output.dropFirst(start).contains(end) })
      // The last thing of a redraw is to show the cursor again.
      #expect(eventually { client.output.hasSuffix("\u{1b}[?25h") || client.output.hasSuffix("H") })
      return client.output.count - start
    }
    _ = try show(.offline)
    var frame = BannerFrame.restored
    var bytes: [Int] = []
    for step in 0..<6 {
      frame.appearance.title = "Back online \(step)"
      frame.appearance.backgroundColor = .rgb(RGB(UInt8(179 - 20 * step), UInt8(38 + 10 * step), 30))
      bytes.append(try show(frame))
    }
    #expect(bytes.allSatisfy { $0 <= 250 }, "\(bytes)")
    #expect(log.all == [])
  }

  /// Counted by the server itself: it runs a command of ours for every client that sources anything.
  @Test func aFrameIsOneProcessAndTheSameFrameNone() throws {
    let scene = try Scene(["setenv -g COUNT ''"])
    try scene.show()
    try scene.server.tmux("set-hook", "-g", "after-source-file", "setenv -gF COUNT '#{COUNT}x'")
    func count() throws -> Int { try scene.server.tmux("show-environment", "-g", "COUNT").count { $0 == "x" } }
    let start = try count()
    try scene.show(.titled("one"))
    try scene.show(.titled("two"))
    #expect(try count() == start + 2)
    for _ in 0..<100 { scene.window.update(.titled("two")) }
    try scene.show(.titled("three"))
    #expect(try count() == start + 3)
    try scene.server.tmux("set-hook", "-gu", "after-source-file")
    try scene.hide()
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

extension Array<UInt8> {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

extension ArraySlice<UInt8> {
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard count >= part.count else { return false }
    return (startIndex...(endIndex - part.count)).contains { self[$0..<($0 + part.count)].elementsEqual(part) }
  }
}
