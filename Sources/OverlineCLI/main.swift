internal import ArgumentParser
internal import POSIX

openStandardDescriptors()

// What machines call all day is matched before ArgumentParser, which costs two milliseconds and two megabytes.
let arguments = Array(CommandLine.arguments.dropFirst())
if !PlainCommands.run(arguments) {
  if let error = UnknownCommand(arguments) {
    Output.complain("\(error)")
    exitProcess(ExitStatus.usage.rawValue)
  }
  Overline.main()
}
