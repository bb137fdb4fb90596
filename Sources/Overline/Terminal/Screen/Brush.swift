/// What printed text looks like.
struct Brush {
  var pen = Style() {
    didSet {
      cell.foreground = pen.foreground.rawValue
      cell.background = pen.background.rawValue
      cell.attributes = pen.attributes.rawValue
    }
  }
  /// The link that printed text gets; 0 for none.
  var linkNumber = 0
  /// What a printed cell has besides its character: the pen, packed.
  var cell = Cell()
  /// The sequence that protected characters last: xterm obeys one of the two at a time.
  var protection = Protection.none

  var background: UInt32 { cell.background }

  /// What a cell has only a number for.
  var rareStyle: RareStyles.Entry { RareStyles.Entry(underlineColor: pen.underlineColor, link: linkNumber) }
  var isRare: Bool { linkNumber != 0 || pen.underlineColor != .standard || cell.rare != 0 }
}
