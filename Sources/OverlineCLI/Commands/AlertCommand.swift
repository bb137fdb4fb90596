internal import ArgumentParser
internal import Overline
internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

struct AlertCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "alert",
    abstract: "Ask a modal question.",
    discussion: """
      Exits with 0 for the first button, with 1 to 7 for the others, with 130 when dismissed, and with 64 or more after an error:

        overline alert "Deploy to production?" --button Deploy --button Cancel && deploy

      Asks in the window that it is called in, in a popup inside tmux, and otherwise on the terminal, below the cursor. Without --button \
      there is one button, OK.
      """)

  @Argument(help: "The question.")
  var title: String

  @Option(help: ArgumentHelp("Details.", valueName: "text"))
  var message: String = ""

  @Option(
    name: .customLong("button"),
    help: ArgumentHelp("A button; repeat the option for each, at most 8.", valueName: "title"))
  var buttons: [String] = []

  /// Words that the user intended as buttons, or the rest of a question without quotes.
  @Argument(help: .hidden)
  var rest: [String] = []

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if rest.isEmpty { return }
    let written = rest.map { "--button \(Self.quoted($0))" }.joined(separator: " ")
    throw ValidationError(
      "the question must be one argument, in quotes, and each answer an option of its own: \(written)")
  }

  /// The word, quoted for a shell.
  private static func quoted(_ word: String) -> String {
    let text = TerminalText.sanitized(String(word.prefix(64)))
    if text.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }), !text.isEmpty { return text }
    return "'\(text.replacing("'", with: "'\\''"))'"
  }

  /// The status that shells report for an interrupted program.
  private static let dismissed: Int32 = 130

  func run() throws {
    let status: Int32
    do {
      status = try ask().map { Int32($0) } ?? Self.dismissed
    } catch {
      let failure = report(error)
      // Statuses below 64 are answers.
      status = failure.rawValue < 64 ? ExitStatus.alertFailure.rawValue : failure.rawValue
    }
    throw ExitCode(status)
  }

  private func ask() throws -> Int? {
    let request = try checked(
      .alert(Alert(title: title, message: message, buttons: buttons.isEmpty ? ["OK"] : buttons)))
    guard case .alert(let alert) = request else { return nil }
    var refusal: String?
    if let socket = options.socket ?? Recipients.window {
      switch try answer(to: request, at: socket) {
      case .ok(let data): return data?["button"]?.integer
      case .failure(let message, ProtocolError.Code.noRoom.rawValue): refusal = message
      case .failure(let message, let code):
        try expectSuccess(.failure(message: message, code: code))
      case nil: break
      }
    }
    switch TmuxPopup.ask(alert, options) {
    case .answered(let button): return button
    // There is no tmux, no attached client, or no popup, or tmux belongs to another user. So ask on the terminal.
    case .notShown: return try AlertPrompt(alert, options).ask(insteadOf: refusal)
    }
  }

  /// Nil if that window has ended.
  private func answer(to request: ObserverRequest, at socket: String) throws -> ObserverResponse? {
    do throws(ObserverSocketError) {
      var client = try ObserverClient(path: socket)
      // The wait for the user's answer has no limit, and a stopped window shows no question.
      _ = try client.request(.status())
      return try client.request(request)
    } catch {
      guard error.code == .noMonitor, options.socket == nil else { throw error }
      return nil
    }
  }
}
