import Overline
import OverlineSystem
import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// The grid beside libvterm, an independent implementation: the same output gives the same cells, cursor and modes.
@Suite(.ownThread) struct ReferenceTests {
  @Test(arguments: 0..<40)
  func randomOutput(group: UInt64) {
    for seed in group * 8..<group * 8 + 8 {
      let rows = 3 + Int(seed % 6)
      let columns = 5 + Int(seed % 20)
      var random = RandomOutput(seed: seed, rows: rows, columns: columns)
      let items = (0..<80).map { _ in random.next() }
      #expect(firstDifference(items, rows, columns) == nil, "seed \(seed)")
    }
  }

  /// The item after which the two differ, and the difference.
  private func firstDifference(_ items: [String], _ rows: Int, _ columns: Int) -> String? {
    let reference = ReferenceTerminal(rows: rows, columns: columns)
    var screen = Screen(rows: rows, columns: columns, isKnown: true)
    for (index, item) in items.enumerated() {
      screen.write(item)
      reference.write(item)
      let cursor = screen.cursor
      if cursor.isWrapPending && screen.cell(row: cursor.row, column: cursor.column).width == 0 {
        // libvterm leaves the cursor on the left half of a wide character that fills the line.
        screen.write("\r")
        reference.write("\r")
      }
      guard index % 8 == 7 || index == items.count - 1 else { continue }
      if let difference = ScreenComparison.difference(screen, reference) {
        return "\(difference) after \(items[...index].map(\.debugDescription).joined(separator: " "))"
      }
    }
    return ScreenComparison.modeDifference(screen, reference)
  }

  private static let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Recordings"

  /// Recorded output of programs on 20 rows of 64 columns, in pieces of all sizes.
  @Test(arguments: ["vim", "less", "htop", "nano", "bash"], [1, 7, 100])
  func recordedOutput(program: String, size: Int) throws {
    let bytes = try Files.read("\(Self.folder)/\(program)")
    let reference = ReferenceTerminal(rows: 20, columns: 64)
    var screen = Screen(rows: 20, columns: 64, isKnown: true)
    // libvterm (0.1) misreads a scalar that is cut, so its pieces are longer.
    var pending: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let end = min(start + size, bytes.count)
      screen.write(Array(bytes[start..<end]))
      pending += bytes[start..<end]
      guard end == bytes.count || bytes[end] == 0x1b && pending.count >= 100 else { continue }
      reference.write(pending)
      pending = []
      let difference = ScreenComparison.difference(screen, reference)
      #expect(difference == nil, "after \(end) bytes")
      if difference != nil { return }
    }
    #expect(ScreenComparison.modeDifference(screen, reference) == nil)
  }
}
