/// The modes that a program has set (SM, DECSET), as far as they affect the place of output or the meaning of input.
package struct Modes: Equatable, Sendable {
  package enum MouseTracking: UInt16, Sendable {
    case off = 0
    case press = 9
    case normal = 1000
    case button = 1002
    case any = 1003
  }

  package enum MouseEncoding: UInt16, Sendable {
    case x10 = 0
    case utf8 = 1005
    case sgr = 1006
    case urxvt = 1015
    case sgrPixels = 1016
  }

  /// IRM.
  package var isInsert = false
  /// LNM: a line feed is also a carriage return.
  package var isNewline = false
  /// DECOM.
  package var isOrigin = false
  /// DECAWM.
  package var isAutowrap = true
  /// DECTCEM.
  package var isCursorVisible = true
  /// DECSCL: below level 4 a terminal ignores DECLRMM.
  package var allowsLeftRightMargins = true
  /// DECLRMM: left and right margins may be set.
  package var hasLeftRightMargins = false
  /// DECSACE: attributes are changed in a rectangle, not in a stream of lines.
  package var changesRectangles = false
  /// S8C1T: the terminal sends its replies with C1 controls of one byte.
  package var sendsEightBitControls = false
  /// 40: DECCOLM is allowed.
  package var allowsColumnChange = false
  /// DECNCSM: DECCOLM does not clear the screen.
  package var keepsScreen = false
  /// 41: a tab performs a pending wrap first.
  package var tabWraps = false
  /// 45.
  package var reverseWraps = false
  /// 1045.
  package var reverseWrapsAlways = false
  package var mouseTracking = MouseTracking.off
  package var mouseEncoding = MouseEncoding.x10
  /// 2004.
  package var isBracketedPaste = false
  /// 2026.
  package var isSynchronized = false
  /// 2048.
  package var reportsResize = false

  package init() {}
}
