import COverlineVTerm

/// A third-party terminal (libvterm) to compare ours with: UTF-8, an alternate screen, a scrollback, no reflow.
///
/// Rows and columns count from 0. Used by one thread at a time.
public final class ReferenceTerminal {
  public enum Mouse: Int32, Sendable { case none, click, drag, move }

  public struct Cursor: Hashable, Sendable {
    public var row: Int
    public var column: Int
    public var isVisible: Bool

    public init(row: Int, column: Int, isVisible: Bool = true) {
      self.row = row
      self.column = column
      self.isVisible = isVisible
    }
  }

  /// Whether erased cells at the end of a row keep their background at a new size, as in other terminals.
  public static let keepsErasedCells = overline_vterm_keeps_erased_cells

  public private(set) var rows: Int
  public private(set) var columns: Int
  /// The lines that left the primary screen at its top, oldest first, each without blank cells at its end.
  public var scrollback: [[TerminalCell]] { Array(lines[firstLine...]) }
  /// Whether a screen that grows takes lines back from the scrollback, as xterm and VTE do, or gets blank ones below, as kitty does.
  public var takesLinesBack = false
  public private(set) var isAlternate = false
  public private(set) var title = ""
  public private(set) var mouse = Mouse.none
  /// The terminal's answers since the last call of `takeReplies`.
  fileprivate var replies: [UInt8] = []
  private var isCursorVisible = true
  /// The scrollback, and the number of its oldest lines that are discarded: they are removed by the thousand.
  private var lines: [[TerminalCell]] = []
  private var firstLine = 0
  private let scrollbackLimit: Int
  /// The beginning of a character whose end is not written yet.
  private var unfinished: [UInt8] = []

  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  /// libvterm keeps only the pointer.
  private let callbacks: UnsafeMutablePointer<VTermScreenCallbacks>

