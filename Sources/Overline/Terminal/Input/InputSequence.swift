/// A whole control sequence that came from the terminal: its bytes, and its parameters where they stand, so that one number can be
/// replaced and everything else stays as it came.
struct InputSequence {
  /// More than the terminals' reports have.
  static let limit = 8

  let bytes: [UInt8]
  /// `<`, `=`, `>`, `?` or 0.
  let prefix: UInt8
  let final: UInt8
  /// Empty also when they are written in a way that no report is: with sub-parameters, intermediates, gaps, or too many of them.
  private(set) var numbers: [Int] = []
  private var places: [Range<Int>] = []

  /// - Parameter bytes: from ESC (and `[`, or whatever `start` numbers are behind) to the final byte.
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
        // A parameter that is left out at the end.
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

  /// The same bytes with other numbers in place of some.
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
