internal import NetworkPath

/// The words of the notices about a program's connections, and the output that is no answer.
enum ProgramNotice {
  /// `ssh: last answer 14 s ago`; the notice counts minutes after the first one, when the window looks less often.
  ///
  /// - Parameter age: the time since the last answer; nil if the program's data does not leave this machine: `ssh: cannot send`
  static func text(program: String, age: Duration?) -> String {
    guard let age else { return "\(program): cannot send" }
    let seconds = age.components.seconds
    let time =
      switch seconds {
      case ..<60: "\(seconds) s"
      case ..<3600: "\(seconds / 60) min"
      default: "\(seconds / 3600) h"
      }
    return "\(program): last answer \(time) ago"
  }

  /// `ssh: slow, 0.8 s round trip`
  static func text(program: String, lag: Duration) -> String {
    let tenths = Int((lag.seconds * 10).rounded())
    return "\(program): slow, \(tenths / 10).\(tenths % 10) s round trip"
  }

  /// Whether output only ends a line, with the modes that line editors reset then (`ESC [ ? 2004 l`).
  ///
  /// A terminal, or a line editor such as psql's, prints that at once when the user presses Enter. The answer is still to come.
  static func isLineEnd(_ output: [UInt8]) -> Bool {
    // Most output is longer than a line end with its modes: do not parse it.
    guard output.count <= 32 else { return false }
    var rest = output[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x0d, 0x0a: continue
      case 0x1b:
        guard rest.starts(with: [0x5b, 0x3f]) else { return false }
        rest = rest.dropFirst(2).drop { (0x30...0x3b).contains($0) }
        guard let final = rest.popFirst(), final == 0x68 || final == 0x6c else { return false }
      default: return false
      }
    }
    return true
  }
}
