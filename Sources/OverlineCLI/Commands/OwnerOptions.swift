internal import ArgumentParser

/// The process whose end dismisses a command's overlay.
struct OwnerOptions: ParsableArguments {
  @Option(
    name: .customLong("while"),
    help: ArgumentHelp("Dismiss it when this process ends, for example $$, the shell.", valueName: "pid"),
    transform: wholeNumber)
  var process: Int32?
}
