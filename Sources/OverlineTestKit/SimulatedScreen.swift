internal import Dispatch
public import Overline
internal import OverlineSystem
internal import Synchronization

/// A terminal in memory, for ``SimulatedNetwork/window(on:style:)``: a test reads what the window shows there, resizes it, and presses keys.
///
///     let screen = SimulatedScreen()
///     let window = network.window(on: screen)
///     window.startNetworkMonitoring()
///     await network.advance(by: .seconds(2))
///     #expect(screen.text.last?.contains("No connection") == true)
///
/// It holds the rows of the window only: what the program prints goes elsewhere. There is no motion. Rows and columns count from 1, as
/// terminals do.
public final class SimulatedScreen: Sendable {
  /// A cell of the screen.
  public struct Cell: Hashable, Sendable {
    /// The character. Empty in a cell that the window left free, and in the right half of a wide character.
    public var text: String
    /// The colour of the character; nil for the terminal's own.
    public var textColor: TerminalColor?
    /// The colour behind the character; nil for the terminal's own.
    public var backgroundColor: TerminalColor?
    /// Bold, italic, underlined.
    public var attributes: TextAttributes
  }

  /// A key for an alert.
  public enum Key: Hashable, Sendable {
    /// The focus moves to the button before, from the first one to the last.
    case left
    /// The focus moves to the button behind, from the last one to the first.
    case right
    /// Presses the button that has the focus.
    case enter
    /// Presses the button of the role `cancel`, or dismisses the alert.
    case escape
    /// Presses the button of this number, from 1 on.
    case digit(Int)
  }

  private struct State {
    var size: WindowSize
    var content: WindowContent?
    var onKeys: (@Sendable ([AlertKey]) -> Void)?
    var onResize: @Sendable () -> Void = {}
  }

  private let state: Mutex<State>
  let canAsk: Bool

  /// Creates an empty screen.
  ///
  /// - Parameters:
  ///   - rows: its height; fewer than 5 leave no room for a banner.
  ///   - columns: its width.
  public convenience init(rows: Int = 24, columns: Int = 80) {
    self.init(rows: rows, columns: columns, canAsk: true)
  }

  init(rows: Int, columns: Int, canAsk: Bool) {
    state = Mutex(State(size: WindowSize(rows: rows, columns: columns)))
    self.canAsk = canAsk
  }

  /// Changes the size, as dragging the terminal's corner does. The window adapts at the next ``SimulatedNetwork/advance(by:)``, also by zero.
  public func resize(rows: Int, columns: Int) {
    let onResize = state.withLock { state in
      state.size = WindowSize(rows: rows, columns: columns)
      return state.onResize
    }
    onResize()
  }

  /// Presses a key. An alert drops the keys of its first half second, since they were meant for the program: advance the clock before.
  ///
  /// - Returns: whether an alert shows. Nothing else reads keys.
  @discardableResult
  public func press(_ key: Key) -> Bool {
    guard let onKeys = state.withLock(\.onKeys) else { return false }
    switch key {
    case .left: onKeys([.previousButton])
    case .right: onKeys([.nextButton])
    case .enter: onKeys([.confirm])
    case .escape: onKeys([.dismiss])
    case .digit(let digit): onKeys([.button(digit - 1)])
    }
    return true
  }

  /// The text of each row, without the blanks at its end.
  public var text: [String] {
    cells.map { row in
      let text = row.map { $0.text.isEmpty && $0.width > 0 ? " " : $0.text }.joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// A cell. A place outside the screen is a programming error.
  public func cell(row: Int, column: Int) -> Cell {
    let cell = cells[row - 1][column - 1]
    var attributes: TextAttributes = []
    if cell.style.attributes.contains(.bold) { attributes.insert(.bold) }
    if cell.style.attributes.contains(.italic) { attributes.insert(.italic) }
    if cell.style.attributes.underline > 0 { attributes.insert(.underline) }
    return Cell(
      text: cell.text, textColor: cell.style.foreground.color, backgroundColor: cell.style.background.color,
      attributes: attributes)
  }

  private var cells: [[ScreenCell]] {
    let (size, content) = state.withLock { ($0.size, $0.content) }
    var screen = Screen(rows: size.rows, columns: size.columns, isKnown: true)
    // The content of another size is gone: the window paints it anew.
    if let content, content.size == size {
      screen.write(InlineRows.place(content.top, from: 1))
      screen.write(InlineRows.place(content.bottom, from: size.rows - content.bottom.count + 1))
    }
    return (0..<size.rows).map { row in (0..<size.columns).map { screen.cell(row: row, column: $0) } }
  }
}

extension SimulatedScreen {
  var size: WindowSize { state.withLock(\.size) }

  func show(_ content: WindowContent) { state.withLock { $0.content = content } }

  func begin(onResize: @escaping @Sendable () -> Void) { state.withLock { $0.onResize = onResize } }

  /// - Returns: whether the reading has begun with this call.
  func capture(_ onKeys: (@Sendable ([AlertKey]) -> Void)?) -> Bool {
    state.withLock { state in
      let wasReading = state.onKeys != nil
      state.onKeys = onKeys
      return onKeys != nil && !wasReading
    }
  }
}

extension CellColor {
  fileprivate var color: TerminalColor? {
    if let (red, green, blue) = components { return .rgb(.init(red, green, blue)) }
    return paletteIndex.flatMap(TerminalColor.ANSI.init).map(TerminalColor.ansi)
  }
}
