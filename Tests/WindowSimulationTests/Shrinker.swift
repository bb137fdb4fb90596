import OverlineTestSupport

/// Makes a failing schedule smaller as long as it fails in the same way.
struct Shrinker {
  private static let maximumRuns = 4000
  private let kind: Failure.Kind
  private let tag: Failure.Tag
  private var runs = 0
  private(set) var scenario: Scenario

  /// - Parameter scenario: one that fails with `failure`.
  static func shrink(_ scenario: Scenario, _ failure: Failure) -> Scenario {
    var shrinker = Shrinker(kind: failure.kind, tag: failure.tag, scenario: scenario)
    while shrinker.runs < maximumRuns, shrinker.removeItems() || shrinker.simplify() {}
    return shrinker.scenario
  }

  private init(kind: Failure.Kind, tag: Failure.Tag, scenario: Scenario) {
    (self.kind, self.tag, self.scenario) = (kind, tag, scenario)
  }

  private mutating func keep(_ candidate: Scenario) -> Bool {
    guard candidate != scenario else { return false }
    runs += 1
    let failure = Simulation.run(candidate).failure
    guard failure?.kind == kind, failure?.tag == tag else { return false }
    scenario = candidate
    return true
  }

  private mutating func removeItems() -> Bool {
    removeParts(of: scenario.items.count) { range in
      var candidate = scenario
      candidate.items.removeSubrange(range)
      return keep(candidate)
    }
  }

  private mutating func simplify() -> Bool {
    var hasChanged = false
    for path in [\Scenario.cuts, \.lags, \.reads, \.answers, \.splits, \.signals, \.accepts]
      as [WritableKeyPath<Scenario, [Int]>]
    {
      for values in [Scenario()[keyPath: path]] + scenario[keyPath: path].map({ [$0] }) {
        var candidate = scenario
        candidate[keyPath: path] = values
        if keep(candidate) {
          hasChanged = true
          break
        }
      }
    }
    for lines in [0, scenario.linesBefore / 2] {
      var candidate = scenario
      candidate.linesBefore = lines
      if lines != scenario.linesBefore, keep(candidate) { hasChanged = true }
    }
    for path in [\Scenario.leadsSession, \.startsOffline] where scenario[keyPath: path] {
      var candidate = scenario
      candidate[keyPath: path] = false
      if keep(candidate) { hasChanged = true }
    }
    for index in scenario.items.indices {
      if let after = scenario.items[index].after {
        for shorter in [nil, 0, after / 2] where shorter != after {
          var candidate = scenario
          candidate.items[index].after = shorter
          if keep(candidate) {
            hasChanged = true
            break
          }
        }
      }
      guard case .print(let text) = scenario.items[index].action else { continue }
      if shorten(text, at: index) { hasChanged = true }
    }
    return hasChanged
  }

  /// Removes lines, then the ends of lines.
  private mutating func shorten(_ text: String, at index: Int) -> Bool {
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    var hasChanged = removeParts(of: lines.count) { range in
      var fewer = lines
      fewer.removeSubrange(range)
      guard keep(fewer, at: index) else { return false }
      lines = fewer
      return true
    }
    // A cut string is another failure.
    for number in lines.indices where lines[number].count > 3 && !lines[number].contains("]133;") {
      for count in [3, lines[number].count / 2, lines[number].count - 1] {
        var shorter = lines
        shorter[number] = String(lines[number].prefix(count))
        if keep(shorter, at: index) {
          lines = shorter
          hasChanged = true
          break
        }
      }
    }
    return hasChanged
  }

  private mutating func keep(_ lines: [String], at index: Int) -> Bool {
    var candidate = scenario
    candidate.items[index].action = .print(lines.joined(separator: "\r\n"))
    return keep(candidate)
  }
}

extension Scenario: CustomStringConvertible {
  /// As a literal of Swift.
  var description: String {
    let plain = Scenario()
    var lines = ["Scenario("]
    lines[0] += "\n  family: \"\(family)\", rows: \(rows), columns: \(columns)"
    if linesBefore > 0 { lines[0] += ", linesBefore: \(linesBefore)" }
    if !isNamed { lines[0] += ", isNamed: false" }
    if leadsSession { lines[0] += ", leadsSession: true" }
    if startsOffline { lines[0] += ", startsOffline: true" }
    lines.append("  items: [")
    lines += items.map { "    .init(\($0.after.map(String.init) ?? "nil"), \($0.action.literal))," }
    lines.append("  ]")
    for (name, path) in [
      ("cuts", \Scenario.cuts), ("lags", \.lags), ("reads", \.reads), ("answers", \.answers), ("splits", \.splits),
      ("signals", \.signals), ("accepts", \.accepts),
    ] as [(String, KeyPath<Scenario, [Int]>)] where self[keyPath: path] != plain[keyPath: path] {
      lines.append("  \(name): \(self[keyPath: path])")
    }
    return lines.joined(separator: ",\n").replacing("[,\n", with: "[\n").replacing(",,", with: ",") + ")"
  }
}

extension Scenario.Action {
  fileprivate var literal: String {
    switch self {
    case .print(let text): ".print(\(String(reflecting: text)))"
    case .goOffline: ".goOffline"
    case .goOnline: ".goOnline"
    case .resize(let rows, let columns): ".resize(rows: \(rows), columns: \(columns))"
    case .type(let text): ".type(\(String(reflecting: text)))"
    case .suspend: ".suspend"
    case .toast(let text): ".toast(\(String(reflecting: text)))"
    case .end: ".end"
    }
  }
}
