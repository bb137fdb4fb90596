import OverlineTestSupport

extension TestTerminal {
  /// The output without the title that a window sets first, since this terminal has started it.
  public var outputAfterTitle: [UInt8] {
    let output = output
    guard output.starts(with: "\u{1b}]2;".utf8), let end = output.firstIndex(of: 0x5c) else { return output }
    return Array(output[(end + 1)...])
  }

  public var textAfterTitle: String { String(decoding: outputAfterTitle, as: UTF8.self) }
}
