internal import ArgumentParser
internal import NetworkPath
internal import Overline
public import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The output format of a state.
struct FormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The output format.", valueName: "format"))
  var format: ObserverFormat = .text

  @Flag(help: "The same as --format json.")
  var json = false

  mutating func validate() throws {
    if json { format = .json }
  }
}

extension ObserverFormat: ExpressibleByArgument {}

extension ObserverState {
  /// The state directly from the kernel, without a monitor and therefore without a banner.
  static func straight(from path: NWPath) -> ObserverState {
    let now = WallTime.now.rfc3339
    return ObserverState(
      seq: 0, time: now, since: now, path: path, phase: .hidden, appearance: nil, inset: BannerInset())
  }
}
