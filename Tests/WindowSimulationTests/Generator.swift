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

  init(_ slice: Slice, _ seed: UInt64) {
    numbers = SeededNumbers(seed)
    scenario.family = numbers.pick(Scenario.families)
    scenario.rows = numbers.number(6...14)
    scenario.columns = numbers.number(20...60)
    scenario.linesBefore = numbers.pick([0, 0, 3, 20])
    // Without a scrollback, urxvt cuts rows off at its bottom when it becomes lower, whatever they hold.
    if scenario.family == "urxvt" { scenario.linesBefore = 20 }
    scenario.cuts = numbers.one(in: 2) ? [4096] : numbers.numbers(5, 1...40)
    scenario.lags = numbers.one(in: 2) ? [0] : numbers.numbers(5, 0...6)
    if slice == .b || slice == .z {
      scenario.answers = numbers.pick([
        [0], [-1], numbers.numbers(4, 0...400), numbers.numbers(4, 150...2500), [0, 0, -1],
      ])
      scenario.splits = numbers.one(in: 2) ? [0] : numbers.numbers(3, 0...9)
      scenario.accepts = numbers.one(in: 2) ? [1 << 20] : numbers.numbers(4, 1...200)
      scenario.lags = numbers.numbers(4, 0...30)
    }
    if slice == .gn { scenario.answers = [-1] }
    if slice == .gl { scenario.answers = numbers.numbers(3, 200...3000) }
    let isOutside = numbers.one(in: 3)
    add(nil, .print(text(lines: numbers.number(0...30))))
    for _ in 0..<numbers.number(1...3) {
      if isOutside { addResizes(slice) }
      add(numbers.one(in: 2) ? nil : numbers.number(0...300), .goOffline)
      addOutput()
      if !isOutside { addResizes(slice) }
      if slice == .z, numbers.one(in: 2) { add(numbers.number(0...200), .toast("A toast")) }
      if slice == .z, numbers.one(in: 4) { add(nil, .suspend) }
      addOutput()
      add(numbers.one(in: 2) ? nil : numbers.number(0...700), .goOnline)
      addOutput()
    }
    add(nil, .type("q"))
    add(nil, .end)
    if [.a, .b, .gn, .gl].contains(slice) {
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
    case .a, .b: break
    case .c, .gn, .gl: add(nil, .resize(rows: height(&numbers), columns: scenario.columns))
    case .cw: add(nil, .resize(rows: scenario.rows, columns: width(&numbers)))
    case .d:
      add(numbers.number(0...60), .resize(rows: height(&numbers), columns: scenario.columns))
      scenario.signals = numbers.numbers(3, 0...20)
    case .e, .f, .fw, .z:
      scenario.signals = numbers.numbers(3, 0...20)
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

  /// Numbered lines, some of which wrap, and the beginning of the next one.
  private mutating func text(lines: Int) -> String {
    var text = ""
    for _ in 0..<lines {
      line += 1
      text += "L\(line)"
      switch numbers.number(0...9) {
      case 0: text += " " + String(repeating: "w", count: numbers.number(30...140))
      case 1: text += " \u{1b}[3\(numbers.number(1...7))mcolour\u{1b}[m"
      case 2: text += String(repeating: "x", count: max(0, scenario.columns - String(line).count - 1))
      case 3: text += " ends in spaces   "
      default: break
      }
      text += "\r\n"
    }
    if numbers.one(in: 3) { text += "$ " + String(repeating: "p", count: numbers.number(0...5)) + "\r" }
    return text
  }
}
