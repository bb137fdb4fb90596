/// A kind of schedule.
enum Slice: String, CaseIterable, Sendable {
  /// No change of size.
  case a = "A"
  /// Answers late, in pieces or never, and a terminal that accepts few bytes at once.
  case b = "B"
  /// Changes of the height at rest; the terminal answers in time.
  case c = "C"
  /// Changes of the width at rest.
  case cw = "Cw"
  /// Changes of the height, and no answers.
  case gn = "Gn"
  /// Changes of the height, and late answers.
  case gl = "Gl"
  /// A change of the height during output.
  case d = "D"
  /// Drags of the height.
  case e = "E"
  /// Drags of the height with bytes waiting.
  case f = "F"
  /// Drags of both with bytes waiting.
  case fw = "Fw"
  /// What ends a wrap in the last column, erases there or moves away.
  case m = "M"
  /// Characters whose columns terminals count in different ways.
  case w = "W"
  /// Shell integration: marks of prompts and of output, in kitty. foot keeps the mark of its last row whatever erases it.
  case o = "O"
  /// Everything at once, with toasts and stops.
  case z = "Z"

  /// The failures that no recorded number excuses.
  var excludes: Set<Failure.Tag> {
    switch self {
    case .a, .b, .c: Set(Failure.Tag.allCases)
    case .d, .e: [.clean]
    case .cw, .gn, .gl, .f, .fw, .m, .o, .w, .z: []
    }
  }

  /// What a schedule meets at least, on average. A slice that meets less has become idle.
  var floor: Coverage {
    var floor = Coverage()
    floor.banners = 1
    floor.rests = 4
    switch self {
    case .a, .m, .o, .w: break
    case .b: (floor.lateAnswers, floor.blockedWrites) = (1, 1)
    case .c, .cw, .gn, .gl, .d: floor.resizes = 1
    case .e, .f, .fw, .z: floor.resizes = 2
    }
    return floor
  }
}
