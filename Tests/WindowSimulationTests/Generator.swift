import OverlineTestSupport

extension Scenario {
  static let families = ["xterm", "vte", "kitty", "urxvt", "alacritty", "foot", "tmux"]

  init(seed: UInt64, slice: Slice) {
    self = Generator(slice, seed).scenario
  }
}

/// Draws a scenario.
private struct Generator {
  private(set) var scenario = Scenario()
  private var numbers: SeededNumbers
  private var line = 0
  private let isAtMargin: Bool
  private let hasClusters: Bool
  private let hasMarks: Bool

  init(_ slice: Slice, _ seed: UInt64) {
    numbers = SeededNumbers(seed)
    isAtMargin = slice == .m
    hasClusters = slice == .w
    hasMarks = slice == .o
    scenario.family = numbers.pick(slice == .o ? ["kitty"] : Scenario.families)
    scenario.rows = numbers.number(6...14)
    scenario.columns = numbers.number(20...60)
    scenario.linesBefore = numbers.pick([0, 0, 3, 20])
    // Without a scrollback, urxvt cuts rows off at its bottom when it becomes lower, whatever they hold.
    if scenario.family == "urxvt" { scenario.linesBefore = 20 }
    if slice == .m || slice == .w { scenario.isNamed = !numbers.one(in: 4) }
    // As when ssh opens a terminal, also where the terminal around it has a history.
    scenario.leadsSession = slice == .m && numbers.one(in: 2)
    scenario.cuts = numbers.one(in: 2) ? [4096] : numbers.numbers(5, 1...40)
    scenario.lags = numbers.one(in: 2) ? [0] : numbers.numbers(5, 0...6)
    if slice == .b || slice == .z {
      scenario.answers = numbers.pick([
        [0], [-1], numbers.numbers(4, 0...400), numbers.numbers(4, 150...2500), [0, 0, -1],
      ])
      scenario.splits = numbers.one(in: 2) ? [0] : numbers.numbers(3, 0...9)
      // A terminal that accepts fewer bytes takes more than two seconds for a repaint.
      scenario.accepts = numbers.one(in: 2) ? [1 << 20] : numbers.numbers(4, 20...200)
      scenario.lags = numbers.numbers(4, 0...30)
    }
    if [.d, .e, .f, .fw, .z].contains(slice), numbers.one(in: 2) { scenario.reads = numbers.numbers(3, 100...4096) }
    if slice == .gn { scenario.answers = [-1] }
    if slice == .gl { scenario.answers = numbers.numbers(3, 200...3000) }
    let isOutside = numbers.one(in: 3)
    add(nil, .print(isAtMargin ? marginText(lines: numbers.number(0...12)) : text(lines: numbers.number(0...30))))
    for _ in 0..<numbers.number(1...3) {
      if isOutside { addResizes(slice) }
      add(numbers.one(in: 2) ? nil : numbers.number(0...300), .goOffline)
      addOutput()
      if !isOutside { addResizes(slice) }
      if slice == .z, numbers.one(in: 2) { add(numbers.number(0...200), .toast("A toast")) }
      if slice == .z || slice == .a, numbers.one(in: 4) { add(nil, .suspend) }
      addOutput()
      add(numbers.one(in: 2) ? nil : numbers.number(0...700), .goOnline)
      addOutput()
    }
    add(nil, .type("q"))
    add(nil, .end)
    if [.a, .b, .gn, .gl, .m, .o, .w].contains(slice) {
      scenario.startsOffline = numbers.one(in: 4)
      if numbers.one(in: 4) {
        // The program ends soon after an outage has begun.
        scenario.items[scenario.items.count - 1].after = numbers.number(0...2500)
        scenario.items.insert(.init(nil, .goOffline), at: scenario.items.count - 2)
      }
    }
  }

  private mutating func add(_ after: Int?, _ action: Scenario.Action) { scenario.items.append(.init(after, action)) }

  private mutating func addOutput() {
    if isAtMargin {
      for _ in 0..<numbers.number(0...3) {
        add(numbers.one(in: 3) ? nil : numbers.number(0...60), .print(marginText(lines: numbers.number(1...6))))
      }
      return
    }
    for _ in 0..<numbers.number(0...6) {
      if numbers.one(in: 6) { add(numbers.number(0...50), .type(numbers.pick(["a", "b", "c"]))) }
      let lines = numbers.one(in: 5) ? numbers.number(10...60) : numbers.number(0...4)
      add(numbers.one(in: 4) ? nil : numbers.number(0...60), .print(text(lines: lines)))
    }
  }

  private mutating func addResizes(_ slice: Slice) {
    func height(_ numbers: inout SeededNumbers) -> Int { numbers.number(6...18) }
    func width(_ numbers: inout SeededNumbers) -> Int { numbers.number(16...70) }
    switch slice {
    case .a, .b, .m, .o, .w: break
    case .c, .gn, .gl: add(nil, .resize(rows: height(&numbers), columns: scenario.columns))
    case .cw: add(nil, .resize(rows: scenario.rows, columns: width(&numbers)))
    case .d:
      add(numbers.number(0...60), .resize(rows: height(&numbers), columns: scenario.columns))
      scenario.signals = numbers.numbers(3, 0...20)
    case .e, .f, .fw, .z:
      // On a busy machine foot's signals are up to half a second late: then its edge has moved on.
      scenario.signals = numbers.numbers(3, 0...(scenario.family == "foot" ? 400 : 20))
      for _ in 0..<numbers.number(2...6) {
        let columns = slice == .fw || slice == .z ? width(&numbers) : scenario.columns
        let rests = slice == .e
        add(
          rests ? numbers.number(50...250) : numbers.number(0...250), .resize(rows: height(&numbers), columns: columns))
        if !rests, numbers.one(in: 2) { add(numbers.number(0...30), .print(text(lines: numbers.number(0...9)))) }
      }
    }
    if slice != .d { add(nil, .print("")) }
  }

