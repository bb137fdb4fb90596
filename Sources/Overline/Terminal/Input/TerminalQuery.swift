/// What a program asked the terminal in a way whose answer says something about rows, and what must be known to give that answer in
/// the program's rows.
///
/// `offset` is how many rows of the terminal were above the program's first one when it asked. Under origin mode a cursor report
/// counts from the margin, which is already the program's: there it is 0.
package enum TerminalQuery: Hashable, Sendable {
  /// DSR 6, `CSI 6 n`: answered by `CSI r ; c R`.
  case cursorPosition(offset: Int)
  /// DECXCPR, `CSI ? 6 n`: answered by `CSI ? r ; c R`.
  case extendedCursorPosition(offset: Int)
  /// XTWINOPS 18, `CSI 18 t`: answered by `CSI 8 ; r ; c t`.
  case textAreaSize(offset: Int)
  /// XTWINOPS 14, `CSI 14 t`: answered by `CSI 4 ; h ; w t`.
  case textAreaPixels(offset: Int)
  /// DECRQSS of DECSTBM, `DCS $ q r ST`: answered by `DCS 1 $ r t ; b r ST`.
  case margins(offset: Int)
  /// DECRQSS of DECSLPP or DECSNLS, `DCS $ q t ST` or `DCS $ q * | ST`: answered by `DCS 1 $ r n t ST` or `DCS 1 $ r n * | ST`.
  case rowCount(offset: Int)
  /// DA1, `CSI c`: answered by `CSI ? … c`. The window asks this too, and must not take the program's answer for its own.
  case deviceAttributes
}

/// What input means at the moment.
package struct InputContext: Hashable, Sendable {
  /// Rows of the banner above the program's first one; 0 while none shows.
  package var offset = 0
  /// The rows that the program has.
  package var programRows = 0
  /// The columns of both.
  package var columns = 0
  package var mouseTracking = Modes.MouseTracking.off
  package var mouseEncoding = Modes.MouseEncoding.x10
  /// Where a toast is, for the mouse.
  package var toast: CellArea?
  /// An alert asks: every key and every press of the mouse is its own.
  package var isCapturing = false
  /// The control character that says that the next Escape is for the toast; nil while none shows.
  package var focusKey: UInt8?
  /// The window itself turned the mouse on, and the program did not ask for it.
  package var isMouseOwn = false
  /// Pixels of a column, where the terminal says so (`ws_xpixel`).
  package var cellWidth: Int?
  /// Pixels of a row, where the terminal says so (`ws_ypixel`).
  package var cellHeight: Int?
  /// Mode 2048.
  package var reportsResize = false

  package init() {}
}
