/// Control strings. Links are stored, and images make the cells unknown that they may have covered. All other strings show nothing.
extension Screen {
  package mutating func string(
    _ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>, isStart: Bool, isEnd: Bool
  ) {
    let limit = RareStyles.maximumLinkLength + 16
    guard
      let whole = unfinished.collect(kind, bytes, range, isStart: isStart, isEnd: isEnd, limit: limit)
    else { return }
    // Both forms of an introducer have two bytes.
    let body = whole.dropFirst(2)
    switch kind {
    case .operatingSystemCommand: if whole.count == limit { noteImage(body) } else { obey(Array(body)) }
    case .deviceControl: if isSixel(body) { noteForeignDrawing() }
    case .applicationCommand: noteGraphics(body)
    case .privacyMessage, .startOfString: break
    }
  }

  private mutating func obey(_ body: [UInt8]) {
    let body = body.dropLast(body.last == 0x07 ? 1 : 2)
    if tables.traits.marksRows, body.starts(with: Self.markIntroducer) {
      if let mark = tables.marks.number(of: body.dropFirst(Self.markIntroducer.count)) { grid[cursor.row].mark = mark }
      return
    }
    guard body.starts(with: [0x38, 0x3b]) else { return noteImage(body) }
    let rest = body.dropFirst(2)
    guard let semicolon = rest.firstIndex(of: 0x3b) else { return }
    setLink(Hyperlink(parameters: Array(rest[..<semicolon]), target: Array(rest[(semicolon + 1)...])))
  }

  /// iTerm2's images: OSC 1337 ; File=…
  private mutating func noteImage(_ body: ArraySlice<UInt8>) {
    guard body.starts(with: Array("1337;".utf8)) else { return }
    if Self.imageNames.contains(where: { body.dropFirst(5).starts(with: Array($0.utf8)) }) { noteForeignDrawing() }
  }

  private static let markIntroducer = Array("133;".utf8)

  static let imageNames = ["File=", "MultipartFile=", "FileEnd"]

  /// DCS with parameters of digits and the final byte `q`.
  private func isSixel(_ body: ArraySlice<UInt8>) -> Bool {
    body.first { !(0x30...0x39).contains($0) && $0 != 0x3b } == UInt8(ascii: "q")
  }

  /// kitty's images: APC G with keys. The key `a` is the action; put and transmit-and-put show an image.
  private mutating func noteGraphics(_ body: ArraySlice<UInt8>) {
    guard body.first == UInt8(ascii: "G") else { return }
    let keys = body.dropFirst().prefix { $0 != 0x3b && $0 != 0x1b }.split(separator: 0x2c)
    if keys.contains(where: { $0.elementsEqual("a=T".utf8) || $0.elementsEqual("a=p".utf8) }) { noteForeignDrawing() }
  }
}
