import OverlineTestThread
import Testing

/// A terminal becomes narrower while a program prints.
@Suite(.ownThread) struct WidthDragTests {
  /// A program prints a line each 8 ms while an edge of the terminal's window is dragged to the left. Each step may break the banner's row in
  /// two: a line that is printed over the second part would be the rest of the banner's line.
  @Test(arguments: ["vte", "alacritty", "foot", "kitty", "urxvt", "tmux"])
  func noLineContinuesTheBanner(family: String) {
    for phase in 0..<20 {
      var scenario = Scenario(family: family, rows: 24, columns: 80, linesBefore: 30, lags: [0, 4, 9])
      var widths = Array(stride(from: 78, through: 60, by: -2))
      var next = 700 + phase * 13
      scenario.items = [.init(nil, .goOffline)]
      for line in 1...200 {
        var rest = 8
        if !widths.isEmpty, next < line * 8 {
          scenario.items.append(.init(next - (line - 1) * 8, .resize(rows: 24, columns: widths.removeFirst())))
          rest = line * 8 - next
          next += 16
        }
        scenario.items.append(.init(rest, .print("L\(line) \(String(repeating: "x", count: line % 40))\r\n")))
      }
      scenario.items.append(.init(nil, .goOnline))
      #expect(Simulation.run(scenario).failure == nil, "phase \(phase)")
    }
  }
}
