package import Overline
package import OverlineCore
package import OverlineProcess
package import OverlineSystem

/// Runs a program below a banner, in the terminal that this process was started in. ``WindowPump`` carries bytes and facts, and
/// ``WindowMachine`` decides.
///
///     var window = try Window(settings: settings, capabilities: capabilities, link: link)  // before any other thread
///     try window.start(["vim", "notes.txt"], environment: environment)
///     let end = window.run()
package struct Window: ~Copyable {
  private var pump: WindowPump<SystemPort>

  /// - Parameters:
  ///   - settings: the banner's settings.
  ///   - toasts: the toasts' settings.
  ///   - toastInput: keyboard and mouse settings of toasts.
  ///   - programNotice: the time after which the window shows that its program has no answer; zero for never.
  ///   - programLag: the round trip from which on it shows that its program's connection is slow; zero for never.
  ///   - capabilities: the terminal's capabilities.
  ///   - link: connects the window to the path watcher and to observers.
  package init(
    settings: BannerSettings, toasts: ToastSettings = ToastSettings(),
    toastInput: ToastInputSettings = ToastInputSettings(), programNotice: Duration = .zero,
    programLag: Duration = .zero,
    capabilities: TerminalCapabilities, link: WindowLink
  ) throws(SystemError) {
    let port = try SystemPort(link: link)
    let display = DisplayMachine(
      banner: settings, toasts: toasts, toastInput: toastInput, size: port.terminalSize, capabilities: capabilities,
      leadsSession: port.leadsSession)
    pump = WindowPump(WindowMachine(display, programNotice: programNotice, programLag: programLag), port: port)
  }

  /// Starts the program.
  ///
  /// - Parameter requests: what the window knows of the network. Its banner is on the screen before the program starts.
  /// - Returns: the signal that ended the window before the program started; nil when the program runs.
  /// - Throws: the reason why the program did not start. The terminal is then restored.
  package mutating func start(
    _ arguments: [PlatformString], environment: [PlatformString], after requests: [WindowRequest] = []
  ) throws(ProgramSession.StartError) -> Signal? {
    pump.deliver(.opened(requests))
    while pump.machine.phase != .ready, !hasEnded { pump.turn() }
    if let signal = pump.machine.terminatingSignal {
      pump.port.restoreTerminal()
      return Signal(rawValue: signal)
    }
    do throws(ProgramSession.StartError) {
      try pump.port.start(arguments, environment: environment, size: pump.machine.programSize)
    } catch {
      pump.deliver(.programFailed)
      while !hasEnded { pump.turn() }
      pump.port.restoreTerminal()
      throw error
    }
    let name = arguments.first?.description.split(separator: "/").last.map(String.init)
    pump.deliver(.programStarted(title: pump.port.leadsSession ? name : nil))
    // The size may have changed before the signal was handled.
    pump.noteSize()
    return nil
  }

  /// Serves the program until its end, then restores the terminal.
  package consuming func run() -> WindowEnd {
    while true {
      if case .over(let end) = pump.machine.phase {
        pump.port.restoreTerminal()
        if pump.machine.reapsHelper { pump.port.reapHelper() }
        return end
      }
      pump.turn()
    }
  }

  private var hasEnded: Bool { if case .over = pump.machine.phase { true } else { false } }
}
