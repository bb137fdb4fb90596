internal import ArgumentParser
internal import OverlineCore
internal import OverlineSystem

openStandardDescriptors()

// Match the calls that programs make often before ArgumentParser, which costs two milliseconds and two megabytes.
let arguments = ProcessEnvironment.arguments
if !PlainCommands.run(arguments) {
  let place = CommandPlace(arguments, of: OverlineCommand.self)
  if let error = UnknownCommand(place) {
    Output.warn("\(error)")
    exitProcess(ExitStatus.usage.rawValue)
  }
  if let word = place.negativeDuration {
    Output.warn("\(quoted(word)) is negative; see: \(place.help)")
    exitProcess(ExitStatus.usage.rawValue)
  }
  do {
    var command = try OverlineCommand.parseAsRoot(arguments)
    try (command as? any ConfiguredCommand)?.checkNamedFile()
    try command.run()
  } catch let error as ConfigurationError {
    exitProcess(report(error).rawValue)
  } catch {
    let status = OverlineCommand.exitCode(for: error)
    if error is ExitCode { exitProcess(status.rawValue) }
    // The parser would print help and versions without noticing a full disk.
    if status.isSuccess {
      PlainCommands.finish {
        try Output.line(OverlineCommand.fullMessage(for: error))
        return .success
      }
    }
    Output.warn(Mistake.text(OverlineCommand.message(for: error), at: place))
    exitProcess(status.rawValue)
  }
}
