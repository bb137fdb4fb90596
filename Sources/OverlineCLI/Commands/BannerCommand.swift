internal import ArgumentParser
internal import OverlineObservers

struct BannerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "banner",
    abstract: "Present a banner for anything, or dismiss the one that shows.",
    subcommands: [Present.self, Dismiss.self])

  struct Present: ConfiguredCommand {
    static let configuration = CommandConfiguration(
      commandName: "present",
      abstract: "Present a banner until it is dismissed. While the network is offline, its own banner is in front.",
      discussion: """
        It shows in the window that this is called in; inside tmux, in tmux; else in the window that had the last input, else in every \
        attached tmux client and in status bars. Where there is none of these, it is not presented, and this is an error (69).
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
        return try Recipients(options: options).expectSuccess(of: checked(.present(banner))) { !$0.isUnseen }
      }
    }
  }

  struct Dismiss: ConfiguredCommand {
    static let configuration = CommandConfiguration(
      commandName: "dismiss",
      abstract: "Dismiss the banner in front. That of a lost network returns at the next loss.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try finish { try Recipients(options: options).expectSuccess(of: .dismiss) }
    }
  }
}

/// A banner's title.
struct TitleArgument: ParsableArguments {
  @Argument(help: "What it says, in quotes when it is more than a word.")
  var title: String

  /// The rest of a title without quotes.
  @Argument(help: .hidden)
  var rest: [String] = []

  func validate() throws { try refuse(rest) }
}
