internal import ArgumentParser
internal import ObserverProtocol
internal import ObserverSocket

struct BannerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "banner",
    abstract: "Present a banner for anything, or dismiss the one that shows.",
    subcommands: [Present.self, Dismiss.self])

  struct Present: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Present a banner until it is dismissed. While the network is away, that banner is in front.")

    @Argument(help: "What it says.")
    var title: String

    @Option(help: ArgumentHelp("\"#rrggbb\" or a terminal colour's name.", valueName: "colour"))
    var background: String?

    @Option(help: ArgumentHelp("The text's colour.", valueName: "colour"))
    var text: String?

    @Option(help: ArgumentHelp("Rows, 1 to 8.", valueName: "rows"))
    var height: Int?

    @OptionGroup var options: CommonOptions

    func run() throws {
      try finish {
        try ask(
          .present(.init(title: title, background: background, text: text, height: height)), options: options)
      }
    }
  }

  struct Dismiss: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Dismiss the banner in front. That of a lost network returns at the next loss.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try finish { try ask(.dismiss, options: options) }
    }
  }
}

/// Asks the monitor, which must be there.
func response(to request: ObserverRequest, options: CommonOptions) throws -> ObserverResponse {
  var client = try ObserverClient(path: options.socketPath())
  return try client.request(request)
}

/// Asks for something that has no answer but its success.
func ask(_ request: ObserverRequest, options: CommonOptions) throws -> ExitStatus {
  try expectSuccess(response(to: request, options: options))
}

/// Turns a refusal into an error that says why.
@discardableResult
func expectSuccess(_ response: ObserverResponse) throws -> ExitStatus {
  switch response {
  case .ok: return .success
  case .failure(let message, let code):
    throw CommandError(message, status: code.hasPrefix("bad-") || code == "missing-field" ? .usage : .failure)
  }
}
