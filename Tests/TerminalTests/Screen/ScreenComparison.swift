import Overline
import OverlineReferenceTerminal

/// The differences between our grid and libvterm's, as far as libvterm reports its state.
enum ScreenComparison {
  static func difference(_ screen: borrowing Screen, _ reference: ReferenceTerminal) -> String? {
    let cursor = reference.cursor
    if cursor.row != screen.cursor.row || cursor.column != screen.cursor.column {
      return "cursor \(screen.cursor), reference \(cursor)"
    }
    if cursor.isVisible != screen.modes.isCursorVisible { return "cursor visible: \(screen.modes.isCursorVisible)" }
    if reference.isAlternate != screen.isAlternate { return "alternate: \(screen.isAlternate)" }
    for row in 0..<screen.rows {
      let cells = reference.cells(inRow: row)
      for column in 0..<screen.columns {
        let ours = TerminalCell(screen.cell(row: row, column: column))
        // libvterm keeps the old content in the right half.
        if ours.width == 0 && cells[column].width == 0 { continue }
        if ours != cells[column] { return "cell \(row) \(column): \(ours), reference \(cells[column])" }
      }
    }
    return nil
  }

  /// Modes and margins, which libvterm reports on request (DECRQM, DECRQSS).
  static func modeDifference(_ screen: borrowing Screen, _ reference: ReferenceTerminal) -> String? {
    _ = reference.takeReplies()
    for mode in PrivateMode.allCases {
      guard let isOn = isOn(mode, in: screen.modes) else { continue }
      reference.write("\u{1b}[?\(mode.rawValue)$p")
      let reply = String(decoding: reference.takeReplies(), as: UTF8.self)
      if reply != "\u{1b}[?\(mode.rawValue);\(isOn ? 1 : 2)$y" {
        return "mode \(mode.rawValue): \(isOn), reference \(reply.dropFirst(2))"
      }
    }
    reference.write("\u{1b}P$qr\u{1b}\\")
    let reply = String(decoding: reference.takeReplies(), as: UTF8.self)
    let margins = "\(screen.margins.top + 1);\(screen.margins.bottom + 1)r"
    return reply.contains(margins) ? nil : "margins \(margins), reference \(reply.dropFirst(2))"
  }

  /// Nil if libvterm does not report the mode. `difference` compares which screen shows.
  private static func isOn(_ mode: PrivateMode, in modes: Modes) -> Bool? {
    switch mode {
    case .origin: modes.isOrigin
    case .autowrap: modes.isAutowrap
    case .textCursor: modes.isCursorVisible
    case .leftRightMargin: modes.hasLeftRightMargins
    case .normalMouse: modes.mouseTracking == .normal
    case .buttonEventMouse: modes.mouseTracking == .button
    case .anyEventMouse: modes.mouseTracking == .any
    case .utf8Mouse: modes.mouseEncoding == .utf8
    case .sgrMouse: modes.mouseEncoding == .sgr
    case .urxvtMouse: modes.mouseEncoding == .urxvt
    case .bracketedPaste: modes.isBracketedPaste
    default: nil
    }
  }
}

extension TerminalCell {
  init(_ cell: ScreenCell) {
    self.init()
    width = cell.width
    text = cell.text.isEmpty && width > 0 ? " " : cell.text
    background = ReferenceColor(cell.style.background)
    if cell.text.isEmpty && width > 0 { return }
    foreground = ReferenceColor(cell.style.foreground)
    let attributes = cell.style.attributes
    isBold = attributes.contains(.bold)
    isItalic = attributes.contains(.italic)
    underline = attributes.underline
    isBlinking = attributes.contains(.blink)
    isReverse = attributes.contains(.reverse)
    isStruck = attributes.contains(.strikethrough)
  }
}

extension ReferenceColor {
  init(_ color: CellColor) {
    if let index = color.paletteIndex {
      self = .indexed(index)
    } else if let (red, green, blue) = color.components {
      self = .rgb(red, green, blue)
    } else {
      self = .standard
    }
  }
}
