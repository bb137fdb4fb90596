internal import ObserverProtocol
internal import POSIX
internal import Tmux

/// The forms of commands that other programs start: by prompts, plugins, services and the monitor itself.
enum PlainCommands {
  /// The verb of the guardian, which the monitor starts and nobody types.
  static let guardianVerb = "guardian"

  /// Runs the command if its arguments are of a plain form; false leaves it to the parser.
  static func run(_ arguments: [String]) -> Bool {
    switch arguments {
    case [guardianVerb]:
      Guardian.run()
    case ["monitor"]:
      finish { try Monitor.run(options: CommonOptions()) }
    case ["status"]:
      finish { try StatusCommand.run(format: .text, options: CommonOptions()) }
    case ["status", "--format", let name]:
      guard let format = ObserverFormat(rawValue: name) else { return false }
      finish { try StatusCommand.run(format: format, options: CommonOptions()) }
    case ["tmux", "attach", "--server", let socket]:
      finish { try TmuxAttach.run(socket: socket, options: CommonOptions()) }
    default:
      return false
    }
    return true
  }

  private static func finish(_ body: () throws -> ExitStatus) {
    do {
      exitProcess(try body().rawValue)
    } catch {
      exitProcess(report(error).rawValue)
    }
  }
}
