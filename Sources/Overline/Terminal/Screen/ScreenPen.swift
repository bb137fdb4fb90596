extension Screen {
  public internal(set) var pen: Style {
    get { brush.pen }
    set {
      brush.pen = newValue
      if brush.isRare { updateRareStyle() }
    }
  }

  private mutating func updateRareStyle() {
    if tables.rareStyles.needsCollection { collectRareStyles() }
    brush.cell.rare = tables.rareStyles.number(brush.rareStyle)
  }

  /// OSC 8: text printed from now on belongs to this link; an empty target ends the link.
  mutating func setLink(_ link: Hyperlink) {
    brush.linkNumber = 0
    if !link.target.isEmpty {
      if tables.rareStyles.needsCollection { collectRareStyles() }
      brush.linkNumber = tables.rareStyles.linkNumber(link)
    }
    updateRareStyle()
  }

  private mutating func collectRareStyles() {
    let link = self.link
    // The links of visible rows need the room.
    grid.dropHistory()
    other?.dropHistory()
    var isUsed = [Bool](repeating: false, count: tables.rareStyles.entries.count)
    grid.forEachCell { isUsed[Int($0.rare)] = true }
    other?.forEachCell { isUsed[Int($0.rare)] = true }
    let renumbered = tables.rareStyles.collect(isUsed)
    grid.changeEachCell { $0.rare = renumbered[Int($0.rare)] }
    other?.changeEachCell { $0.rare = renumbered[Int($0.rare)] }
    brush.linkNumber = link.map { tables.rareStyles.linkNumber($0) } ?? 0
  }

  /// SGR.
  @_optimize(speed)
  mutating func selectGraphicRendition(_ sequence: borrowing ControlSequence) {
    if sequence.count == 0 { return resetPen() }
    var pen = self.pen
    var index = 0
    while index < sequence.count {
      pen.apply(sequence, &index)
    }
    self.pen = pen
  }

  /// SGR 0 leaves DECSCA's protection alone.
  private mutating func resetPen() {
    var style = Style()
    style.attributes = pen.attributes.intersection(.protected)
    pen = style
  }
}

extension Style {
  /// Applies the parameter at `index` and those that belong to it, and moves `index` past them.
  @_optimize(speed)
  mutating func apply(_ sequence: borrowing ControlSequence, _ index: inout Int) {
    let parameter = sequence.parameter(index, default: 0)
    let first = index
    index += 1
    // Ignore sub-parameters of an attribute that takes none.
    while sequence.isJoined(index) { index += 1 }
    switch parameter {
    case 0:
      let protection = attributes.intersection(.protected)
      self = Style()
      attributes = protection
    case 1: attributes.insert(.bold)
    case 2: attributes.insert(.faint)
    case 3: attributes.insert(.italic)
    case 4: attributes.underline = index > first + 1 ? sequence.parameter(first + 1, default: 1) : 1
    case 5: attributes.insert(.blink)
    case 6: attributes.insert(.rapidBlink)
    case 7: attributes.insert(.reverse)
    case 8: attributes.insert(.hidden)
    case 9: attributes.insert(.strikethrough)
    case 21: attributes.underline = 2
    case 22: attributes.subtract([.bold, .faint])
    case 23: attributes.remove(.italic)
    case 24: attributes.underline = 0
    case 25: attributes.subtract([.blink, .rapidBlink])
    case 27: attributes.remove(.reverse)
    case 28: attributes.remove(.hidden)
    case 29: attributes.remove(.strikethrough)
    case 30...37: foreground = .palette(UInt8(parameter - 30))
    case 38: if let color = Self.color(sequence, first, &index) { foreground = color }
    case 39: foreground = .standard
    case 40...47: background = .palette(UInt8(parameter - 40))
    case 48: if let color = Self.color(sequence, first, &index) { background = color }
    case 49: background = .standard
    case 53: attributes.insert(.overline)
    case 55: attributes.remove(.overline)
    case 58: if let color = Self.color(sequence, first, &index) { underlineColor = color }
    case 59: underlineColor = .standard
    case 90...97: foreground = .palette(UInt8(parameter - 90 + 8))
    case 100...107: background = .palette(UInt8(parameter - 100 + 8))
    default: break
    }
  }

  /// The colour of SGR 38, 48, 58: `38;5;n`, `38;2;r;g;b`, `38:5:n`, `38:2:r:g:b` or `38:2:space:r:g:b`.
  private static func color(_ sequence: borrowing ControlSequence, _ first: Int, _ index: inout Int) -> CellColor? {
    let isJoined = index > first + 1
    let kind = sequence.parameter(first + 1, default: 0)
    func component(_ place: Int) -> UInt8? { UInt8(exactly: sequence.parameter(place, default: 0)) }
    switch kind {
    case 5:
      if !isJoined { index = first + 3 }
      return component(first + 2).map { .palette($0) }
    case 2:
      // With colons there may be a colour space before the components.
      let red = isJoined && index - first >= 6 ? first + 3 : first + 2
      if !isJoined { index = first + 5 }
      guard let r = component(red), let g = component(red + 1), let b = component(red + 2) else { return nil }
      return .rgb(r, g, b)
    default:
      if !isJoined { index = first + 2 }
      return nil
    }
  }
}
