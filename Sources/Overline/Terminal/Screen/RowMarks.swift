/// The marks of shell integration (OSC 133) that rows refer to by number: A begins a prompt, C a command's output.
struct RowMarks {
  /// Longer options are left out. kitty sends whole command lines.
  private static let maximumLength = 64

  /// What follows `133;`.
  private var payloads: [[UInt8]] = [[UInt8(ascii: "A")], [UInt8(ascii: "C")]]

  /// Whether the screen has ever had a mark.
  private(set) var areUsed = false

  /// The number of a mark, from 1; nil for a payload that marks no row.
  mutating func number(of payload: ArraySlice<UInt8>) -> UInt8? {
    let kinds = payloads[..<2].map(\.first)
    guard let kind = payload.first, let bare = kinds.firstIndex(of: kind),
      payload.count == 1 || payload.dropFirst().first == 0x3b
    else {
      return nil
    }
    areUsed = true
    if payload.count > Self.maximumLength { return UInt8(bare + 1) }
    if let index = payloads.firstIndex(of: Array(payload)) { return UInt8(index + 1) }
    guard payloads.count < 255 else { return UInt8(bare + 1) }
    payloads.append(Array(payload))
    return UInt8(payloads.count)
  }

  /// Whether kitty erases the prompt at a new size, since the shell draws it again.
  func isErasedPrompt(_ number: UInt8) -> Bool {
    let words = payloads[Int(number) - 1].split(separator: 0x3b)
    return words.first?.elementsEqual("A".utf8) == true
      && !words.contains { $0.elementsEqual("k=s".utf8) || $0.elementsEqual("redraw=0".utf8) }
  }

  func encode(_ number: UInt8, into output: inout [UInt8]) {
    output.append("\u{1b}]133;")
    output += payloads[Int(number) - 1]
    output += [0x1b, 0x5c]
  }
}
