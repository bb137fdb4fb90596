/// SGR.
extension SimulatedTerminal {
  mutating func setStyle() {
    if parser.parameters.isEmpty { position.style = CellStyle() }
    var index = 0
    while index < parser.parameters.count {
      let subs = subparameters(after: index)
      let next = index + 1 + subs.count
      index = apply(parser.parameter(index, or: 0), subs: subs, next: next)
    }
  }

  private func subparameters(after index: Int) -> [Int] {
    let rest = parser.parameters.indices.dropFirst(index + 1).prefix { parser.areSub[$0] }
    return rest.map { parser.parameters[$0] }
  }

  /// Applies one parameter; returns the index of the next one.
  private mutating func apply(_ value: Int, subs: [Int], next: Int) -> Int {
    switch value {
    case 0: position.style = CellStyle()
    case 1: position.style.attributes.insert(.bold)
    case 2: position.style.attributes.insert(.faint)
    case 3: position.style.attributes.insert(.italic)
    case 4: position.style.underline = UInt8(clamping: subs.first ?? 1)
    case 5, 6: position.style.attributes.insert(.blinking)
    case 7: position.style.attributes.insert(.reverse)
    case 8: position.style.attributes.insert(.concealed)
    case 9: position.style.attributes.insert(.struck)
    case 21: position.style.underline = 2
    case 22: position.style.attributes.subtract([.bold, .faint])
    case 23: position.style.attributes.remove(.italic)
    case 24: position.style.underline = 0
    case 25: position.style.attributes.remove(.blinking)
    case 27: position.style.attributes.remove(.reverse)
    case 28: position.style.attributes.remove(.concealed)
    case 29: position.style.attributes.remove(.struck)
    case 30...37: position.style.foreground = .indexed(UInt8(value - 30))
    case 39: position.style.foreground = .standard
    case 40...47: position.style.background = .indexed(UInt8(value - 40))
    case 49: position.style.background = .standard
    case 53: position.style.attributes.insert(.overlined)
    case 55: position.style.attributes.remove(.overlined)
    case 90...97: position.style.foreground = .indexed(UInt8(value - 82))
    case 100...107: position.style.background = .indexed(UInt8(value - 92))
    case 38, 48, 58: return applyColor(value, subs: subs, next: next)
    default: break
    }
    return next
  }

  private mutating func applyColor(_ value: Int, subs: [Int], next: Int) -> Int {
    let isColon = !subs.isEmpty
    let words = isColon ? subs : Array(parser.parameters.dropFirst(next))
    var used = isColon ? 0 : words.count
    var color: CellColor?
    if words.first == 5 {
      if words.count > 1 { color = .indexed(UInt8(clamping: max(words[1], 0))) }
      used = isColon ? 0 : min(2, words.count)
    } else if words.first == 2 {
      // With colons a colour space may stand before the three components.
      let components = words.dropFirst(isColon && words.count > 4 ? 2 : 1).prefix(3).map { UInt8(clamping: max($0, 0)) }
      if components.count == 3 { color = .rgb(components[0], components[1], components[2]) }
      used = isColon ? 0 : min(4, words.count)
    }
    if let color, value == 38 { position.style.foreground = color }
    if let color, value == 48 { position.style.background = color }
    return next + used
  }
}
