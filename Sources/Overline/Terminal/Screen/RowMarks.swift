/// The marks of shell integration (OSC 133) that rows refer to by number: A begins a prompt, C a command's output.
struct RowMarks {
  /// What follows `133;`. Of the options only those that say what the mark is, so there are few.
  private var payloads: [String] = []

  /// The number of a mark, from 1; nil for a payload that marks no row.
  mutating func number(of payload: ArraySlice<UInt8>) -> UInt8? {
    let words = String(decoding: payload, as: UTF8.self).split(separator: ";")
    guard let kind = words.first, kind == "A" || kind == "C" else { return nil }
    let options = ["k=s", "redraw=0"].filter { words.contains(Substring($0)) }
    let mark = ([String(kind)] + options).joined(separator: ";")
    if !payloads.contains(mark) { payloads.append(mark) }
    return payloads.firstIndex(of: mark).map { UInt8($0 + 1) }
  }

  /// Whether kitty erases the prompt at a new size, since the shell draws it again.
  func isErasedPrompt(_ number: UInt8) -> Bool { payloads[Int(number) - 1] == "A" }

  func encode(_ number: UInt8, into output: inout [UInt8]) {
    output.append("\u{1b}]133;\(payloads[Int(number) - 1])\u{1b}\\")
  }
}
