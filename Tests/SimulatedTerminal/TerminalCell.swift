/// A cell of the simulated terminal.
package struct TerminalCell: Hashable, Sendable {
  /// The character; empty where nothing was written since the cell was erased, and in the right half of a wide character.
  package var text = ""
  package var style = CellStyle()
  /// A number for the hyperlink, equal for equal addresses; 0 for none.
  package var link: UInt16 = 0
  /// 1 or 2, 0 in the right half of a wide character.
  package var width: UInt8 = 1
  /// Fills the end of a row where a wide character did not fit. It is no part of the text.
  package var isSpacer = false

  package init() {}

  init(text: String, style: CellStyle, link: UInt16, width: UInt8) {
    self.text = text
    self.style = style
    self.link = link
    self.width = width
  }

  /// A cell that an operation erased, with the background that the operation left.
  init(erasedWith background: CellColor) {
    style.background = background
  }

  /// True for an erased cell and for a space that shows nothing else.
  package var isBlank: Bool { (text.isEmpty && width == 1 || text == " ") && style.showsNothing }

  /// True where the terminal stores a character, a space included, or the right half of one.
  var isWritten: Bool { !text.isEmpty || width == 0 }
}

/// The colours and attributes that SGR sets.
package struct CellStyle: Hashable, Sendable {
  package var foreground = CellColor.standard
  package var background = CellColor.standard
  /// 0 for none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed.
  package var underline: UInt8 = 0
  package var attributes: CellAttributes = []

  package init() {}

  /// True if a space in this style looks like an erased cell.
  var showsNothing: Bool {
    background == .standard && underline == 0
      && attributes.isDisjoint(with: [.reverse, .struck, .overlined])
  }
}

package enum CellColor: Hashable, Sendable {
  case standard
  case indexed(UInt8)
  case rgb(UInt8, UInt8, UInt8)
}

package struct CellAttributes: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let bold = CellAttributes(rawValue: 1)
  package static let faint = CellAttributes(rawValue: 2)
  package static let italic = CellAttributes(rawValue: 4)
  package static let blinking = CellAttributes(rawValue: 8)
  package static let reverse = CellAttributes(rawValue: 16)
  package static let concealed = CellAttributes(rawValue: 32)
  package static let struck = CellAttributes(rawValue: 64)
  package static let overlined = CellAttributes(rawValue: 128)
}
