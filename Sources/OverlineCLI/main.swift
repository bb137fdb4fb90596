internal import ArgumentParser
internal import POSIX

openStandardDescriptors()

// What machines call all day is matched before ArgumentParser, which costs two milliseconds and two megabytes.
if !PlainCommands.run(Array(CommandLine.arguments.dropFirst())) {
  Overline.main()
}
