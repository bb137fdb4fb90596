/// The look of printed text.
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
  /// A printed cell without its character: the packed pen.
  var cell = Cell()
  /// The last used kind of protection: xterm obeys only one of the two at a time.
  var protection = Protection.none

  var background: UInt32 { cell.background }

  /// The part of the look for which a cell stores only a number.
  var rareStyle: RareStyles.Entry { RareStyles.Entry(underlineColor: pen.underlineColor, link: linkNumber) }
  var isRare: Bool { linkNumber != 0 || pen.underlineColor != .standard || cell.rare != 0 }
}
