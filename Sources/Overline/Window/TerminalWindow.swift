internal import OverlineSystem
internal import Synchronization

/// A terminal of this program, and the banner and toasts on it.
///
///     let window = TerminalWindow.current
///     window.networkMonitoring()
///
/// From then on a lost network shows as a banner, which stays until the network is back.
///
/// A window is of a ``Style``: *inline* for a program that prints lines, *full-screen* for one that draws on the whole screen. Where
/// there is no terminal (a pipe, a file) each change is one line on standard error, and nothing else happens. The same with `TERM=dumb`
/// and `ACCESSIBLE=1`, for those who read the screen by ear.
///
/// All of it may be called from everywhere, at any time, and returns at once, but for ``close()``, which waits for the terminal. Closures
/// that a window keeps run on a queue of its own, one at a time. A window that nobody holds any longer takes what it shows off the screen.
///
/// Have one window for a terminal.
public final class TerminalWindow: Sendable {
  /// How the program uses its terminal.
  public enum Style: Hashable, Sendable {
    /// The program prints lines, which scroll. The banner has the last row, the lines scroll above it, and their scrollback is complete.
    case inline
    /// The program draws on the whole screen. The banner has the first row, and the program draws inside ``contentRect``.
    case fullScreen
  }

  let core: WindowCore

  /// How the program uses the terminal.
  public let style: Style

  /// A window on a terminal that the program has open.
  ///
  /// - Parameters:
  ///   - fileDescriptor: of the terminal, open for writing; 1 is standard output. It stays the program's, and must be open for as long
  ///     as the window lives.
  ///   - style: how the program uses the terminal.
  public convenience init(fileDescriptor: Int32 = 1, style: Style = .inline) {
    self.init(
      style: style, screen: screen(on: fileDescriptor, style), clock: SystemClock(), paths: NetworkFeed.shared)
  }

  /// - Parameters:
  ///   - clock: a test's is moved by hand.
  ///   - paths: what ``networkMonitoring(hideDelay:noConnection:restored:)`` listens to.
  package init(style: Style, screen: any WindowScreen, clock: any WindowClock, paths: NetworkFeed) {
    self.style = style
    core = WindowCore(style: style, screen: screen, clock: clock, paths: paths)
    ProcessTerminals.shared.add(core)
  }

  deinit { core.close() }

  /// Ends the window: what it shows is gone when this returns, which is when the terminal has taken it, and nothing shows in it again.
  /// Its toasts are over, and ``insets`` end.
  ///
  /// A full-screen program closes its window before it leaves the alternate screen, or a banner could be painted on the screen of the
  /// shell. Every other program need not: a window that nobody holds any longer closes itself, and an inline one at `exit(3)` too.
  public func close() { core.close() }

  private static let currentWindow = Mutex<TerminalWindow?>(nil)

  /// The window for whatever has no other one at hand: an inline one on standard output, unless the program has set another.
  ///
  /// A full-screen program sets its own first:
  ///
  ///     TerminalWindow.current = TerminalWindow(style: .fullScreen)
  public static var current: TerminalWindow {
    get {
      currentWindow.withLock { window in
        let current = window ?? TerminalWindow()
        window = current
        return current
      }
    }
    set {
      // The one before may end here, which must not be under the lock.
      _ = currentWindow.withLock { window in
        defer { window = newValue }
        return window
      }
    }
  }

  // MARK: - The banner

  /// Presents a banner, or changes the one that was presented.
  ///
  ///     window.presentTopBanner { $0.title("Call in progress").backgroundColor(.systemGreen) }
  ///
  /// While the network is away, ``networkMonitoring(hideDelay:noConnection:restored:)``'s banner shows in its place, and this one again
  /// after it. Text that could not be read on its background (a contrast below 4.5:1) gets another colour.
  ///
  /// - Parameter build: overrides single values of `Appearance.standard`: grey with white bold text. Without it the banner is the one that was
  ///   presented last.
  public func presentTopBanner(_ build: ((AppearanceBuilder) -> AppearanceBuilder)? = nil) {
    core.presentBanner { last in build.map { $0(AppearanceBuilder()).appearance } ?? last ?? .standard }
  }

  /// Takes away the banner that was presented. The network's own banner is not touched.
  public func dismissTopBanner() { core.dismissBanner() }

  /// Whether there is a banner, the network's or another one: true when ``presentTopBanner(_:)`` returns, false when dismissal has
  /// ended. Also true in a window that is too low to show it.
  public var isBannerPresented: Bool { core.isBannerPresented }

  /// Shows a banner while the network is away, and a moment longer that it is back.
  ///
  /// A loss of less than a quarter of a second shows nothing. If the network is away already, the banner shows at once. One
  /// `NWPathMonitor` serves all windows of the process. Called again, it changes looks and delay.
  ///
  /// - Parameters:
  ///   - hideDelay: how long `restored` stays.
  ///   - noConnection: the banner while there is no way out. The cause follows its title where there is room.
  ///   - restored: the banner when there is one again.
  public func networkMonitoring(
    hideDelay: Duration = .seconds(2), noConnection: Appearance = .offline, restored: Appearance = .restored
  ) {
    core.monitorNetwork(hideDelay: hideDelay, noConnection: noConnection, restored: restored)
  }

  // MARK: - Layout

  /// The rows that the program must leave free: those of the moment, then each change. Any number of consumers.
  ///
  ///     for await inset in window.insets { layout(below: inset.top) }
  ///
  /// One that is busy finds the newest only. They change once when a banner or a toast comes and once when it has gone, and are told
  /// when its rows are painted or blank. The sequence ends with the window, which it does not hold.
  public var insets: Insets { core.insets }

  /// Where the program may draw: the screen without ``insets``.
  ///
  /// Asks the terminal for its size. One that does not know it counts as 24 rows of 80 columns, as everywhere.
  public var contentRect: TerminalRect { core.contentRect }

  /// Paints again what shows: after a full-screen program has cleared the whole screen, or has it back from a shell (`SIGCONT`).
  ///
  /// An inline window does so by itself.
  public func setNeedsDisplay() { core.lookAgain() }
}

/// A part of a terminal's screen, in cells.
public struct TerminalRect: Hashable, Sendable {
  /// The first row, counted from 1 as terminals do: `ESC [ row ; column H` moves there.
  public var row: Int
  /// The first column, counted from 1.
  public var column: Int
  /// How many rows there are.
  public var rows: Int
  /// How many columns there are.
  public var columns: Int

  /// A part of a screen.
  public init(row: Int, column: Int, rows: Int, columns: Int) {
    self.row = row
    self.column = column
    self.rows = rows
    self.columns = columns
  }
}
