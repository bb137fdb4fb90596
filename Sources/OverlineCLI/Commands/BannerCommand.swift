internal import ArgumentParser
internal import OverlineCore

struct BannerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "banner",
    abstract: "Present or dismiss a custom banner.",
    subcommands: [Present.self, Dismiss.self])

  struct Present: ConfiguredCommand {
    static let configuration = CommandConfiguration(
      commandName: "present",
      abstract: "Present a banner until it is dismissed. The banner of an outage shows in front of it.",
      discussion: """
        The banner shows in the window that this is called in; inside tmux, in tmux; otherwise in the window used last, or else in every \
        attached tmux client and in status bars. Without any of these it is an error (69).
        """)

    @OptionGroup var argument: TitleArgument

    @Option(help: ArgumentHelp("\"#rrggbb\" or a terminal colour's name.", valueName: "colour"))
    var background: String?

    @Option(help: ArgumentHelp("The text's colour.", valueName: "colour"))
    var text: String?

    @Option(help: ArgumentHelp("Rows, 1 to 8.", valueName: "rows"), transform: wholeNumber)
    var height: Int?

    @OptionGroup var owner: OwnerOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try finish {
        let banner = ObserverRequest.BannerRequest(
          title: argument.title, background: background, text: text, height: height,
          owner: OverlayOwner(process: owner.process))
        let answer = try Recipients(options: options).lastAnswer(to: checked(.present(banner))) { !$0.isUnseen }
        sayPause(answer, "the banner shows then", options: options)
        return try expectSuccess(answer)
      }
    }
  }

  struct Dismiss: ConfiguredCommand {
    static let configuration = CommandConfiguration(
      commandName: "dismiss",
      abstract: "Dismiss the banner in front. That of an outage returns when its claim changes.",
      discussion: "It is not an error if no banner shows; the command says so.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try finish {
        let answer = try Recipients(options: options).lastAnswer(to: .dismiss)
        let status = try expectSuccess(answer)
        if !answer.hasDismissed, !options.quiet { Output.warn("no banner shows") }
        return status
      }
    }
  }
}

/// A banner's title.
struct TitleArgument: ParsableArguments {
  @Argument(help: "The title; quote it when it has spaces.")
  var title: String

  /// The rest of a title without quotes.
  @Argument(help: .hidden)
  var rest: [String] = []

  func validate() throws { try refuse(rest) }
}
