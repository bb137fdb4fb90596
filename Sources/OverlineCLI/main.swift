internal import ArgumentParser
internal import OverlineConfiguration
internal import OverlineSystem

openStandardDescriptors()

// Match the calls that programs make often before ArgumentParser, which costs two milliseconds and two megabytes.
let arguments = ProcessEnvironment.arguments
if !PlainCommands.run(arguments) {
  let place = CommandPlace(arguments)
  if let error = UnknownCommand(place) {
    Output.warn("\(error)")
    exitProcess(ExitStatus.usage.rawValue)
  }
  do {
    var command = try Overline.parseAsRoot(arguments)
    try (command as? any ConfiguredCommand)?.checkNamedFile()
    try command.run()
  } catch let error as ConfigurationError {
    exitProcess(report(error).rawValue)
  } catch {
    let status = Overline.exitCode(for: error)
    if status.isSuccess || error is ExitCode { Overline.exit(withError: error) }
    Output.warn(Mistake.text(Overline.message(for: error), at: place))
    exitProcess(status.rawValue)
  }
}
