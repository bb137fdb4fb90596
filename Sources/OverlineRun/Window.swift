package import Overline
package import OverlineSystem

/// A program below a banner, in the terminal that this process was started in.
///
/// One thread owns everything of it and waits with `poll(2)`: what is typed, what the program prints, signals, the banner's deadlines
/// and events from elsewhere. It never waits for one of them alone: a program that does not read and a terminal that does not take
/// anything hold up nobody but each other.
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

  /// Descriptors by their place in ``ready``.
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

  /// What is on the screen; empty while the window is hidden.
  var shown = Presentation()
  /// The rows above the program's as they were drawn last, and the boxes.
  var bannerRows = BannerRows()
  var overlays = PlacedOverlays()
  /// The window turned the mouse on.
  var isMouseOn = false
  /// The row of the terminal, from 0, in which a toast was pressed.
  var dragStart = 0
  /// Toast and alert have rows of their own, since nobody knows what they would cover.
  var isInset = false
  /// The program has had time to draw what is below them.
  var isRedrawOverdue = false
  var inquiry = CursorInquiry.none
  /// How long what the program prints waits for the terminal's answer.
  var cursorPatience = Duration.milliseconds(200)
  /// The program's rows are to follow once what makes room for them is on the screen.
  var isSizeDue = false
  /// The terminal has another size, and the program is in the middle of something.
  var isResizeDue = false
  /// The banner could not be put back after the last output.
  var isBatchHeld = false
  var needsRepaint = false
  var deadlines = Deadlines()
  /// Whether the last wait also waited for output.
  var waitsForOutput = false
  var armed: Duration?
  /// Something was typed in this turn.
  var hasInput = false
  var status = WindowStatus()

  /// The terminal is about to be given to the shell.
  var isLeaving = false
  /// This process stopped by itself: that it goes on is known already.
  var knowsItContinued = false
  var ending = Ending()

  /// - Parameters:
  ///   - settings: the banner's.
  ///   - toasts: the toasts'.
  ///   - toastInput: what may be done with them beside letting them pass.
  ///   - capabilities: the terminal's.
  ///   - link: to the path's watcher and to observers.
  package init(
    settings: BannerSettings, toasts: ToastSettings = ToastSettings(),
    toastInput: ToastInputSettings = ToastInputSettings(), capabilities: TerminalCapabilities,
    link: WindowLink
  ) throws(SystemError) {
    let signals = try TakenSignals(
      Signal.ending + [.interrupt, .quit, .terminalStop, .terminalOutput, .continued, .windowSizeChanged])
    let timer = try BootTimer()
    // Its modes are the shell's own while that is in front.
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
  /// - Parameter event: what is known of the network by now. A banner that comes of it is on the screen before the program starts, which so
  ///   has its final size from the beginning: a program that reads its size once, or starts to listen for `SIGWINCH` late, would not learn
  ///   of a change in its first milliseconds.
  /// - Returns: the signal that ended the window before the program was started; nil when the program runs.
  /// - Throws: why it was not started; the terminal is as it was.
  package mutating func start(
    _ arguments: [PlatformString], environment: [PlatformString], after event: BannerEvent? = nil
  ) throws(ProgramSession.StartError) -> Signal? {
    if let event { presentBeforeStart(event) }
    if let signal = ending.signal {
      leaveTerminal()
      return signal
    }
    do throws(ProgramSession.StartError) {
      // What was redirected stays so.
      session = try ProgramSession(
        arguments, environment: environment, standardError: OwnTerminal.isSame(0, 2) ? nil : 2, modes: terminal.modes,
        size: programSize, signals: signals)
    } catch {
      leaveTerminal()
      throw error
    }
    terminal.makeRaw()
    // It may have changed before signals were listened to.
    if terminal.size != size { resizeNow() }
    return nil
  }

  /// The rows that the program goes without.
  var insetRows: Int { output.isShown ? output.rows - output.programRows : 0 }

  /// The program's terminal now.
  var programSize: WindowSize { size.removing(rows: insetRows) }
}

/// Whether the terminal was asked where its cursor is.
enum CursorInquiry: Hashable {
  case none
  /// A banner is to be shown, or put back, on a terminal of this size.
  case forBanner(WindowSize)
  /// The terminal has this size now, and has moved what was on it.
  case forSize(WindowSize)
  /// Nobody answered: asking again would hold the output up again.
  case failed

  /// What the program prints waits for the answer: it would be of a moment that has passed.
  var isWaiting: Bool {
    switch self {
    case .none, .failed: false
    case .forBanner, .forSize: true
    }
  }
}

/// When something is due in a moment; nil is never.
struct Deadlines {
  /// The program has had time to start.
  var begin: Duration?
  /// The program pauses long enough to read what it printed.
  var settle: Duration?
  /// An incomplete sequence that was typed goes on as it is.
  var release: Duration?
  /// A batch of output has lasted long enough to show the banner again.
  var batch: Duration?
  /// The terminal has its new size for good, or for long enough.
  var resize: Duration?
  var firstResize: Duration?
  /// The terminal does not say where its cursor is.
  var cursor: Duration?
  /// The program does not draw what is below a box.
  var redraw: Duration?
  /// A program whose helper is gone may be gone too.
  var look: Duration?
  /// The program is not waited for any longer.
  var end: Duration?

  var next: Duration? {
    [begin, settle, release, batch, resize, cursor, redraw, look, end].compactMap { $0 }.min()
  }
}

/// How far the end has come.
struct Ending {
  /// The program's; nil while it runs.
  var program: Window.End?
  /// The signal that asked this process to end.
  var signal: Signal?
  /// What the program printed before its end and was not read yet, at most.
  var unread = 0
  var isTerminalGone = false
  /// Nobody has the program's terminal open any more.
  var isOutputGone = false
  /// The helper is gone, and with it whoever knows of the program's end.
  var isLost = false
}
