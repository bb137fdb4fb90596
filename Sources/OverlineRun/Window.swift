package import Overline
package import OverlineSystem

/// A program below a banner, in the terminal that this process was started in.
///
/// One thread owns all state and waits with `poll(2)` for typed input, the program's output, signals, the banner's
/// deadlines and events from other threads. It never waits for one of them alone: a program that does not read and a
/// terminal that accepts no bytes delay only each other.
///
///     var window = try Window(settings: settings, capabilities: capabilities, link: link)  // before any other thread
///     try window.start(["vim", "notes.txt"], environment: environment)
///     let end = window.run()
package struct Window: ~Copyable {
  /// How the program ended.
  package enum End: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// Indices of descriptors in ``ready``.
  enum Place {
    static let typed = 0
    static let printed = 1
    static let terminal = 2
    static let signals = 3
    static let reports = 4
    static let bell = 5
    static let timer = 6
    static let count = 7
  }

  let link: WindowLink
  let capabilities: TerminalCapabilities
  var toastInput: ToastInputSettings
  let signals: TakenSignals
  let timer: BootTimer
  var terminal: OuterTerminal
  var session: ProgramSession?
  var ready: PollSet
  var buffer: ReadBuffer

  var machine: BannerMachine
  var output: OutputRewriter
  var input = InputRewriter()
  var toTerminal = Outflow()
  var toProgram = Outflow()
  var size: WindowSize

  var toasts: ToastMachine
  var alerts = AlertMachine()

  /// The presentation on the screen; empty while the window is hidden.
  var shown = Presentation()
  /// The rows above the program's as last drawn, and the boxes.
  var bannerRows = BannerRows()
  var overlays = PlacedOverlays()
  /// True while the window has turned the mouse on.
  var isMouseOn = false
  /// The terminal's row, from 0, in which the mouse pressed a toast.
  var dragStart = 0
  /// True while toast and alert have rows of their own, since it is unknown what they would cover.
  var isInset = false
  /// True when the program has had time to draw what is below them.
  var isRedrawOverdue = false
  var inquiry = CursorInquiry.none
  /// How long the program's output waits for the terminal's answer.
  var cursorTimeout = Duration.milliseconds(200)
  /// The program's size is set once the screen has made room for the new rows.
  var isSizeDue = false
  /// The terminal has another size, and the program is in the middle of a sequence.
  var isResizeDue = false
  /// The banner could not be put back after the last output.
  var isBatchHeld = false
  var needsRepaint = false
  var deadlines = Deadlines()
  /// Whether the last wait also polled for output.
  var waitsForOutput = false
  var armed: Duration?
  /// True when input was read in this turn.
  var hasInput = false
  var status = WindowStatus()

  /// The shell is about to get the terminal.
  var isLeaving = false
  /// This process stopped itself: the SIGCONT is already accounted for.
  var knowsItContinued = false
  var ending = Ending()

  /// - Parameters:
  ///   - settings: the banner's settings.
  ///   - toasts: the toasts' settings.
  ///   - toastInput: keyboard and mouse settings of toasts.
  ///   - capabilities: the terminal's capabilities.
  ///   - link: connects the window to the path watcher and to observers.
  package init(
    settings: BannerSettings, toasts: ToastSettings = ToastSettings(),
    toastInput: ToastInputSettings = ToastInputSettings(), capabilities: TerminalCapabilities,
    link: WindowLink
  ) throws(SystemError) {
    let signals = try TakenSignals(
      Signal.ending + [.interrupt, .quit, .terminalStop, .terminalOutput, .continued, .windowSizeChanged])
    let timer = try BootTimer()
    // While the shell is in front, the modes are the shell's own.
    OuterTerminal.waitForForeground(hasProgram: false)
    let terminal = try OuterTerminal()
    self.signals = signals
    self.timer = timer
    self.link = link
    self.capabilities = capabilities
    self.toastInput = toastInput
    size = terminal.size ?? WindowSize(rows: 0, columns: 0)
    self.terminal = terminal
    ready = PollSet(count: Place.count)
    buffer = ReadBuffer(size: 64 * 1024)
    output = OutputRewriter(rows: size.rows, columns: size.columns)
    let traits = WindowTraits(
      rows: size.rows, columns: size.columns, colors: capabilities.colors, reducesMotion: capabilities.isAccessible)
    machine = BannerMachine(settings: settings, window: traits)
    self.toasts = ToastMachine(settings: toasts, window: traits)
  }

  /// Starts the program.
  ///
  /// - Parameter event: the network's state so far. Its banner is on the screen before the program starts, which so has its
  ///   final size from the beginning: a program that reads its size once, or handles `SIGWINCH` late, would miss a change
  ///   in its first milliseconds.
  /// - Returns: the signal that ended the window before the program started; nil when the program runs.
  /// - Throws: the reason why the program did not start; the terminal is as it was.
  package mutating func start(
    _ arguments: [PlatformString], environment: [PlatformString], after event: BannerEvent? = nil
  ) throws(ProgramSession.StartError) -> Signal? {
    if let event { presentBeforeStart(event) }
    if let signal = ending.signal {
      leaveTerminal()
      return signal
    }
    do throws(ProgramSession.StartError) {
      // A redirected standard error stays redirected.
      session = try ProgramSession(
        arguments, environment: environment, standardError: OwnTerminal.isSame(0, 2) ? nil : 2, modes: terminal.modes,
        size: programSize, signals: signals)
    } catch {
      leaveTerminal()
      throw error
    }
    terminal.makeRaw()
    // The size may have changed before the signal was handled.
    if terminal.size != size { resizeNow() }
    return nil
  }

  /// The rows that the program does without.
  var insetRows: Int { output.isShown ? output.rows - output.programRows : 0 }

  /// The current size of the program's terminal.
  var programSize: WindowSize { size.removing(rows: insetRows) }
}

