internal import Overline
internal import OverlineSystem

extension CommonOptions {
  /// A terminal's capabilities, from the environment and the options.
  ///
  /// - Parameter isTerminal: whether the output is a terminal.
  func capabilities(isTerminal: Bool) -> TerminalCapabilities {
    var capabilities = TerminalCapabilities(
      environment: { noColor && $0 == "NO_COLOR" ? "1" : ProcessEnvironment[$0] }, isTerminal: isTerminal)
    if noMotion { capabilities.isAccessible = true }
    return capabilities
  }
}
