internal import ArgumentParser
internal import Banner
internal import Configuration
internal import Dispatch
internal import POSIX
internal import Terminal

struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Play an outage in this terminal, from a script. No network is touched.")

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      var capabilities = TerminalCapabilities(
        environment: { options.noColor && $0 == "NO_COLOR" ? "1" : ProcessEnvironment[$0] }, isTerminal: isTerminal(1))
      if options.noMotion { capabilities.isAccessible = true }
      let settings = try options.configuration().banner
      guard let size = TerminalSize(of: 1), capabilities.movesCursor || options.noMotion && isTerminal(1) else {
        try Demo.tellInWords(settings: settings)
        return .success
      }
      try Demo(settings: settings, size: size, capabilities: capabilities).play()
    }
  }
}
