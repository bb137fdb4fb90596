/// Tables that the cells of both screens refer to, and properties of the terminal.
struct CellTables {
  /// See ``TerminalCapabilities/margin``.
  var margin = MarginRules.guessed
  /// See ``TerminalCapabilities/traits``.
  var traits = TerminalTraits(nil)
  var marks = RowMarks()
  /// See ``TerminalCapabilities/widths``.
  var widths = CellWidths(.guessed)
  var rareStyles = RareStyles()
  var clusters = Clusters()

  /// Notes what the terminal does.
  mutating func adopt(_ terminal: TerminalCapabilities) {
    margin = terminal.margin
    traits = terminal.traits
    if widths.rules != terminal.widths { widths = CellWidths(terminal.widths) }
  }

  func scalars(_ cell: Cell) -> [UInt32] {
    if cell.isCluster { return Array(clusters.scalars(cell.value)) }
    return cell.content == Cell.tab || cell.value == 0 ? [] : [cell.value]
  }

  func style(_ cell: Cell) -> Style {
    var style = Style()
    style.foreground = CellColor(rawValue: cell.foreground)
    style.background = CellColor(rawValue: cell.background)
    style.attributes = CellAttributes(rawValue: cell.attributes)
    style.underlineColor = rareStyles.entries[Int(cell.rare)].underlineColor
    return style
  }

  func contents(_ cell: Cell) -> ScreenCell {
    ScreenCell(
      text: String(String.UnicodeScalarView(scalars(cell).compactMap { Unicode.Scalar($0) })),
      width: cell.isTrailing ? 0 : cell.isWide ? 2 : 1, style: style(cell), link: rareStyles.link(cell.rare))
  }
}
