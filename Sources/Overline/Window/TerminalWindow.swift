public import NetworkPath
internal import OverlineSystem
internal import Synchronization

/// A terminal of this program, with the banner and toasts on it.
///
///     let window = TerminalWindow.current
///     window.startNetworkMonitoring()
///
/// From then on a banner shows while the network is lost.
///
/// The ``Style`` of a window is *inline* for a program that prints lines, and *full-screen* for a program that draws on the whole screen.
/// Without a terminal (a pipe, a file), each change is one line on standard error, and nothing else happens. `TERM=dumb` and
/// `ACCESSIBLE=1`, for users of screen readers, have the same effect.
///
/// All members may be called from any thread at any time. They return at once, except ``close()``, which waits for the terminal. A window
/// runs its closures on its own queue, one at a time. A window that is released removes its content from the screen.
///
/// Use one window per terminal.
public final class TerminalWindow: Sendable {
  /// How the program uses its terminal.
  public enum Style: Hashable, Sendable {
    /// The program prints lines, which scroll. The banner occupies the last row, the lines scroll above it, and their scrollback is
    /// complete.
    case inline
    /// The program draws on the whole screen. The banner occupies the first row, and the program draws inside ``contentRect``.
    case fullScreen
  }

  /// Which program shows the banner and the toasts.
  public enum Ownership: Hashable, Sendable {
    /// An `overline run` around this program, or the tmux server that it runs in and that a monitor drives. They show the network's banner
    /// anyway; custom banners and toasts go there too. Alerts show in this program's rows. Without either, this program shows everything.
    case automatic
    /// This program, in any case.
    case own
  }

  let core: WindowCore

  /// How the program uses the terminal.
  public let style: Style

  /// Creates a window on a terminal that the program has open.
  ///
  /// - Parameters:
  ///   - fileDescriptor: the terminal, open for writing; 1 is standard output. The program owns it, and must keep it open as
  ///     long as the window lives.
  ///   - style: how the program uses the terminal.
  ///   - ownership: which program shows the banner and the toasts. Inside tmux, ``Ownership/automatic`` asks the monitor once, which takes some
  ///     milliseconds.
  public convenience init(fileDescriptor: Int32 = 1, style: Style = .inline, ownership: Ownership = .automatic) {
    requireProc(for: "Overline")
    self.init(
      style: style, screen: screen(on: fileDescriptor, style, ownership), clock: SystemClock(),
      paths: NetworkFeed.shared)
  }

  /// - Parameters:
  ///   - clock: the source of time; tests advance theirs by hand.
  ///   - paths: the source of network paths for ``startNetworkMonitoring(_:hideDelay:noConnection:restored:)``.
  package init(style: Style, screen: any WindowScreen, clock: any WindowClock, paths: NetworkFeed) {
    self.style = style
    core = WindowCore(style: style, screen: screen, clock: clock, paths: paths)
    ProcessTerminals.shared.add(core)
  }

  deinit { core.close() }

  /// Ends the window. Returns once the terminal has accepted the removal of its content; nothing shows in it again.
  /// Its toasts are dismissed, and ``insets`` end.
  ///
  /// A full-screen program must close its window before it leaves the alternate screen, or a banner could be painted on the shell's screen.
  /// Other programs need not call this: a released window closes itself, and an inline window also closes at `exit(3)`.
  public func close() { core.close() }

  private static let currentWindow = Mutex<TerminalWindow?>(nil)

