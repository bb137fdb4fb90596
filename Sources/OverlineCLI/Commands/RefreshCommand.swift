internal import ArgumentParser
internal import OverlineCore
internal import OverlineShell

struct RefreshCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Make the program of this window draw itself again.",
    discussion: """
      For a program that missed a change of its size: its terminal becomes one row lower, and has its size back 50 ms later. A window does \
      this by itself when a full-screen program draws nothing for 300 ms after a change.
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      guard let socket = options.socket ?? Recipients.window else {
        throw CommandError("this terminal is not inside a window; start one with: overline run", status: .noMonitor)
      }
      var client = try ObserverClient(path: socket)
      return try expectSuccess(client.request(.refresh))
    }
  }
}
