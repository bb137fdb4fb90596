/// A pending wrap: terminals differ in what ends it, see ``MarginRules``.
extension Screen {
  /// Does to a pending wrap what an erasing sequence does.
  ///
  /// - Returns: whether the sequence acts on the cursor's row.
  mutating func resolveWrap(_ rule: MarginRules.Erasure) -> Bool {
    guard cursor.isWrapPending else { return true }
    switch rule {
    case .spares: return false
    case .keepsWrap: break
    case .endsWrap: cursor.isWrapPending = false
    case .wrapsFirst: wrap()
    }
    return true
  }

  /// Does to a pending wrap what a motion does.
  mutating func resolveWrap(_ rule: MarginRules.Motion) {
    guard cursor.isWrapPending else { return }
    switch rule {
    case .keepsWrap: break
    case .endsWrap: cursor.isWrapPending = false
    case .wrapsFirst: wrap()
    }
  }

  /// Whether the command moves to the next row before it does anything else.
  func wrapsBefore(_ command: TerminalCommand) -> Bool {
    guard cursor.isWrapPending else { return false }
    return switch command {
    case .eraseCharacter, .insertCharacter, .deleteCharacter: tables.margin.characters == .wrapsFirst
    case .insertLine, .deleteLine: tables.margin.lines == .wrapsFirst
    case .cursorForward, .characterPositionForward: tables.margin.right == .wrapsFirst
    case .cursorForwardTabulation: tables.margin.tab == .wrapsFirst
    default: false
    }
  }
}
