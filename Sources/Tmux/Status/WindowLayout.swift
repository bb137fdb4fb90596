/// A layout string, `bb62,159x48,0,0{79x48,0,0,1,79x48,80,0,2}`: checksum, then cells of columns x rows, left, top and either a
/// pane's number, or cells side by side in `{}`, or one above the other in `[]`.
struct WindowLayout: Hashable, Sendable {
  struct Cell: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case pane(Int)
      case sideBySide
      case stacked
    }
    var columns: Int
    var rows: Int
    var left: Int
    var top: Int
    var kind: Kind
    var children: [Cell] = []
  }

  var root: Cell

  init?(_ text: String) {
    guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    var rest = Array(text.utf8[text.utf8.index(after: comma)...])[...]
    guard let root = Self.cell(&rest), rest.isEmpty else { return nil }
    self.root = root
  }

  /// The layout after its window lost one row, by tmux's own rule: of cells one above the other the first that can gives it up,
  /// of cells side by side each does. When nothing can, the layout stays and is cut off at the window's edge.
  ///
  /// - Parameter border: `#{pane-border-status}`: `off`, `top` or `bottom`.
  func withoutOneRow(border: String) -> WindowLayout {
    var result = self
    let height = root.rows
    guard Self.spare(root, border: border, height: height) > 0 else { return self }
    Self.takeRow(&result.root, border: border, height: height)
    Self.place(&result.root)
    return result
  }

  /// Rows that a cell can give up. A pane keeps one, and one more where its title's border stands.
  private static func spare(_ cell: Cell, border: String, height: Int) -> Int {
    switch cell.kind {
    case .pane:
      let atEdge =
        border == "top" && cell.top == 0 || border == "bottom" && cell.top + cell.rows == height
      return max(0, cell.rows - (atEdge ? 2 : 1))
    case .stacked: return cell.children.reduce(0) { $0 + spare($1, border: border, height: height) }
    case .sideBySide: return cell.children.map { spare($0, border: border, height: height) }.min() ?? 0
    }
  }

  private static func takeRow(_ cell: inout Cell, border: String, height: Int) {
    cell.rows -= 1
    switch cell.kind {
    case .pane: break
    case .sideBySide:
      for index in cell.children.indices { takeRow(&cell.children[index], border: border, height: height) }
    case .stacked:
      if let index = cell.children.firstIndex(where: { spare($0, border: border, height: height) > 0 }) {
        takeRow(&cell.children[index], border: border, height: height)
      }
    }
  }

  /// Positions follow from sizes; between two cells there is a line.
  private static func place(_ cell: inout Cell) {
    var left = cell.left
    var top = cell.top
    for index in cell.children.indices {
      cell.children[index].left = left
      cell.children[index].top = top
      place(&cell.children[index])
      switch cell.kind {
      case .pane: break
      case .sideBySide: left += cell.children[index].columns + 1
      case .stacked: top += cell.children[index].rows + 1
      }
    }
  }

  private static func cell(_ rest: inout ArraySlice<UInt8>) -> Cell? {
    guard let columns = number(&rest), take("x", &rest), let rows = number(&rest), take(",", &rest),
      let left = number(&rest), take(",", &rest), let top = number(&rest)
    else { return nil }
    var cell = Cell(columns: columns, rows: rows, left: left, top: top, kind: .stacked)
    if take(",", &rest) {
      guard let pane = number(&rest) else { return nil }
      cell.kind = .pane(pane)
      return cell
    }
    let end: Unicode.Scalar
    if take("{", &rest) {
      cell.kind = .sideBySide
      end = "}"
    } else if take("[", &rest) {
      end = "]"
    } else {
      return nil
    }
    repeat {
      guard let child = Self.cell(&rest) else { return nil }
      cell.children.append(child)
    } while take(",", &rest)
    return take(end, &rest) ? cell : nil
  }

  private static func take(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
