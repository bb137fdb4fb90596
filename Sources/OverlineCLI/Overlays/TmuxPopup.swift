internal import Overline
internal import OverlineSystem
internal import OverlineTmux

/// A question in a popup of the tmux that this process runs in (tmux(1), `display-popup`): the plain prompt in a box of its own.
enum TmuxPopup {
  enum Outcome: Equatable {
    case answered(Int?)
    case notShown
  }

  /// What the prompt exits with for its first button. tmux itself exits with 1 when it cannot, and with the number of a signal.
  private static let firstButton: Int32 = 200
  private static let dismissed = firstButton + Int32(Alert.buttonLimit)
  /// tmux's own status of a popup that was closed before its program had ended.
  private static let closed: Int32 = 129

  /// Waits for the answer. Nothing is shown in the tmux of another user, as after su: whoever asks is at a terminal all the same.
  static func ask(_ alert: Alert) -> Outcome {
    guard let server = ProcessEnvironment["TMUX"].flatMap({ TmuxServer(environment: $0) }),
      (try? server.checkOwner()) != nil
    else { return .notShown }
    let prompt = [
      ProcessEnvironment.executable, PlainCommands.promptVerb, "\(ProcessEnvironment.processID)", alert.title,
      alert.message,
    ]
    // The border, the lines, and one for what is typed. tmux makes it as small as its window.
    let rows = 5 + alert.buttons.count + (alert.title.count + alert.message.count) / 40
    let arguments =
      ["display-popup", "-E", "-w", "80%", "-h", "\(rows)", "--"] + (prompt + alert.buttons).map(argument)
    // A person takes as long as it takes.
    guard let result = try? Subprocess.run("tmux", arguments, timeout: .seconds(1 << 40)) else { return .notShown }
    switch result.status {
    case firstButton..<dismissed: return .answered(Int(result.status - firstButton))
    case dismissed, closed: return .answered(nil)
    default: return .notShown
    }
  }

  /// As it arrives: to tmux, a semicolon that ends an argument ends the command, unless a backslash stands before it.
  private static func argument(_ text: String) -> String {
    text.hasSuffix(";") ? text.dropLast() + "\\;" : text
  }

  /// The other side: arguments are the process that asks, title, message and buttons.
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
