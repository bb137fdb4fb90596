/// A cell of the grid, 16 bytes. Rare properties (marks, links, colours of underlines) are in tables beside the grid.
struct Cell: Equatable, Sendable {
  /// The scalar, or the number of a cluster; 0 for a cell that was erased and never printed to.
  var content: UInt32 = 0
  var foreground: UInt32 = 0
  var background: UInt32 = 0
  var attributes: UInt16 = 0
  /// The number of link and underline colour in ``RareStyles``; 0 for none.
  var rare: UInt16 = 0

  /// The left half of a wide character.
  static let wide: UInt32 = 1 << 30
  /// The right half of a wide character: everything else in it is copied from the left half.
  static let trailing: UInt32 = 1 << 29
  /// ``content`` is a number of ``Clusters``, not a scalar.
  static let cluster: UInt32 = 1 << 31
  static let valueMask: UInt32 = trailing - 1

  /// A tab began in this cell, which is otherwise blank. Terminals that remember tabs copy them as tabs.
  static let tab: UInt32 = 0x09

  var value: UInt32 { content & Self.valueMask }
  var isWide: Bool { content & Self.wide != 0 }
  var isTrailing: Bool { content & Self.trailing != 0 }
  var isCluster: Bool { content & Self.cluster != 0 }
  var isProtected: Bool { attributes & CellAttributes.protected.rawValue != 0 }

  /// Erased, or a space or tab.
  var hasNoText: Bool { content == 0 || content == 0x20 || content == Self.tab }

  /// Erased with the default background, and not printed to since.
  var isUntouched: Bool { self == Cell() }

  /// An erased cell, with the background that erasing leaves.
  static func blank(_ background: UInt32) -> Cell { Cell(background: background) }

  /// True if nothing is visible, not even a background colour.
  var isBlank: Bool {
    hasNoText && background == 0
      && attributes & ~(CellAttributes.protected.rawValue | 1 | 2 | 4) == 0
  }
}

/// A cell for readers outside the screen.
package struct ScreenCell: Equatable, Sendable {
  /// The character with its combining marks. Empty in an erased cell, and in the right half of a wide character.
  package var text: String
  /// 1, 2, or 0 for the right half.
  package var width: Int
  package var style: Style
  package var link: Hyperlink?

  package init(text: String, width: Int, style: Style, link: Hyperlink? = nil) {
    self.text = text
    self.width = width
    self.style = style
    self.link = link
  }
}

/// An OSC 8 link.
package struct Hyperlink: Hashable, Sendable {
  /// The text between `8;` and the next semicolon: `id=…` or nothing.
  package var parameters: [UInt8]
  package var target: [UInt8]
}
