internal import Overline
internal import OverlineSystem
internal import OverlineTestKit

/// The rate at which the screen grid processes program output.
enum GridFigures {
  static func measure(_ plan: Plan) throws -> [Figure] {
    let goals: [(GridStream, Double)] = [(.text, 400), (.short, 120), (.colour, 250), (.tui, 150), (.wide, 150)]
    let writes = goals.flatMap { stream, goal in
      let bytes = stream.bytes()
      return [4096, 65536].map { size in
        let rate = bestRate(pieces(bytes, size), rounds: plan.isQuick ? 3 : 10) { $0.write($1) }
        return Figure(
          what: "grid, 50 × 200: \(stream) in pieces of \(size / 1024) KiB", unit: "MB/s", ours: [rate],
          goal: .atLeast(goal))
      }
    }
    let skimmed = bestRate(pieces(GridStream.text.bytes(), 65536), rounds: 10) { $0.skim($1) }
    return writes + [
      Figure(what: "grid, 50 × 200: text, modes only", unit: "MB/s", ours: [skimmed], goal: .atLeast(2000))
    ]
  }

  private static func pieces(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
  }

  /// The best of several rounds: other load can only slow a round down.
  private static func bestRate(
    _ pieces: [[UInt8]], rounds: Int, _ write: (inout Screen, [UInt8]) -> Void
  ) -> Double {
    let size = Double(pieces.reduce(0) { $0 + $1.count })
    var screen = Screen(rows: 50, columns: 200, isKnown: true)
    let times = (0..<rounds).map { _ in
      let before = BootClock.now
      for piece in pieces { write(&screen, piece) }
      return (BootClock.now - before).microseconds
    }
    return size / times.min()!
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