  /// A little text that terminals count otherwise.
  private mutating func clusters() -> String {
    var text = ""
    for _ in 0..<numbers.number(0...2) {
      text += numbers.pick(Self.clusters) + numbers.pick(["", "w", " ", "www", "\u{1b}[32mg\u{1b}[m"])
    }
    return text
  }

  private static let clusters = [
    "❤️", "1️⃣", "😀\u{fe0e}", "🇩🇪", "🇩🇪🇫", "👍🏽", "✌🏽", "👨‍👩‍👧", "🏳️‍🌈", "🏃‍♀️", "\u{1100}\u{1161}\u{11a8}", "क्षि", "नी", "a\u{ad}b",
    "a\u{200b}b", "\u{1fae8}", "䷀", "漢字", "e\u{301}",
  ]

  /// Lines that fill their row, what happens there, and text that follows.
  private mutating func marginText(lines: Int) -> String {
    var text = ""
    for _ in 0..<lines {
      line += 1
      let isWide = numbers.one(in: 8)
      if isWide { text += "\r\n" }
      text += "L\(line)"
      let rows = numbers.number(1...2)
      let room = scenario.columns * rows - String(line).count - 1
      text += String(repeating: "x", count: isWide ? room - numbers.number(1...2) : room) + (isWide ? "漢" : "")
      // What becomes of the column that a wide character leaves free was not measured.
      if isWide {
        text += numbers.pick(["", "a"])
      } else {
        // To which character a mark belongs after a motion was not measured either.
        if numbers.one(in: 20) { text += "\u{301}" }
        for _ in 0..<numbers.number(1...2) { text += numbers.pick(marginCommands) }
        // Below a banner a program has a row less: in its first row it moves no row up.
        if line > 3, numbers.one(in: 12) { text += "\u{1b}[A\u{1b}[B" }
        text += numbers.pick(["", "a", "bcd", String(repeating: "w", count: scenario.columns)])
      }
      if numbers.one(in: 12) { continue }
      text += "\r\n"
    }
    return text
  }

  /// None moves to a row of the screen: below a banner it is another one.
  private var marginCommands: [String] {
    let columns = scenario.columns
    // In VTE it is not known whether a repeated character that does not fit wraps.
    return (scenario.family == "vte" ? [] : ["\u{1b}[3b"]) + [
      "", "\u{1b}[K", "\u{1b}[m\u{1b}[K", "\u{1b}[1K", "\u{1b}[2K", "\u{1b}[J", "\u{1b}[X", "\u{1b}[3X", "\u{1b}[P",
      "\u{1b}[@",
      "\u{1b}[31m", "\u{1b}[m", "\u{1b}]8;;http://a\u{1b}\\", "\u{1b}]8;;\u{1b}\\", "\u{1b}[\(columns)G",
      "\u{1b}[\(columns)`",
      "\u{1b}[C", "\u{1b}[D", "\u{1b}[2D", "\u{8}", "\t", "\u{1b}7\u{1b}8", "\u{1b}[s\u{1b}[u", "\u{1b}[?7l\u{1b}[?7h",
      "\u{1b}[?7lyz\u{1b}[?7h", "\u{1b}[?25l\u{1b}[?25h", "\u{1b}[?2026h\u{1b}[?2026l", "\n", "\r",
      "\u{1b}D", "\u{1b}[?1049hq\u{1b}[?1049l", "\u{1b}(0\u{1b}(B",
    ]
  }

  /// Numbered lines, some of which wrap, and the beginning of the next one.
  private mutating func text(lines: Int) -> String {
    var text = ""
    for _ in 0..<lines {
      line += 1
      if hasMarks, numbers.one(in: 3) {
        text += "\u{1b}]133;A\(numbers.pick(["", ";redraw=0"]))\u{1b}\\$ make\r\n"
        if numbers.one(in: 2) { text += "\u{1b}]133;C\u{1b}\\" }
      }
      text += "L\(line)"
      if hasClusters {
        text += clusters()
        if numbers.one(in: 4) {
          text += String(repeating: "w", count: numbers.number(0...scenario.columns * 2)) + clusters()
        }
        text += "\r\n"
        continue
      }
      switch numbers.number(0...9) {
      case 0: text += " " + String(repeating: "w", count: numbers.number(30...140))
      case 1: text += " \u{1b}[3\(numbers.number(1...7))mcolour\u{1b}[m"
      case 2: text += String(repeating: "x", count: max(0, scenario.columns - String(line).count - 1))
      case 3: text += " ends in spaces   "
      default: break
      }
      text += "\r\n"
    }
    // Which cells a text replaces depends on how the terminal counts both.
    if !hasClusters, numbers.one(in: 3) { text += "$ " + String(repeating: "p", count: numbers.number(0...5)) + "\r" }
    return text
  }
}