  /// - Parameter scrollbackLimit: the maximum number of lines kept. With 0, libvterm does not hand them over.
  public init(rows: Int, columns: Int, scrollbackLimit: Int = .max) {
    self.rows = rows
    self.columns = columns
    self.scrollbackLimit = scrollbackLimit
    terminal = vterm_new(Int32(rows), Int32(columns))
    vterm_set_utf8(terminal, 1)
    screen = vterm_obtain_screen(terminal)
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: Self.screenCallbacks)
    if scrollbackLimit == 0 { callbacks.pointee.sb_pushline = nil }
    let user = Unmanaged.passUnretained(self).toOpaque()
    vterm_screen_set_callbacks(screen, callbacks, user)
    vterm_output_set_callback(
      terminal, { reference(at: $2).replies += UnsafeRawBufferPointer(start: $0, count: $1) }, user)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
  }

  deinit {
    vterm_free(terminal)
    callbacks.deallocate()
  }

  /// Draws a program's output. The beginning of a character waits for its end: libvterm 0.3 decodes text that begins with ASCII and text
  /// that does not with two decoders, and forgets which one has the beginning.
  public func write(_ bytes: some Collection<UInt8>) {
    var whole = unfinished + bytes
    unfinished = Self.endingCharacter(of: whole)
    whole.removeLast(unfinished.count)
    whole.withUnsafeBytes { buffer in
      _ = vterm_input_write(terminal, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
  }

  /// The last bytes, if more of them could complete a character of UTF-8.
  private static func endingCharacter(of bytes: [UInt8]) -> [UInt8] {
    guard let lead = bytes.suffix(3).lastIndex(where: { $0 & 0xc0 == 0xc0 }) else { return [] }
    let length = bytes[lead] >= 0xf0 ? 4 : bytes[lead] >= 0xe0 ? 3 : 2
    let isCutOff = bytes[lead...].dropFirst().allSatisfy { $0 & 0xc0 == 0x80 } && bytes.count - lead < length
    return isCutOff ? Array(bytes[lead...]) : []
  }

  public func write(_ text: String) { write(Array(text.utf8)) }

  public func resize(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    vterm_set_size(terminal, Int32(rows), Int32(columns))
  }

  /// Returns the terminal's answers (mostly reports), to be typed into the program.
  public func takeReplies() -> [UInt8] {
    defer { replies = [] }
    return replies
  }

  /// The visible rows.
  public var cells: [[TerminalCell]] { (0..<rows).map(cells(inRow:)) }

  public func cells(inRow row: Int) -> [TerminalCell] {
    var cells: [TerminalCell] = []
    cells.reserveCapacity(columns)
    var cell = VTermScreenCell()
    for column in 0..<Int32(columns) {
      vterm_screen_get_cell(screen, VTermPos(row: Int32(row), col: column), &cell)
      cells.append(cell)
    }
    return cells
  }

  /// The visible rows' text, without spaces at their ends.
  public var text: [String] { cells.map(\.text) }

  /// The scrollback's text, without spaces at the lines' ends.
  public var scrollbackText: [String] { lines[firstLine...].map(\.text) }

  public var cursor: Cursor {
    var position = VTermPos()
    vterm_state_get_cursorpos(vterm_obtain_state(terminal), &position)
    return Cursor(row: Int(position.row), column: Int(position.col), isVisible: isCursorVisible)
  }

  // MARK: libvterm's callbacks

  private static var screenCallbacks: VTermScreenCallbacks {
    var callbacks = VTermScreenCallbacks()
    callbacks.settermprop = { reference(at: $2).handle($0, $1!) }
    callbacks.sb_pushline = { reference(at: $2).push(UnsafeBufferPointer(start: $1, count: Int($0))) }
    callbacks.sb_popline = { reference(at: $2).pop(into: UnsafeMutableBufferPointer(start: $1, count: Int($0))) }
    return callbacks
  }

  fileprivate func handle(_ property: VTermProp, _ value: UnsafePointer<VTermValue>) -> Int32 {
    switch property {
    case VTERM_PROP_CURSORVISIBLE: isCursorVisible = value.pointee.boolean != 0
    case VTERM_PROP_ALTSCREEN: isAlternate = value.pointee.boolean != 0
    case VTERM_PROP_TITLE:
      let part = overline_title_part(value)
      let text = String(decoding: UnsafeRawBufferPointer(start: part.bytes, count: part.count), as: UTF8.self)
      title = part.isFirst ? text : title + text
    case VTERM_PROP_MOUSE: mouse = Mouse(rawValue: value.pointee.number) ?? .none
    default: return 0
    }
    return 1
  }

  fileprivate func push(_ cells: UnsafeBufferPointer<VTermScreenCell>) -> Int32 {
    var line: [TerminalCell] = []
    for cell in cells { line.append(cell) }
    lines.append(line.trimmed)
    if lines.count - firstLine > scrollbackLimit { firstLine += 1 }
    if firstLine == 1000 {
      lines.removeFirst(firstLine)
      firstLine = 0
    }
    return 1
  }

  /// Restores the line's text and attributes as libvterm stores them: a cell at a time, from our own values. While the alternate screen
  /// shows, the primary one takes none: libvterm 0.3 would ask, but leaves the primary screen's cursor in its old row.
  fileprivate func pop(into cells: UnsafeMutableBufferPointer<VTermScreenCell>) -> Int32 {
    guard takesLinesBack, !isAlternate, lines.count > firstLine else { return 0 }
    let line = lines.removeLast()
    for column in cells.indices {
      cells[column] = VTermScreenCell(column < line.count ? line[column] : TerminalCell())
    }
    return 1
  }
}

private func reference(at user: UnsafeMutableRawPointer?) -> ReferenceTerminal {
  Unmanaged<ReferenceTerminal>.fromOpaque(user!).takeUnretainedValue()
}

extension VTermScreenCell {
  fileprivate init(_ cell: TerminalCell) {
    self.init()
    let scalars = cell.width == 0 ? [UInt32.max] : cell.text == " " ? [] : cell.text.unicodeScalars.map(\.value)
    withUnsafeMutableBytes(of: &chars) { room in
      for (index, scalar) in scalars.prefix(6).enumerated() {
        room.storeBytes(of: scalar, toByteOffset: index * 4, as: UInt32.self)
      }
    }
    width = CChar(max(1, cell.width))
    attrs.bold = cell.isBold ? 1 : 0
    attrs.italic = cell.isItalic ? 1 : 0
    attrs.underline = UInt32(cell.underline)
    attrs.blink = cell.isBlinking ? 1 : 0
    attrs.reverse = cell.isReverse ? 1 : 0
    attrs.strike = cell.isStruck ? 1 : 0
    attrs.font = UInt32(cell.font)
    fg = VTermColor(cell.foreground, standard: UInt8(VTERM_COLOR_DEFAULT_FG.rawValue))
    bg = VTermColor(cell.background, standard: UInt8(VTERM_COLOR_DEFAULT_BG.rawValue))
  }
}

extension VTermColor {
  fileprivate init(_ color: ReferenceColor, standard: UInt8) {
    self.init()
    switch color {
    case .standard: type = standard
    case .indexed(let index): vterm_color_indexed(&self, index)
    case .rgb(let red, let green, let blue): vterm_color_rgb(&self, red, green, blue)
    }
  }
}
