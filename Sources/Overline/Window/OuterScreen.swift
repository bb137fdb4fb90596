internal import Dispatch
internal import OverlineSystem

/// A window or tmux server around this program that shows the network's banner already. It shows this program's banner and toasts too: a
/// second banner would repeat the first.
struct OuterScreen: WindowScreen {
  /// The program `overline`.
  private let executable: String
  private let descriptor: Int32
  let capabilities: TerminalCapabilities
  private let queue = DispatchQueue(label: "overline.outer")

  /// Nil if nothing around this program shows a banner.
  init?(around descriptor: Int32, _ capabilities: TerminalCapabilities) {
    guard let terminal = OwnTerminal.open(), OwnTerminal.isSame(terminal.rawValue, descriptor),
      let executable = Self.executable
    else { return nil }
    self.executable = executable
    self.descriptor = descriptor
    self.capabilities = capabilities
  }

  private static var executable: String? {
    // `overline run` sets both variables; the pid is its own. A window without a socket accepts no requests.
    if ProcessEnvironment["OVERLINE_SOCKET"] != nil,
      let pid = ProcessEnvironment["OVERLINE_WINDOW"].flatMap({ Int32($0) }), Files.exists("/proc/\(pid)/exe")
    {
      return "/proc/\(pid)/exe"
    }
    guard let socket = ProcessEnvironment["TMUX"]?.split(separator: ",").first,
      let servers = try? Subprocess.run("overline", ["tmux", "status"], timeout: .seconds(2)), servers.status == 0,
      servers.outputText.split(separator: "\n").contains(where: { $0.hasPrefix("\(socket) ") })
    else { return nil }
    return "overline"
  }

  var size: WindowSize? { nil }
  var terminalSize: WindowSize? { WindowSize(of: descriptor)?.known }
  var belongsToProcess: Bool { false }

  func show(_ content: WindowContent) {}
  func tell(_ line: String) {}
  func forget() {}
  func close(atExit: Bool) { queue.sync {} }

  func present(_ banner: Appearance?) {
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
    let message = toast.message.isEmpty ? [] : ["--message", toast.message]
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
