internal import Dispatch
internal import NetworkPath
internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem

/// A program in a self-contained window: this process watches the network and serves the window's observers.
enum RunWindow {
  /// Ends this process with the program's status. If no window can be made, this process becomes the program, so that a terminal with
  /// `overline run` as its shell stays usable. It reports errors, and if verbose also other reasons.
  ///
  /// - Parameters:
  ///   - command: empty for a shell.
  ///   - shell: that shell.
  static func run(
    _ command: [PlatformString], shell: LoginShell, isVerbose: Bool = false, options: CommonOptions
  ) throws -> Never {
    // With a program, an unusable file that the user named is an error to correct. A login shell must start anyway.
    var options = options
    // The window's working directory follows the program's.
    options.config = options.config.map(Files.absolute)
    let keeper = try ConfigurationKeeper(options, orDefaults: command.isEmpty || options.config == nil)
    let aside = PassthroughReason(
      environment: { LoginShell.isDeclined($0) ? nil : ProcessEnvironment[$0] },
      isOneTerminal: OwnTerminal.isSame(0, 1), size: WindowSize(of: 0).map(TerminalSize.init),
      banner: keeper.current.banner.offline, isWindowsTerminal: isWindowsTerminal)
    if let aside {
      // Without the line a shell in the shell would be all that the user sees.
      if aside == .insideTmux, command.isEmpty, isTyped, !isVerbose, !options.quiet { Output.warn(wayInTmux) }
      become(
        command, shell: shell, because: aside.description, aside, isQuiet: options.quiet,
        isReasonTold: isVerbose)
    }
    ResourceLimits.limitMallocArenas()
    do {
      try runInWindow(command, shell: shell, keeper, isVerbose: isVerbose, options: options)
    } catch {
      become(command, shell: shell, because: error.description, nil, isQuiet: options.quiet, isReasonTold: true)
    }
  }

  /// The helper, the program, and five threads: Dispatch's manager and one for each queue, the path watcher's and the monitor follower's.
  private static let threads = 7
  /// A window that follows a monitor has 36 with its standard ones. The others are for observers.
  private static let descriptors = 40

  /// Whether a user has typed this command. A profile, a startup file or tmux's `default-command` that runs it stays silent in tmux. If a
  /// `run` has started this shell, a startup file may run the command again.
  private static var isTyped: Bool {
    OwnTerminal.leadsJob && OwnTerminal.isSame(0, 1) && ProcessEnvironment[LoginShell.variable] == nil
  }

  /// Whether a window's helper leads this session.
  private static var isWindowsTerminal: Bool {
    let leader = OwnTerminal.sessionLeader
    return leader != ProcessEnvironment.processID && ProcessStatus(of: leader)?.name == ProgramSession.leaderName
  }

  private static var wayInTmux: String {
    let plugin = InstalledFile.path("overline.tmux", of: ProcessEnvironment.executable) ?? "overline.tmux"
    return "no window inside tmux; `overline tmux attach` shows the banner in its status line, "
      + "and `run-shell \(plugin)` in .tmux.conf does so in every tmux"
  }

