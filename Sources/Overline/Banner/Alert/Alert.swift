/// A modal question: the program receives no key until the user has answered.
package struct Alert: Hashable, Sendable {
  package var title: String
  /// Further text below the title. Empty for none.
  package var message: String
  /// 1 to ``buttonLimit``; the first is the action.
  package var buttons: [String]

  /// Whether a toast is in front of the alert or behind it.
  package var level: OverlayLevel
  /// Rows to show in place of the message. Empty for none.
  package var rows: [[StyledText]]
  /// The button that has the focus first.
  package var focus = 0
  /// The button that ``AlertKey/dismiss`` presses; nil dismisses the alert.
  package var cancelButton: Int?

  /// The most buttons whose numbers fit into a command's exit status.
  package static let buttonLimit = 8

  package init(
    title: String, message: String = "", buttons: [String], level: OverlayLevel = .alert, rows: [[StyledText]] = []
  ) {
    self.title = title
    self.message = message
    self.buttons = buttons
    self.level = level
    self.rows = rows
  }

  /// For screen readers and observers, in one line: `Alert: Deploy to production? Deploy, Cancel`
  package var announcement: String {
    let text = message.isEmpty ? title : "\(title) \(message)"
    return "Alert: \(text) \(buttons.joined(separator: ", "))"
  }
}

/// Identifies a posted alert. Chosen by the poster; never reused.
package struct AlertID: RawRepresentable, Hashable, Sendable {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// An alert as it looks now.
package struct AlertFrame: Equatable, Sendable {
  package var alert: Alert
  /// The button that ``AlertKey/confirm`` presses.
  package var focus: Int

  init(alert: Alert, focus: Int) {
    self.alert = alert
    self.focus = focus
  }
}

/// The meaning of a key to an alert.
package enum AlertKey: Equatable, Sendable {
  case previousButton
  case nextButton
  case confirm
  case dismiss
  /// A digit key. Buttons count from 0 here.
  case button(Int)
  /// Any other key, which has no meaning to an alert.
  case other
}

/// An event for a window's alerts.
package enum AlertEvent: Equatable, Sendable {
  case alertPosted(Alert, id: AlertID)
  /// The alert's client has disconnected, or has withdrawn the alert.
  case alertWithdrawn(AlertID)
  /// The alert in front has become visible; it receives the keys from now on.
  case alertAppeared
  case keyPressed(AlertKey)
  /// The mouse pressed this button of the alert in front.
  case buttonPressed(Int)
  /// This window cannot show alerts, for this reason.
  case alertsRefused(AlertRefusal)
}

/// The reason why a window does not show an alert. The client must ask elsewhere.
package enum AlertRefusal: Equatable, Sendable {
  case noRoom
  /// The terminal does not report its cursor position.
  case noCursor
}