  /// The default window: an inline one on standard output, unless the program has set another.
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
      // Release the old window outside the lock: this may deinitialize it.
      _ = currentWindow.withLock { window in
        defer { window = newValue }
        return window
      }
    }
  }

  // MARK: - The banner

  /// Presents a banner, or changes the presented one.
  ///
  ///     window.presentTopBanner { $0.title("Call in progress").backgroundColor(.systemGreen) }
  ///
  /// While the network is offline, the banner of ``startNetworkMonitoring(_:hideDelay:noConnection:restored:)`` replaces this one. Text that is
  /// unreadable on its background (a contrast below 4.5:1) gets another colour.
  ///
  /// - Parameter build: overrides single values of ``BannerAppearance/standard``: grey with white bold text. The closure runs
  ///   before this returns.
  public func presentTopBanner(_ build: (BannerAppearance.Builder) -> Void) {
    let builder = BannerAppearance.Builder()
    build(builder)
    core.presentBanner { _ in builder.appearance }
  }

  /// Presents the last presented banner again; without one, an empty banner.
  public func presentTopBanner() { core.presentBanner { $0 ?? .standard } }

  /// Dismisses the presented banner. The network's own banner is not affected.
  public func dismissTopBanner() { core.dismissBanner() }

  /// Whether the window has a banner, the network's or a custom one. True when ``presentTopBanner(_:)`` returns, false when dismissal has
  /// ended. Also true if the window is too low to show the banner.
  public var isBannerPresented: Bool { core.isBannerPresented }

  /// Shows a banner while the network is offline, and for a moment after its return.
  ///
  /// A loss of less than a quarter of a second shows nothing. If the network is offline already, the banner shows at once. A *limited*
  /// connection, on which nothing is answered or nothing leaves this machine, shows ``BannerAppearance/limited``. Another call changes the
  /// monitor, the appearances and the delay.
  ///
  /// - Parameters:
  ///   - monitor: the monitor whose paths count; an idle one is started, and it goes on after ``stopNetworkMonitoring()``. With nil, one
  ///     `NWPathMonitor()` serves all windows of the process.
  ///   - hideDelay: the time for which `restored` stays.
  ///   - noConnection: the banner while there is no usable route. The cause follows its title if there is room.
  ///   - restored: the banner after a usable route has returned.
  public func startNetworkMonitoring(
    _ monitor: NWPathMonitor? = nil, hideDelay: Duration = .seconds(2), noConnection: BannerAppearance = .offline,
    restored: BannerAppearance = .restored
  ) {
    core.monitorNetwork(
      monitor.map { NetworkFeed($0) }, hideDelay: hideDelay, noConnection: noConnection, restored: restored)
  }

  /// Shows a banner while one of some networks cannot be reached: for a program that needs an office's network or a VPN, and not the
  /// internet.
  ///
  /// - Parameters:
  ///   - targets: the networks, at most `PathTarget.maximumTargetCount`.
  ///   - hideDelay: the time for which `restored` stays.
  ///   - noConnection: the banner while a network is missing. The first missing one follows its title if there is room.
  ///   - restored: the banner after all have returned.
  public func startNetworkMonitoring(
    targets: [PathTarget], hideDelay: Duration = .seconds(2), noConnection: BannerAppearance = .offline,
    restored: BannerAppearance = .restored
  ) {
    core.monitorNetwork(
      core.paths.feed(of: targets), hideDelay: hideDelay, noConnection: noConnection, restored: restored)
  }

  /// Dismisses the network's banner, and shows none from now on. Custom banners and toasts are not affected.
  public func stopNetworkMonitoring() { core.endMonitoring() }

  /// The old name of ``startNetworkMonitoring(_:hideDelay:noConnection:restored:)``.
  @available(*, deprecated, renamed: "startNetworkMonitoring(hideDelay:noConnection:restored:)")
  public func networkMonitoring(
    hideDelay: Duration = .seconds(2), noConnection: BannerAppearance = .offline, restored: BannerAppearance = .restored
  ) {
    startNetworkMonitoring(hideDelay: hideDelay, noConnection: noConnection, restored: restored)
  }

  // MARK: - Pause

  /// Hands the whole terminal to the body: to a pager, an editor or a password prompt.
  ///
  ///     await window.suspend { edit(file) }
  ///
  /// The window removes its content before the body runs, paints nothing meanwhile, and paints what is current afterwards. Banners and toasts
  /// go on: a toast may end unseen. A full-screen program leaves its alternate screen in the body. Calls may nest. While the terminal accepts
  /// no output (Ctrl-S), the body waits.
  ///
  /// - Parameters:
  ///   - isolation: the actor that the body runs on, by default the caller's.
  ///   - body: the work that needs the terminal.
  /// - Returns: the body's result.
  /// - Throws: the body's error.
  public func suspend<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    await core.suspend()
    defer { core.resume() }
    return try await body()
  }

  // MARK: - Alerts

  /// Asks a question, and returns the user's answer.
  ///
  ///     if await window.alert("Overwrite the file?", buttons: ["Overwrite", "Cancel"]) == .button(0) { … }
  ///
  /// Until then the alert receives the keys: arrows, Tab and Return choose, digits press a button at once, Escape dismisses. Keys of the first
  /// half second are dropped, since they were meant for the program; each further key within half a second after a dropped one, or after one
  /// without a meaning here, is dropped too. The window reads them from its own terminal, whatever standard input is; the
  /// program must not read that terminal meanwhile. The alert has rows of
  /// its own, as a banner. Several alerts show one after the other.
  ///
  /// - Parameters:
  ///   - title: the question.
  ///   - message: further text.
  ///   - rows: custom content, at most 8 rows, in place of the message: an overlay of the program's own, with buttons that work.
  ///   - buttons: 1 to 8; the first has the focus.
  ///   - level: a toast of a lower level waits behind the alert; any other shows above it.
  /// - Returns: the index of the pressed button, or why there is none.
  public func alert(
    _ title: String, message: String? = nil, rows: [[StyledText]] = [], buttons: [String] = ["OK"],
    level: OverlayLevel = .alert
  ) async -> AlertAnswer<Int> {
    let buttons = buttons.enumerated().map { AlertButton($1, value: $0) }
    return await alert(title, message: message, rows: rows, buttons: buttons, level: level)
  }

  /// Asks a question, and returns the value of the pressed button.
  ///
  ///     let answer = await window.alert(
  ///       "Overwrite the file?",
  ///       buttons: [.init("Overwrite", role: .destructive, value: true), .init("Keep", role: .cancel, value: false)])
  ///
  /// Like ``alert(_:message:rows:buttons:level:)-(_,_,_,[String],_)``, with buttons that have values and roles.
  public func alert<Value>(
    _ title: String, message: String? = nil, rows: [[StyledText]] = [], buttons: [AlertButton<Value>],
    level: OverlayLevel = .alert
  ) async -> AlertAnswer<Value> {
    precondition((1...Alert.buttonLimit).contains(buttons.count), "an alert has 1 to \(Alert.buttonLimit) buttons")
    let alert = Alert(title: title, message: message ?? "", buttons: buttons, level: level, rows: rows)
    switch await core.ask(alert) {
    case .button(let number): return .button(buttons[number].value)
    case .dismissed: return .dismissed
    case .impossible: return .impossible
    }
  }

  // MARK: - Layout

  /// The rows that the program must leave free: the current ones, then each change. Any number of consumers.
  ///
  ///     for await inset in window.insets { layout(below: inset.top) }
  ///
  /// A busy consumer receives only the newest. The insets change once when a banner or a toast appears, after its rows are painted, and
  /// once when it has gone, after its rows are blank. The sequence ends with the window, which it does not retain.
  public var insets: Updates<TerminalInsets> {
    Updates { [weak core] in core?.insets.listen() ?? AsyncStream { $0.finish() } }
  }

  /// The area in which the program may draw: the screen without ``insets``.
  ///
  /// Queries the terminal for its size. A terminal of unknown size counts as 24 rows of 80 columns.
  public var contentRect: TerminalRect { core.contentRect }

  /// The area in which the program may draw: ``contentRect`` now, then after each change of the insets and of the terminal's size.
  ///
  ///     Task { for await rect in window.contentRects { draw(in: rect) } }
  ///
  /// Like ``insets`` otherwise. While a task iterates it, the window reads the terminal's size four times a second. A program that
  /// handles `SIGWINCH` anyway needs only ``insets`` and ``contentRect``, and nothing wakes it up.
  public var contentRects: Updates<TerminalRect> {
    Updates { [weak core] in core?.contentRects() ?? AsyncStream { $0.finish() } }
  }

  /// Repaints the window's content. Call it after a full-screen program has cleared the whole screen, or returned from a shell (`SIGCONT`).
  ///
  /// An inline window repaints by itself.
  public func setNeedsDisplay() { core.lookAgain() }

  /// Sends the current inset to all consumers of ``insets`` again, and repaints the window's content: a layout that missed a change is
  /// computed again.
  public func hardSync() { core.hardSync() }
}

/// A part of a terminal's screen, in cells.
public struct TerminalRect: Hashable, Sendable {
  /// The first row, counted from 1 as terminals do: `ESC [ row ; column H` moves there.
  public var row: Int
  /// The first column, counted from 1.
  public var column: Int
  /// The number of rows.
  public var rows: Int
  /// The number of columns.
  public var columns: Int

  /// Creates a part of a screen.
  public init(row: Int, column: Int, rows: Int, columns: Int) {
    self.row = row
    self.column = column
    self.rows = rows
    self.columns = columns
  }
}
