internal import ArgumentParser
internal import Dispatch
internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

struct DemoCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Play an outage here, without touching the network.")

  @Flag(help: "Also show custom banners, toasts in each style and an alert.")
  var all = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      let capabilities = options.capabilities(isTerminal: isTerminal(1))
      let configuration = try options.configuration()
      let settings = configuration.banner
      let script = all ? DemoScript.all(settings) : DemoScript(outage: settings)
      guard let size = WindowSize(of: 1)?.known, capabilities.movesCursor || options.noMotion && isTerminal(1) else {
        try Demo.printInWords(script, settings: settings)
        return .success
      }
      // Dispatch's manager and the queue; a timer, signals and the keyboard.
      try ResourceLimits.checkRoom(threads: 2, descriptors: 24)
      try Demo(
        script, settings: settings, toasts: configuration.toastSettings, size: size, capabilities: capabilities
      ).play()
    }
  }
}
