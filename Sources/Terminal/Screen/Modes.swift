/// The modes that a program has set (SM, DECSET), as far as they matter to where things are drawn and to what input means.
public struct Modes: Hashable, Sendable {
  public enum MouseTracking: UInt16, Sendable {
    case off = 0
    case press = 9
    case normal = 1000
    case button = 1002
    case any = 1003
  }

  public enum MouseEncoding: UInt16, Sendable {
    case x10 = 0
    case utf8 = 1005
    case sgr = 1006
    case urxvt = 1015
    case sgrPixels = 1016
  }

  /// IRM.
  public var isInsert = false
  /// LNM: a line feed is also a carriage return.
  public var isNewline = false
  /// DECOM.
  public var isOrigin = false
  /// DECAWM.
  public var isAutowrap = true
  /// DECTCEM.
  public var isCursorVisible = true
  /// DECLRMM: left and right margins may be set.
  public var hasLeftRightMargins = false
  /// 40: DECCOLM is heeded.
  public var allowsColumnChange = false
  public var mouseTracking = MouseTracking.off
  public var mouseEncoding = MouseEncoding.x10
  /// 2004.
  public var isBracketedPaste = false
  /// 2026.
  public var isSynchronized = false
  /// 2048.
  public var reportsResize = false

  public init() {}
}
