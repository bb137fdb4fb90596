internal import Dispatch
public import NetworkPath
public import Overline
internal import OverlineSystem
internal import Synchronization

/// A network that goes offline and online by a script, for tests of network-aware programs. It uses no real network, and
/// time passes only when the test advances it.
///
///     @Test func aLostNetworkShows() async throws {
///       let network = try SimulatedNetwork("online 1s, offline 3s, online")
///       let window = network.window()
///       window.startNetworkMonitoring()
///       await network.advance(by: .seconds(2))
///       #expect(window.isBannerPresented)
///       await network.advance(by: .seconds(5))
///       #expect(!window.isBannerPresented)
///       #expect(network.announcements == ["⚠ No connection · eth0 has no carrier", "✓ Back online"])
///     }
///
/// Its windows and monitors are the real ones. Only the network and the clock are simulated, and there is no terminal.
public final class SimulatedNetwork: Sendable {
  /// The clock of this network.
  public let clock: ManualClock

  private let timeline: NetworkTimeline
  private let lines = Mutex<[String]>([])
  private let feed = Mutex<NetworkFeed?>(nil)

  /// The error of a script that is not a timeline.
  public struct InvalidTimeline: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
  }

  /// Creates a network at the beginning of its script.
  ///
  ///     try SimulatedNetwork("online wifi 1s, offline router-silent 3s, online cellular expensive")
  ///
  /// - Parameters:
  ///   - timeline: paths, each with its duration (`250ms`, `1.5s`, `2m`, `1h`), separated by commas. The last one stays. A path is `offline` with or
  ///     without a raw value of `NWPath.Reason`, or `online` with any of `wired`, `wifi`, `cellular`, `tunnel`, `ipv6` (without IPv4),
  ///     `expensive`, `constrained`, `no-answers` (no connection is answered), `not-sent` (nothing leaves the machine), `moderate`
  ///     and `poor` (the link's quality), and `without-NAME` (the target of that name cannot be reached).
  ///   - clock: a shared clock, for tests with several networks.
  /// - Throws: ``InvalidTimeline`` for anything else: a typo fails the test, except in the name of a target.
  public init(_ timeline: String, clock: ManualClock = ManualClock()) throws(InvalidTimeline) {
    self.timeline = try NetworkTimeline(timeline)
    self.clock = clock
  }

  /// Creates a network at the beginning of its script.
  ///
  ///     try SimulatedNetwork([(.online(supportsIPv4: false, supportsIPv6: true), .seconds(1)), (.offline(.routerSilent), .zero)])
  ///
  /// - Parameters:
  ///   - paths: each path with its duration. The last one stays.
  ///   - clock: a shared clock, for tests with several networks.
  /// - Throws: ``InvalidTimeline`` without a path, or for a duration below zero.
  public init(_ paths: [(NWPath.Script, Duration)], clock: ManualClock = ManualClock()) throws(InvalidTimeline) {
    timeline = try NetworkTimeline(paths)
    self.clock = clock
  }

  /// Advances time: ``ManualClock/advance(by:)``.
  public func advance(by duration: Duration) async { await clock.advance(by: duration) }

  /// Runs what is due now, again and again, until a condition holds: for work of the program's own tasks, such as an alert that is about to
  /// appear. The clock stands still.
  ///
  /// - Throws: `CancellationError` when the test's task is cancelled, as by its time limit.
  public func wait(until condition: () -> Bool) async throws {
    while !condition() {
      try Task.checkCancellation()
      await advance(by: .zero)
      await Task.yield()
    }
  }

  /// Creates a monitor of this network, as `NWPathMonitor()` creates one of the machine's.
  ///
  /// - Parameter targets: networks that the monitor reports too, as `NWPathMonitor(targets:)` does. Each is reachable while the network is
  ///   online, unless the script names it as unreachable.
  public func monitor(targets: [PathTarget] = []) -> NWPathMonitor {
    NWPathMonitor(source: SimulatedPaths(timeline: timeline, clock: clock, targets: targets))
  }

  /// Runs an operation that waits for this network, and moves the clock while the operation waits: an outage of an hour takes no time.
  ///
  ///     let network = try SimulatedNetwork("offline 1h, online")
  ///     let monitor = network.monitor()
  ///     let data = try await network.run { try await monitor.retryingWhenOffline { try await fetch(monitor) } }
  ///
  /// The clock stands still while the operation does something, and moves to the next moment of the script, or to the end of a sleep on
  /// ``clock``, when all of it waits. Code of actors counts too, unless they have an executor of their own. Code of tasks that the
  /// operation starts with `Task { … }` runs too, but the clock does not wait for it. The clock does not know of anything else that the operation waits for, such as a file or a real
  /// time: it may move meanwhile.
  ///
  /// - Returns: the operation's result.
  /// - Throws: the operation's error.
  public func run<Success: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Success
  ) async throws -> Success {
    let turns = Turns()
    clock.await(turns.executor.queue)
    defer { clock.forget(turns.executor.queue) }
    let task = Task(executorPreference: turns.executor) {
      defer { turns.end() }
      return try await operation()
    }
    return try await withTaskCancellationHandler {
      var news = turns.news.makeAsyncIterator()
      while !turns.hasEnded {
        // A turn may lead to others, on this queue or by way of another one.
        var before: Int
        repeat {
          before = turns.number
          await clock.settle()
          // Code of the main actor is all code of a program with that default isolation.
          await MainActor.run {}
          await clock.settle()
        } while turns.number != before
        if turns.hasEnded { break }
        if await clock.advanceToNextAlarm() { continue }
        // Only something real goes on.
        if turns.hasEnded { break }
        await news.next()
      }
      return try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Creates a window on a screen without keys: its alerts return ``AlertAnswer/impossible``. See
  /// ``window(on:style:)``.
  ///
  /// - Parameters:
  ///   - rows: its height; fewer than 5 leave no room for a banner.
  ///   - columns: its width.
  ///   - style: the way in which its program uses the terminal.
  public func window(rows: Int = 24, columns: Int = 80, style: TerminalWindow.Style = .inline) -> TerminalWindow {
    window(on: SimulatedScreen(rows: rows, columns: columns, canAsk: false), style: style)
  }

  /// Creates a window without motion. It shares one monitor of this network with the other windows.
  ///
  /// - Parameters:
  ///   - screen: its terminal. Use one window for each.
  ///   - style: the way in which its program uses the terminal.
  public func window(on screen: SimulatedScreen, style: TerminalWindow.Style = .inline) -> TerminalWindow {
    let feed = feed.withLock { feed in
      let one =
        feed
        ?? NetworkFeed { [timeline, clock] targets in
          NWPathMonitor(source: SimulatedPaths(timeline: timeline, clock: clock, targets: targets))
        }
      feed = one
      return one
    }
    let port = ScreenPort(screen: screen) { [weak self] line in self?.lines.withLock { $0.append(line) } }
    return TerminalWindow(style: style, screen: port, clock: SimulatedTime(clock: clock), paths: feed)
  }

  /// The windows' output so far: one line for each banner, toast and alert, as printed where there is no terminal.
  public var announcements: [String] { lines.withLock { $0 } }
}
