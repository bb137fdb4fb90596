extension Charsets {
  /// Appends what designates and invokes these sets where G0 is ASCII, and in use.
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
  /// Of the sequence that designates it.
  fileprivate var finalByte: UInt8 {
    switch self {
    case .ascii: UInt8(ascii: "B")
    case .british: UInt8(ascii: "A")
    case .graphics: UInt8(ascii: "0")
    }
  }
}
