internal import ArgumentParser

/// The process whose end dismisses what a command shows.
struct OwnerOptions: ParsableArguments {
  @Option(
    name: .customLong("while"),
    help: ArgumentHelp("Take it away when this process ends, such as $$, the shell.", valueName: "pid"),
    transform: wholeNumber)
  var process: Int32?
}
