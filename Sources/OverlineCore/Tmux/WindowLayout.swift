/// A layout string, `bb62,159x48,0,0{79x48,0,0,1,79x48,80,0,2}`: checksum, then cells of columns x rows, left, top and either a
/// pane's number, or cells side by side in `{}`, or one above the other in `[]`.
struct WindowLayout: Equatable, Sendable {
  struct Cell: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
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

  /// The limit for splits within splits. No real layout reaches it, but any process may have written the text.
  private static let maximumDepth = 100

  init?(_ text: String) {
    guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    var rest = Array(text.utf8[text.utf8.index(after: comma)...])[...]
    guard let root = Self.cell(&rest, depth: Self.maximumDepth), rest.isEmpty else { return nil }
    self.root = root
  }

  /// The layouts that tmux may make of this one for our lines: without one row, without two rows in turn, or without two rows at once.
  ///
  /// - Parameter border: `#{pane-border-status}`: `off`, `top` or `bottom`.
  func squeezed(border: String) -> [WindowLayout] {
    let once = withoutRows(1, border: border)
    return [once, once.withoutRows(1, border: border), withoutRows(2, border: border)]
  }

  /// The layout after its window lost rows, by tmux's own rule. Cells one above the other give up a row in turn, as far as they can. Cells
  /// side by side all give up a row. If no cell can, the layout stays and is cut off at the window's edge.
  func withoutRows(_ count: Int, border: String) -> WindowLayout {
    var result = self
    Self.takeRows(min(count, Self.spare(root, border: border)), from: &result.root, border: border)
    Self.place(&result.root)
    return result
  }

  /// The rows that a cell can give up. A pane keeps one row, or two beside a border with a title.
  private static func spare(_ cell: Cell, border: String) -> Int {
    let children = cell.children.indices.map {
      spare(cell.children[$0], border: self.border(ofChild: $0, in: cell, border))
    }
    switch cell.kind {
    case .pane: return max(0, cell.rows - (border == "top" || border == "bottom" ? 2 : 1))
    case .stacked: return children.reduce(0, +)
    case .sideBySide: return children.min() ?? 0
    }
  }

  /// The child's border: `border` if the child touches the same edge as this cell, otherwise `off`.
  private static func border(ofChild index: Int, in cell: Cell, _ border: String) -> String {
    let atEdge = border == "top" ? index == cell.children.startIndex : index == cell.children.endIndex - 1
    return cell.kind == .sideBySide || atEdge ? border : "off"
  }

  private static func takeRows(_ count: Int, from cell: inout Cell, border: String) {
    cell.rows -= count
    switch cell.kind {
    case .pane: break
    case .sideBySide:
      for index in cell.children.indices { takeRows(count, from: &cell.children[index], border: border) }
    case .stacked:
      var left = count
      while left > 0 {
        for index in cell.children.indices where left > 0 {
          let border = self.border(ofChild: index, in: cell, border)
          guard spare(cell.children[index], border: border) > 0 else { continue }
          takeRows(1, from: &cell.children[index], border: border)
          left -= 1
        }
      }
    }
  }

  /// Computes positions from sizes. A separator of one row or column is between two cells.
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

  private static func cell(_ rest: inout ArraySlice<UInt8>, depth: Int) -> Cell? {
    guard depth > 0, let columns = number(&rest), take("x", &rest), let rows = number(&rest), take(",", &rest),
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
      guard let child = Self.cell(&rest, depth: depth - 1) else { return nil }
      cell.children.append(child)
    } while take(",", &rest)
    return take(end, &rest) ? cell : nil
  }

  private static func take(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// tmux's numbers have 32 bits, so their sums do not overflow.
  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    return UInt32(String(decoding: digits, as: UTF8.self)).map(Int.init)
  }
}
