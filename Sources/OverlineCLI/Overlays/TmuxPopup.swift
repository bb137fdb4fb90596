internal import Overline
internal import OverlineSystem
internal import OverlineTmux

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
  static func ask(_ alert: Alert) -> Outcome {
    guard let server = ProcessEnvironment["TMUX"].flatMap({ TmuxServer(environment: $0) }),
      (try? server.checkOwner()) != nil
    else { return .notShown }
    let prompt = [
      ProcessEnvironment.executable, PlainCommands.promptVerb, "\(ProcessEnvironment.processID)", alert.title,
      alert.message,
    ]
    let size = AlertDialog.size(of: alert)
    // From tmux 3.3 on the popup has no border of its own. tmux limits the popup to its window's size.
    for border in [0, 2] {
      let arguments =
        ["display-popup", "-E"] + (border == 0 ? ["-B"] : [])
        + ["-w", "\(size.columns + border)", "-h", "\(size.rows + border)", "--"]
        + (prompt + alert.buttons).map(argument)
      // No time limit for the user.
      guard let result = try? Subprocess.run("tmux", arguments, timeout: .seconds(1 << 40)) else { return .notShown }
      switch result.status {
      case firstButton..<dismissed: return .answered(Int(result.status - firstButton))
      case dismissed, closed: return .answered(nil)
      default: if !result.errorText.contains("flag") && !result.errorText.contains("usage") { return .notShown }
      }
    }
    return .notShown
  }

  /// Escapes an argument. tmux ends the command at an argument's final semicolon unless a backslash precedes it.
  private static func argument(_ text: String) -> String {
    text.hasSuffix(";") ? text.dropLast() + "\\;" : text
  }

  /// Runs inside the popup. The arguments are the asking process, title, message and buttons.
  static func runPrompt(_ arguments: [String]) -> Never {
    guard arguments.count > 3, let asker = Int32(arguments[0]) else { exitProcess(ExitStatus.usage.rawValue) }
    let alert = Alert(title: arguments[1], message: arguments[2], buttons: Array(arguments.dropFirst(3)))
    do {
      let button = try AlertPrompt(alert, asker: asker).ask()
      exitProcess(button.map { firstButton + Int32($0) } ?? dismissed)
    } catch {
      exitProcess(report(error).rawValue)
    }
  }
}
