/// Random numbers that depend on their seed alone (SplitMix64).
public struct SeededNumbers: Sendable {
  private var state: UInt64

  public init(_ seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  public mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  public mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }

  /// True in one of `count` cases.
  public mutating func one(in count: Int) -> Bool { number(1...count) == 1 }

  public mutating func numbers(_ count: Int, _ range: ClosedRange<Int>) -> [Int] {
    (0..<count).map { _ in number(range) }
  }
}
