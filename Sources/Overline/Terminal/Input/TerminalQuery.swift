/// A request of a program whose answer contains rows, with the data that converts the answer to the program's rows.
///
/// `offset` is the number of the terminal's rows above the program's first row at the time of the request. Under origin mode it is 0 for
/// cursor reports: they count from the margin, which is already the program's.
package enum TerminalQuery: Equatable, Sendable {
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
  /// DA1, `CSI c`: answered by `CSI ? … c`. The window sends this request too, and must not mistake the program's answer for its own.
  case deviceAttributes
}

/// The state that determines the current meaning of input.
package struct InputContext: Equatable, Sendable {
  /// The rows of the banner above the program's first row; 0 while no banner shows.
  package var offset = 0
  /// The height of the program's terminal.
  package var programRows = 0
  /// The columns of the program's terminal, which has the width of the real one.
  package var columns = 0
  package var mouseTracking = Modes.MouseTracking.off
  package var mouseEncoding = Modes.MouseEncoding.x10
  /// The cells of the visible toast, for the mouse.
  package var toast: CellArea?
  /// True while an open alert receives every key and every press of the mouse.
  package var isCapturing = false
  /// The control character after which the next Escape is for the toast; nil while no toast shows.
  package var focusKey: UInt8?
  /// True when the window turned the mouse on and the program did not.
  package var isMouseOwn = false
  /// The width of a column in pixels, if the terminal reports it (`ws_xpixel`).
  package var cellWidth: Int?
  /// The height of a row in pixels, if the terminal reports it (`ws_ypixel`).
  package var cellHeight: Int?
  /// Mode 2048.
  package var reportsResize = false

  package init() {}
}
