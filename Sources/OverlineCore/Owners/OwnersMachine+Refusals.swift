internal import Overline

extension OwnersMachine.Screen {
  /// The reason why an overlay has no room here; nil if it has, or if the size is not known.
  func refusal(of what: String, rows: Int, columns: Int) -> ProtocolError? {
    switch kind {
    case .window(let ownRows, let ownColumns):
      guard ownRows > 0, ownRows < rows || ownColumns < columns else { return nil }
      return ProtocolError(
        .noRoom, "this window has \(ownRows) rows and \(ownColumns) columns; \(what) needs \(rows) and \(columns)")
    case .monitor: return nil
    }
  }
}

extension ProtocolError {
  static let noScreen = ProtocolError(
    .noScreen,
    "no screen would show the banner: no window is open, no tmux client is attached, and no status bar watches; open a window with: overline run"
  )

  static let noScreenToAskOn = ProtocolError(
    .unsupported, "the monitor has no screen to ask on; overline alert asks in the window or terminal it is called in")
}

extension BannerAppearance {
  /// The requested appearance; throws for an invalid colour.
  init(_ request: ObserverRequest.BannerRequest) throws(ProtocolError) {
    let builder = BannerAppearance.Builder().title(request.title)
    do throws(ColorError) {
      if let background = request.background { builder.backgroundColor(try TerminalColor(parsing: background)) }
      if let text = request.text { builder.textColor(try TerminalColor(parsing: text)) }
    } catch {
      throw ProtocolError(.badColor, "\(error)")
    }
    if let height = request.height { builder.height(height) }
    self = builder.appearance
  }
}

extension OverlayOwner {
  /// The error of an overlay whose process does not run.
  package static func noProcessMessage(_ process: Int32) -> String { "\"while\" is \(process): no such process" }
}
