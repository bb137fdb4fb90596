/// A complete control sequence from the terminal: its bytes, and its parameters with their places. So one number can be replaced while all
/// other bytes stay unchanged.
struct InputSequence {
  /// The maximum number of parameters; no report of a terminal has that many.
  static let limit = 8

  let bytes: [UInt8]
  /// `<`, `=`, `>`, `?` or 0.
  let prefix: UInt8
  let final: UInt8
  /// The parameters. Also empty for a form that no report has: sub-parameters, intermediates, gaps, or too many parameters.
  private(set) var numbers: [Int] = []
  private var places: [Range<Int>] = []

  /// - Parameter bytes: from ESC to the final byte; the numbers begin at index `start`, after `[` by default.
  init(_ bytes: [UInt8], start: Int = 2) {
    self.bytes = bytes
    final = bytes[bytes.count - 1]
    var index = start
    if (0x3c...0x3f).contains(bytes[index]) {
      prefix = bytes[index]
      index += 1
    } else {
      prefix = 0
    }
    while index < bytes.count - 1 {
      var number = 0
      let first = index
      while bytes[index] >= 0x30, bytes[index] <= 0x39 {
        number = min(number * 10 + Int(bytes[index] - 0x30), 1 << 24)
        index += 1
      }
      let isLast = index == bytes.count - 1
      guard index > first, isLast || bytes[index] == 0x3b, numbers.count < Self.limit else {
        forget()
        return
      }
      numbers.append(number)
      places.append(first..<index)
      if !isLast {
        index += 1
        // The last parameter is missing.
        if index == bytes.count - 1 {
          forget()
          return
        }
      }
    }
  }

  private mutating func forget() {
    numbers = []
    places = []
  }

  /// The same bytes with some numbers replaced.
  func replacing(_ replacements: [(parameter: Int, number: Int)]) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    for (parameter, number) in replacements where number != numbers[parameter] {
      result += bytes[copied..<places[parameter].lowerBound]
      result += Array(String(number).utf8)
      copied = places[parameter].upperBound
    }
    return result + bytes[copied...]
  }
}
