internal import Dispatch
internal import OverlineSystem

/// A window or tmux server around this program that shows the network's banner already. It shows this program's banner and toasts too: a
/// second banner would repeat the first.
struct OuterScreen: WindowScreen {
  /// The program `overline`.
  private let executable: String
  private let descriptor: Int32
  let capabilities: TerminalCapabilities
  /// Draws the alerts: the outer program knows neither their levels nor their custom content. Nil if the terminal cannot be drawn on.
  private let alerts: TerminalScreen?
  private let queue = DispatchQueue(label: "overline.outer")

  /// Nil if nothing around this program shows a banner.
  init?(around descriptor: Int32, _ style: TerminalWindow.Style, _ capabilities: TerminalCapabilities) {
    guard let terminal = OwnTerminal.open(), OwnTerminal.isSame(terminal.rawValue, descriptor),
      let executable = Self.executable
    else { return nil }
    self.executable = executable
    self.descriptor = descriptor
    self.capabilities = capabilities
    alerts = capabilities.movesCursor ? TerminalScreen(descriptor, style, capabilities) : nil
  }

  private static var executable: String? {
    // `overline run` sets both variables; the pid is its own. A window without a socket accepts no requests. The variables outlive the window
    // and a change of the user (su): then the pid may be another program's or another user's, which this process must not run.
    if let socket = ProcessEnvironment["OVERLINE_SOCKET"],
      let pid = ProcessEnvironment["OVERLINE_WINDOW"].flatMap({ Int32($0) }), OwnListener.pid(at: socket) == pid
    {
      return "/proc/\(pid)/exe"
    }
    guard let socket = ProcessEnvironment["TMUX"]?.split(separator: ",").first,
      let servers = try? Subprocess.run("overline", ["tmux", "status"], timeout: .seconds(2)), servers.status == 0,
      servers.outputText.split(separator: "\n").contains(where: { $0.hasPrefix("\(socket) ") })
    else { return nil }
    return "overline"
  }

  var size: WindowSize? { alerts?.size }
  var terminalSize: WindowSize? { WindowSize(of: descriptor)?.known }
  var belongsToProcess: Bool { alerts != nil }
  var terminal: Int32? { alerts?.terminal }
  var hasNewSize: Bool { alerts?.hasNewSize ?? false }
  var drawsAlertsOnly: Bool { true }

  func begin(on queue: DispatchQueue, onResize: @escaping @Sendable () -> Void) {
    alerts?.begin(on: queue, onResize: onResize)
  }
  func show(_ content: WindowContent) { alerts?.show(content) }
  func tell(_ line: String) {}
  func forget() { alerts?.forget() }

  func close(atExit: Bool) {
    alerts?.close(atExit: atExit)
    // A program that exits does not wait for the outer one.
    if !atExit { queue.sync {} }
  }

  var canAsk: Bool { alerts?.canAsk ?? false }
  func capture(_ onKeys: (@Sendable ([AlertKey]) -> Void)?) -> Bool { alerts?.capture(onKeys) ?? false }

  func present(_ banner: BannerAppearance?) {
    guard let banner else { return run(["banner", "dismiss"]) }
    run([
      "banner", "present", "--background", "\(banner.backgroundColor)", "--text", "\(banner.textColor)", "--height",
      "\(max(1, min(8, banner.height)))", "--while", "\(ProcessEnvironment.processID)", "--", banner.title,
    ])
  }

  func present(_ toast: ToastContent, key: String) {
    // 0 means no limit, and the command takes at most a year.
    let maximum = Duration.seconds(365 * 86_400)
    let milliseconds = toast.duration.map { $0 > .zero ? max(1, min($0, maximum).wholeMilliseconds) : 0 } ?? 0
    let message = toast.message.map { ["--message", $0] } ?? []
    run(
      ["toast", "--style", toast.style.rawValue, "--edge", toast.edge.rawValue, "--duration", "\(milliseconds)ms"]
        + ["--key", key, "--while", "\(ProcessEnvironment.processID)"] + message + ["--", toast.title])
  }

  func dismissToast(key: String) { run(["toast", "--dismiss", "--key", key]) }

  /// In order, and without delay for the caller.
  private func run(_ arguments: [String]) {
    queue.async { _ = try? Subprocess.run(executable, arguments, timeout: .seconds(5)) }
  }
}
