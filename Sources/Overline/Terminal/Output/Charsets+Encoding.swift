extension Charsets {
  /// Appends the bytes that designate and invoke these sets, starting from ASCII in G0 and G0 in use.
  func encode(into output: inout [UInt8]) {
    output.append("\u{1b}(")
    output.append(self[0].finalByte)
    switch invoked {
    case 1: output.append(0x0e)
    case 2: output.append("\u{1b}n")
    case 3: output.append("\u{1b}o")
    default: break
    }
    if let singleShift { output.append(singleShift == 2 ? "\u{1b}N" : "\u{1b}O") }
  }
}

extension Charsets.Charset {
  /// The final byte of the sequence that designates this set.
  fileprivate var finalByte: UInt8 {
    switch self {
    case .ascii: UInt8(ascii: "B")
    case .british: UInt8(ascii: "A")
    case .graphics: UInt8(ascii: "0")
    }
  }
}
