/// The columns at which tabs stop.
struct TabStops {
  private var stops: [Bool]
  /// True unless a stop was set or cleared in an unknown column.
  private(set) var areKnown = true

  var count: Int { stops.count }

  init(columns: Int) { stops = (0..<columns).map { $0 % 8 == 0 && $0 > 0 } }

  mutating func set(_ isStop: Bool, at column: Int, isColumnKnown: Bool) {
    stops[column] = isStop
    if !isColumnKnown { areKnown = false }
  }

  mutating func clear() {
    stops = [Bool](repeating: false, count: count)
    areKnown = true
  }

  mutating func resize(columns: Int) {
    stops = Array(stops.prefix(columns)) + TabStops(columns: columns).stops.dropFirst(count)
  }

  /// The column that is `count` stops to the right of `column`, or the limit.
  func after(_ column: Int, count: Int, limit: Int) -> Int {
    var column = column
    for _ in 0..<min(count, stops.count) where column < limit {
      repeat { column += 1 } while column < limit && !stops[column]
    }
    return column
  }

  /// The column that is `count` stops to the left of `column`, or the limit.
  func before(_ column: Int, count: Int, limit: Int) -> Int {
    var column = column
    for _ in 0..<min(count, stops.count) where column > limit {
      repeat { column -= 1 } while column > limit && !stops[column]
    }
    return column
  }
}