/// The state of the question where the terminal's cursor is.
enum CursorInquiry: Hashable {
  case none
  /// To show a banner, or put it back, on a terminal of this size.
  case forBanner(WindowSize)
  /// After the terminal changed to this size and moved its content.
  case forSize(WindowSize)
  /// The terminal did not answer: asking again would delay the output again.
  case failed

  /// True while the program's output waits for the answer, which it would make outdated.
  var isWaiting: Bool {
    switch self {
    case .none, .failed: false
    case .forBanner, .forSize: true
    }
  }
}

/// Near deadlines; nil means none.
struct Deadlines {
  /// End of the program's head start.
  var begin: Duration?
  /// The program has paused long enough to parse its output.
  var settle: Duration?
  /// An incomplete typed sequence is passed on as it is.
  var release: Duration?
  /// A batch of output has lasted long enough for the banner to show again.
  var batch: Duration?
  /// The terminal's size has settled, or has changed for long enough.
  var resize: Duration?
  var firstResize: Duration?
  /// The terminal did not report its cursor in time.
  var cursor: Duration?
  /// The program did not draw what is below a box in time.
  var redraw: Duration?
  /// Checks whether a program without helper has ended too.
  var look: Duration?
  /// The end of waiting for the program.
  var end: Duration?

  var next: Duration? {
    [begin, settle, release, batch, resize, cursor, redraw, look, end].compactMap { $0 }.min()
  }
}

/// The progress of the window's end.
struct Ending {
  /// The program's end; nil while it runs.
  var program: Window.End?
  /// The signal that asked this process to end.
  var signal: Signal?
  /// Upper bound of the program's output that was not read before its end.
  var unread = 0
  var isTerminalGone = false
  /// No process has the program's terminal open any more.
  var isOutputGone = false
  /// The helper is gone, and with it the report of the program's end.
  var isLost = false
}
