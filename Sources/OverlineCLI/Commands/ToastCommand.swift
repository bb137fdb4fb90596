internal import ArgumentParser
internal import Overline
internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

struct ToastCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "toast",
    abstract: "Show a short message that disappears on its own.",
    discussion: """
      The toast shows above the program in the window that this is called in; inside tmux, in tmux; otherwise in the window used last, \
      or else in tmux. Without a window and an attached tmux client it is a line on standard error. It never takes the keyboard.

      A toast replaces an earlier one of the same --key. With --duration 0 it stays until it is replaced, until the process of --while \
      ends, or until --dismiss, which dismisses the toast in front, or the one of --key.
      """)

  @Argument(help: "The title; quote it when it has spaces.")
  var title: String?

  @Argument(help: .hidden)
  var rest: [String] = []

  @Flag(help: "Dismiss a toast instead of posting one.")
  var dismiss = false

  @Option(help: ArgumentHelp("Details below the title, at most three rows.", valueName: "text"))
  var message: String?

  @Option(help: ArgumentHelp("The style. Default: info.", valueName: "style"))
  var style: ToastStyle?

  @Option(
    help: ArgumentHelp(
      "How long it shows: 5 (seconds) or 1m, at least 3; 0 until dismissed. Default: as configured.",
      valueName: "duration"),
    transform: OverlineCLI.duration)
  var duration: Duration?

  @Option(help: ArgumentHelp("The edge of the screen. Default: as configured.", valueName: "edge"))
  var edge: ToastEdge?

  @Option(help: ArgumentHelp("The subject: a later toast with the same key replaces it.", valueName: "key"))
  var key: String?

  @OptionGroup var owner: OwnerOptions
  @OptionGroup var options: CommonOptions

  func validate() throws {
    try refuse(rest)
    if dismiss {
      guard title == nil, message == nil, style == nil, duration == nil, edge == nil, owner.process == nil else {
        throw ValidationError("--dismiss takes only --key")
      }
    } else if title == nil {
      throw ValidationError("Missing expected argument '<title>'")
    }
    let maximum = ToastRequest.maximumDuration
    if duration ?? .zero > maximum {
      throw ValidationError(
        "--duration takes at most \(maximum.components.seconds) seconds, a year; 0 is until it is dismissed")
    }
  }

  func run() throws {
    try finish { try dismiss ? dismissToast() : post() }
  }

  private func post() throws -> ExitStatus {
    if let duration, duration > .zero, duration < ToastContent.minimumDuration, !options.quiet {
      Output.warn(
        "a toast stays for \(ToastContent.minimumDuration.components.seconds) seconds at least, and so does this one")
    }
    let recipients = Recipients(options: options)
    let toast = ToastRequest(
      title: title ?? "", message: message ?? "", style: style ?? .info,
      // A duration below a millisecond must not become 0, since 0 means no limit.
      duration: duration.map { .milliseconds($0.wholeMilliseconds) }, edge: edge, key: key,
      owner: OverlayOwner(process: owner.process), tmux: recipients.tmux)
    let request = try checked(.toast(toast))
    let answers = try recipients.answers(to: request) { !$0.isUnseen }
    if let answer = answers.last {
      for unseen in answers.dropLast() { withdraw(unseen) }
      let status = try expectSuccess(answer.response)
      sayPause(answer.response, "the toast was not shown", options: options)
      // The last toast with this key may show at an earlier recipient.
      if let key {
        _ = try? recipients.answers(to: .dismissToast(.key(key)), except: answer.socket, until: { $0.hasDismissed })
      }
      if answer.response.isUnseen { writeLine(request) }
      return status
    }
    if options.socket != nil { return try recipients.expectSuccess(of: request) }
    try owner.checkProcess()
    writeLine(request)
    return .success
  }

  /// Prints a valid toast when no screen shows it.
  private func writeLine(_ request: ObserverRequest) {
    guard case .toast(let toast) = request, !options.quiet else { return }
    let announcement = toast.content(duration: nil, edge: .top).announcement
    try? writeAll(Array("\(TerminalText.sanitized(announcement))\n".utf8), to: 2)
  }

  /// Withdraws a toast from a recipient without a screen, since a later recipient shows it.
  private func withdraw(_ unseen: Recipients.Answer) {
    guard case .ok(let data) = unseen.response, let id = data?["id"]?.integer,
      var client = try? ObserverClient(path: unseen.socket)
    else { return }
    _ = try? client.request(.dismissToast(.id(ToastID(rawValue: id))))
  }

  /// Dismisses the toast at the first recipient that has it. It is not an error if the toast has already ended.
  private func dismissToast() throws -> ExitStatus {
    let recipients = Recipients(options: options)
    let request = try checked(.dismissToast(key.map { .key($0) } ?? .front(tmux: recipients.tmux)))
    return try recipients.expectSuccess(of: request, until: { $0.hasDismissed })
  }
}
