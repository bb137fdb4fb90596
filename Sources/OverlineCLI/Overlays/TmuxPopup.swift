internal import Overline
internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

/// A question in a popup of the tmux that this process runs in (tmux(1), `display-popup`). The popup is the dialog that a window shows.
enum TmuxPopup {
  enum Outcome: Equatable {
    case answered(Int?)
    case notShown
  }

  /// The prompt's exit status for its first button. Lower numbers may be tmux's own: 1 for a failure, or the number of a signal.
  private static let firstButton: Int32 = 200
  private static let dismissed = firstButton + Int32(Alert.buttonLimit)
  /// tmux's own status for a popup that was closed before its program ended.
  private static let closed: Int32 = 129

  /// Waits for the answer. In another user's tmux, as after su, this shows nothing: the caller can still ask on its terminal.
  ///
  /// - Parameter options: the caller's; the popup has the environment of tmux.
  static func ask(_ alert: Alert, _ options: CommonOptions) -> Outcome {
    guard let server = ProcessEnvironment["TMUX"].flatMap({ TmuxServer(environment: $0) }),
      (try? server.checkOwner()) != nil
    else { return .notShown }
    let manner = Manner(options)
    let prompt = [
      ProcessEnvironment.executable, HiddenVerbs.prompt, "\(ProcessEnvironment.processID)", manner.rawValue,
      alert.title, alert.message,
    ]
    let size = manner.size(of: alert)
    var (width, height) = ("\(size.columns)", "\(size.rows)")
    var border = ["-B"]
    while true {
      let arguments =
        ["display-popup", "-E"] + border + ["-w", width, "-h", height, "--"] + (prompt + alert.buttons).map(argument)
      // No time limit for the user.
      guard let result = try? Subprocess.run("tmux", arguments, timeout: .seconds(1 << 40)) else { return .notShown }
      let errorText = result.errorText
      switch result.status {
      case firstButton..<dismissed: return .answered(Int(result.status - firstButton))
      case dismissed, closed: return .answered(nil)
      // The client is smaller than the dialog.
      case _ where errorText.contains("width too large") && width != "100%": width = "100%"
      case _ where errorText.contains("height too large") && height != "100%": height = "100%"
      // Before 3.3 each popup has a border of its own.
      case _ where (errorText.contains("flag") || errorText.contains("usage")) && !border.isEmpty:
        border = []
        width = "\(size.columns + 2)"
        height = "\(size.rows + 2)"
      default: return .notShown
      }
    }
  }

  /// How to ask, for a process that does not have the caller's environment.
  private enum Manner: String {
    case lines, dialog
    case monochrome = "dialog-without-colors"

    init(_ options: CommonOptions) {
      let capabilities = options.capabilities(isTerminal: true)
      self = !capabilities.movesCursor ? .lines : capabilities.colors == .monochrome ? .monochrome : .dialog
    }

    func size(of alert: Alert) -> WindowSize {
      if self != .lines { return AlertDialog.size(of: alert) }
      // A row for each button, two for the invitation, and the wrapped words.
      let words = alert.title.count + alert.message.count
      return WindowSize(rows: 5 + alert.buttons.count + words / 60, columns: 64)
    }

    var options: CommonOptions {
      var options = CommonOptions.defaults
      options.noColor = self == .monochrome
      return options
    }
  }

  /// Escapes an argument. tmux ends the command at an argument's final semicolon unless a backslash precedes it.
  private static func argument(_ text: String) -> String {
    text.hasSuffix(";") ? text.dropLast() + "\\;" : text
  }

  /// Runs inside the popup. The arguments are the asking process, the manner, title, message and buttons.
  static func runPrompt(_ arguments: [String]) -> Never {
    guard arguments.count > 4, let asker = Int32(arguments[0]), let manner = Manner(rawValue: arguments[1]) else {
      exitProcess(ExitStatus.usage.rawValue)
    }
    let alert = Alert(title: arguments[2], message: arguments[3], buttons: Array(arguments.dropFirst(4)))
    do {
      let button = try AlertPrompt(alert, manner.options, asker: asker, inLines: manner == .lines).ask()
      exitProcess(button.map { firstButton + Int32($0) } ?? dismissed)
    } catch {
      exitProcess(report(error).rawValue)
    }
  }
}
