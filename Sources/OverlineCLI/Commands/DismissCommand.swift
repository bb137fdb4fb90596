internal import ArgumentParser
internal import OverlineCore

struct DismissCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss",
    abstract: "Hide a wrong banner until what it says changes.",
    discussion: """
      Called in a window of overline run, it hides the banner of the network in this window, or its notice about the program. Called \
      elsewhere, it hides the banner in tmux, bars and every window; without a monitor, in every window.

      The banner returns when its claim changes: another cause, or the network was back in between. The state stays what it is, for \
      prompts, hooks and wait; `overline status` says that the banner is dismissed. If no such banner shows, this exits with 1. \
      `overline banner dismiss` is for banners of your own.
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      let answers = try Recipients.dismissClaim(options: options)
      for answer in answers { try expectSuccess(answer) }
      if answers.contains(where: \.hasDismissed) { return .success }
      if !options.quiet {
        Output.warn("no banner about the network shows; your own are dismissed by: overline banner dismiss")
      }
      return .nothing
    }
  }
}
