/// The answer to ``ObserverRequest/status(format:)`` with a format: `{"ok":true,"state":"offline","lines":1}`, then the lines of text.
///
/// The first line has exactly this form, byte for byte. So a client that only prints the text needs no JSON parser. Loading a parser would
/// cost each `overline status` 0.6 ms.
package struct StatusText: Equatable, Sendable {
  package var state: ObserverState.State
  /// Without a line feed at the end.
  package var text: String

  package init(_ state: ObserverState, as format: ObserverFormat, icon: String = "") {
    self.state = state.state
    text = format.string(state, icon: icon)
  }

  /// - Parameter lines: the following lines; the first line named their number.
  package init(state: ObserverState.State, lines: [[UInt8]]) {
    self.state = state
    // `joined(separator:)` looks through all conformances of the program once, which takes a third of `overline status`.
    var bytes: [UInt8] = []
    for (index, line) in lines.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "\n")) }
      bytes += line
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  private static let start = Array(#"{"ok":true,"state":""#.utf8)
  private static let middle = Array(#"","lines":"#.utf8)
  private static let end = UInt8(ascii: "}")

  package var bytes: [UInt8] {
    let count = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
    return Self.start + state.rawValue.utf8 + Self.middle + String(count).utf8 + [Self.end, UInt8(ascii: "\n")]
      + Array(text.utf8) + [UInt8(ascii: "\n")]
  }

  /// The state and the number of the following lines; nil for any other line.
  package static func header(_ line: [UInt8]) -> (state: ObserverState.State, count: Int)? {
    guard line.starts(with: start), line.last == end else { return nil }
    let word = line.dropFirst(start.count).prefix { $0 != UInt8(ascii: "\"") }
    let rest = line[word.endIndex...]
    guard let state = ObserverState.State(rawValue: String(decoding: word, as: UTF8.self)), rest.starts(with: middle),
      let count = Int(String(decoding: rest.dropFirst(middle.count).dropLast(), as: UTF8.self)),
      (1...maximumLines).contains(count)
    else { return nil }
    return (state, count)
  }

  /// `env` has a line for each variable.
  private static let maximumLines = 1000
}
