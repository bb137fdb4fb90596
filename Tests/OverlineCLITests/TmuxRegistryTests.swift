import Dispatch
import OverlineProcess
import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCLI

/// The file that lists tmux servers for the next monitor.
@Suite(.ownThread) struct TmuxRegistryTests {
  private let folder: String
  private let registry: TmuxRegistry

  init() throws {
    folder = try TemporaryFolder.make()
    registry = TmuxRegistry(directory: RuntimeDirectory(path: folder))
  }

  private func remove() { TemporaryFolder.remove(folder) }

  /// Plugins of several servers register when a session begins.
  @Test func simultaneousRegistrationsAreAllKept() throws {
    defer { remove() }
    // A registration waits for the lock for a second at most: 80 were too many for a busy machine.
    let count = 20
    DispatchQueue.concurrentPerform(iterations: count) { try? registry.add("/tmp/tmux-0/\($0)") }
    #expect(Set(registry.sockets) == Set((0..<count).map { "/tmp/tmux-0/\($0)" }))
    DispatchQueue.concurrentPerform(iterations: count - 1) { try? registry.remove("/tmp/tmux-0/\($0)") }
    #expect(registry.sockets == ["/tmp/tmux-0/\(count - 1)"])
    #expect(try Files.names(in: folder) == ["tmux"])
  }

  /// A plugin that was stopped (Ctrl-Z) during its change.
  @Test func aProcessThatKeepsTheLockDelaysOthersBriefly() throws {
    defer { remove() }
    try registry.add("/tmp/tmux-0/default")
    let lock = try FileLock.acquire(directory: folder)
    let start = BootClock.now
    #expect(throws: SystemError.self) { try registry.add("/tmp/tmux-0/new") }
    #expect(BootClock.now - start < .seconds(5))
    _ = consume lock
    #expect(registry.sockets == ["/tmp/tmux-0/default"])
  }

  @Test func oneThatCannotBeReadIsLeftAlone() throws {
    defer { remove() }
    let bytes = Array(String(repeating: "/tmp/tmux-0/default\n", count: 60_000).utf8)
    try Files.replace("\(folder)/tmux", with: bytes)
    #expect(throws: SystemError.self) { try registry.add("/tmp/tmux-0/new") }
    #expect(try Files.read("\(folder)/tmux", limit: bytes.count) == bytes)
  }
}