  /// - Throws: the reason why no window can be made. The terminal is as before.
  private static func runInWindow(
    _ command: [PlatformString], shell: LoginShell, _ keeper: ConfigurationKeeper, isVerbose: Bool,
    options: CommonOptions
  ) throws(SystemError) -> Never {
    let configuration = keeper.current
    let observers = WindowService()
    try ResourceLimits.checkRoom(threads: threads, descriptors: descriptors)
    let link = try WindowLink(onInput: { observers.noteInput() })
    var window = try Window(
      settings: configuration.banner, toasts: configuration.toastSettings, toastInput: configuration.toast.input,
      programNotice: configuration.answers.program, programLag: configuration.answers.lag,
      capabilities: options.capabilities(isTerminal: true), link: link)
    let settings = WindowController(keeper, link: link, observers: observers)
    // Listen first: the program may connect at once.
    do { try observers.listen(link, defaults: configuration.toast, settings: settings) } catch {
      if isVerbose { Output.warn("\(error); going on without a socket") }
    }
    // Query before the start, so that the program starts in its final size. The query takes a few milliseconds. If it fails, the path is
    // unknown.
    let monitor = RunningMonitor(options)
    let word = monitor?.word(configuration.path)
    let path = try? NWPath.current(options: configuration.path, word: word)
    var known = [settings.pause(), path.map { WindowRequest.network($0) }].compactMap(\.self)
    if let reason = path?.troubleReason(), reason == monitor?.dismissedReason {
      known.append(.overlay(.banner(.troubleDismissedElsewhere)))
    }
    if let path { observers.begin(with: path) }
    try observers.follow(link) { settings.watch(after: path, monitor: monitor, word: word) }
    let own = [PassthroughReason.socketVariable, PassthroughReason.windowVariable, LoginShell.variable].map { "\($0)=" }
    var environment = ProcessEnvironment.all.filter { one in !own.contains { one.hasPrefix($0) } }
    environment.append("\(PassthroughReason.windowVariable)=\(ProcessEnvironment.processID)")
    if let socket = observers.socket { environment.append("\(PassthroughReason.socketVariable)=\(socket)") }
    do throws(ProgramSession.StartError) {
      let signal = try window.start(
        command.isEmpty ? shell.command : command,
        environment: environment,
        after: known)
      if let signal {
        observers.close()
        Job.die(of: signal.rawValue)
      }
    } catch {
      observers.close()
      switch error {
      case .program(let name, let error): exitProcess(failure(error, "\(name)"))
      case .session(let error): throw error
      }
    }
    let end = window.run()
    observers.close()
    switch end {
    case .exited(let status): exitProcess(status)
    case .killed(let signal): Job.die(of: signal)
    }
  }

  /// Becomes the program.
  private static func become(
    _ command: [PlatformString], shell: LoginShell, because reason: String, _ aside: PassthroughReason?, isQuiet: Bool,
    isReasonTold: Bool
  ) -> Never {
    let isInside = aside == .insideWindow
    // Inside a window, that window is also the program's window, so its variable stays.
    let removed = isInside ? [] : [PassthroughReason.socketVariable]
    // The shell's startup file may have run this command. A file of an installation names the shell, and does nothing with the variable
    // below.
    let isPlain =
      command.isEmpty && (isInside && !shell.isNamed || ProcessEnvironment[LoginShell.variable] != nil)
    var program = command.isEmpty ? shell.command : command
    if isPlain {
      program = shell.plain
      if !isQuiet {
        Output.warn(
          "no window: \(reason); starting \(program[0]) without its startup files, since one of them may run this command"
        )
      }
    } else if isReasonTold {
      Output.warn("no window: \(reason)")
    }
    // The guide's line in a startup file then runs this command no more, and the shell reads the whole file.
    let value = aside == .notWanted ? PassthroughReason.declined : LoginShell.noWindow
    let added: [(name: String, value: String)] =
      if isPlain {
        [(LoginShell.variable, value + LoginShell.plainMark), LoginShell.noStartupFile]
      } else if command.isEmpty {
        [(LoginShell.variable, value), (PassthroughReason.windowVariable, PassthroughReason.declined)]
      } else {
        []
      }
    let error = ProcessEnvironment.become(program, without: removed, with: added)
    exitProcess(failure(error, "\(program[0])"))
  }

  /// Reports the error and returns the exit status that shells use.
  private static func failure(_ error: SystemError, _ name: String) -> Int32 {
    guard error.isNoSuchFile else {
      Output.warn("\(name): \(error.reason)")
      return 126
    }
    Output.warn(name.contains("/") ? "\(name): \(error.reason)" : "\(name): command not found")
    return 127
  }
}
