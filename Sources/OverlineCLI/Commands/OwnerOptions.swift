internal import ArgumentParser
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The process whose end dismisses a command's overlay.
struct OwnerOptions: ParsableArguments {
  @Option(
    name: .customLong("while"),
    help: ArgumentHelp("Dismiss it when this process ends, for example $$, the shell.", valueName: "pid"),
    transform: wholeNumber)
  var process: Int32?

  /// Throws a window's error if the process does not run, for a command that no window answers.
  func checkProcess() throws(CommandError) {
    guard let process else { return }
    do throws(SystemError) {
      _ = try ProcessEnd(of: process)
    } catch {
      if error.isNoSuchProcess { throw CommandError(OverlayOwner.noProcessMessage(process)) }
    }
  }
}
