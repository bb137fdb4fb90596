/// A state's lines in the requested formats. There are usually one or two lines, so a search is faster than a hash table.
struct StateLines {
  private var lines: [(format: ObserverFormat, line: [UInt8])] = []

  subscript(format: ObserverFormat) -> [UInt8]? {
    get { lines.first { $0.format == format }?.line }
    set { if let newValue { lines.append((format, newValue)) } }
  }
}
