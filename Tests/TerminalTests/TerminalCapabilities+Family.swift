import Overline

extension TerminalCapabilities {
  static func of(_ family: TerminalFamily) -> TerminalCapabilities {
    var terminal = TerminalCapabilities(environment: { _ in nil }, isTerminal: true)
    terminal.family = family
    return terminal
  }
}
