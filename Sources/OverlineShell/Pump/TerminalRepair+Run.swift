internal import OverlineCore
package import OverlineSystem

extension TerminalRepair {
  /// Repairs the terminal on standard input, even one that is open only for reading: `overline reset < /dev/pts/3`.
  package static func run() throws(SystemError) {
    try TerminalAttributes(of: 0).sane.apply(to: 0)
    if let terminal = OwnTerminal.reopen(0) {
      try writeAll(sequence, to: terminal.rawValue)
    } else {
      try writeAll(sequence, to: 0)
    }
  }
}
