/// What arrived of a character or sequence, over the ends of writes.
struct Parser: Sendable {
  enum State: Sendable {
    case ground
    case escape
    case escapeIntermediate
    case control
    /// Skips a control sequence with a form that no terminal knows.
    case controlIgnored
    case command
    /// DCS, APC, PM, SOS.
    case string
    /// ESC inside a command or string.
    case commandEscape
    case stringEscape
  }

  var state = State.ground
  /// UTF-8: continuation bytes that still lack.
  var missing = 0
  var partial: UInt32 = 0
  var smallest: UInt32 = 0

  /// The parameters of a control sequence, -1 for a missing one, and whether each follows a colon.
  var parameters: [Int] = []
  var areSub: [Bool] = []
  var prefix: UInt8 = 0
  var intermediate: UInt8 = 0
  /// The text of an OSC.
  var command: [UInt8] = []

  var isGround: Bool { state == .ground && missing == 0 }

  mutating func beginControl() {
    state = .control
    parameters.removeAll(keepingCapacity: true)
    areSub.removeAll(keepingCapacity: true)
    prefix = 0
    intermediate = 0
  }

  mutating func addParameterByte(_ byte: UInt8) {
    if parameters.isEmpty { add(isSub: false) }
    switch byte {
    case 0x3A: add(isSub: true)
    case 0x3B: add(isSub: false)
    default:
      let last = parameters.count - 1
      parameters[last] = min(max(parameters[last], 0) * 10 + Int(byte - 0x30), 65535)
    }
  }

  private mutating func add(isSub: Bool) {
    parameters.append(-1)
    areSub.append(isSub)
  }

  /// The parameter at an index; `standard` where it is missing.
  func parameter(_ index: Int, or standard: Int) -> Int {
    index < parameters.count && parameters[index] >= 0 ? parameters[index] : standard
  }

  /// A count: a missing one and 0 are 1.
  var count: Int { max(parameter(0, or: 1), 1) }
}
