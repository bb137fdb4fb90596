internal import Overline
internal import OverlineReferenceTerminal
internal import OverlineSystem

/// The rate at which the screen grid processes program output, beside libvterm's screen with the same bytes.
enum GridFigures {
  private static let rows = 50
  private static let columns = 200
  /// A pseudoterminal hands over as much at once.
  private static let piece = 4096

  static func measure(_ plan: Plan) -> [Figure] {
    let goals: [(GridStream, Double)] = [(.text, 20), (.short, 50), (.colour, 10), (.tui, 2), (.wide, 6)]
    return goals.map { stream, goal in
      let bytes = stream.bytes()
      let pieces = stride(from: 0, to: bytes.count, by: piece).map {
        Array(bytes[$0..<min($0 + piece, bytes.count)])
      }
      var screen = Screen(rows: rows, columns: columns, isKnown: true)
      // Keeps no line that leaves the screen, as ours.
      let reference = ReferenceTerminal(rows: rows, columns: columns, scrollbackLimit: 0)
      func rate(_ write: ([UInt8]) -> Void) -> Double {
        let start = BootClock.now
        for piece in pieces { write(piece) }
        return Double(bytes.count) / (BootClock.now - start).microseconds
      }
      var (ours, theirs) = ([Double](), [Double]())
      for _ in 0..<plan.rounds {
        ours.append(rate { screen.write($0) })
        theirs.append(rate { reference.write($0) })
      }
      return Figure(
        what: "grid, \(rows) × \(columns): \(stream)", unit: "MB/s", ours: ours,
        peer: .init(name: "libvterm", values: theirs), goal: .atLeastTimesPeer(goal))
    }
  }
}

/// The five kinds of output for throughput, a few megabytes each; identical in every run.
enum GridStream {
  case text
  case short
  case colour
  case tui
  case wide

  func bytes() -> [UInt8] {
    var random = Words()
    let lines: (times: Int, line: (inout Words) -> String)
    switch self {
    case .text: lines = (40_000, { $0.line($0.number(20...180)) + "\r\n" })
    case .short: lines = (1_000_000, { _ in "y\r\n" })
    case .colour:
      lines = (
        50_000,
        {
          "\u{1b}[\($0.number(30...37));1m\($0.word())\u{1b}[0m \($0.line(20)) \u{1b}[38;2;\($0.number(0...255));20;30m\($0.word())\u{1b}[m\r\n"
        }
      )
    case .tui:
      lines = (
        150_000,
        { "\u{1b}[\($0.number(1...40));\($0.number(1...180))H\u{1b}[\($0.number(30...37))m\($0.word())\u{1b}[K" }
      )
    case .wide:
      lines = (
        30_000, { String(repeating: "日本語テキスト😀 café naïve — ünïcödé ", count: $0.number(1...4)) + "\r\n" }
      )
    }
    var bytes: [UInt8] = []
    for _ in 0..<lines.times { bytes += Array(lines.line(&random).utf8) }
    return bytes
  }
}

/// Words from a deterministic generator.
private struct Words {
  private var state: UInt64 = 7

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return range.lowerBound + Int(state >> 33) % range.count
  }

  mutating func word() -> String {
    String((0..<number(2...9)).map { _ in Character(UnicodeScalar(UInt8(number(97...122)))) })
  }

  mutating func line(_ count: Int) -> String {
    var text = ""
    while text.utf8.count < count { text += word() + " " }
    return String(text.prefix(count))
  }
}
