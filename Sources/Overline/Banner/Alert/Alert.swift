/// A question that must be answered before anything else is typed.
package struct Alert: Hashable, Sendable {
  package var title: String
  /// More about it. Empty for none.
  package var message: String
  /// 1 to ``buttonLimit``; the first is the action.
  package var buttons: [String]

  /// What fits into the exit status of a command.
  package static let buttonLimit = 8

  package init(title: String, message: String = "", buttons: [String]) {
    self.title = title
    self.message = message
    self.buttons = buttons
  }

  /// For screen readers and observers, in one line: `Alert: Deploy to production? Deploy, Cancel`
  package var announcement: String {
    let text = message.isEmpty ? title : "\(title) \(message)"
    return "Alert: \(text) \(buttons.joined(separator: ", "))"
  }
}

/// An alert that was posted. Whoever posts chooses it, never the same one twice.
package struct AlertID: RawRepresentable, Hashable, Sendable {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// What an alert looks like now.
package struct AlertFrame: Hashable, Sendable {
  package var alert: Alert
  /// The button that ``AlertKey/confirm`` presses.
  package var focus: Int

  init(alert: Alert, focus: Int) {
    self.alert = alert
    self.focus = focus
  }
}

/// What a key means to an alert.
package enum AlertKey: Hashable, Sendable {
  case previousButton
  case nextButton
  case confirm
  case dismiss
  /// A digit: buttons count from 0 here.
  case button(Int)
  /// Any other key: it means nothing to an alert.
  case other
}

/// What happened to a window's alerts.
package enum AlertEvent: Hashable, Sendable {
  case alertPosted(Alert, id: AlertID)
  /// Whoever asked is gone, or does not want to know any longer.
  case alertWithdrawn(AlertID)
  /// The alert in front can be seen now, and keys are its own from now on.
  case alertAppeared
  case keyPressed(AlertKey)
  /// The mouse pressed this button of the alert in front.
  case buttonPressed(Int)
  /// Nothing can be shown here, for this reason.
  case alertsRefused(AlertRefusal)
}

/// Why a window does not show an alert: whoever asks has to ask elsewhere.
package enum AlertRefusal: Hashable, Sendable {
  case noRoom
  /// The terminal does not say where its cursor is.
  case noCursor
}

/// What the window's driver has to do, in this order.
package enum AlertEffect: Hashable, Sendable {
  case draw(AlertFrame)
  case clear
  /// The answer: a button, or nil when it was dismissed.
  case answer(AlertID, button: Int?)
  /// Nobody will ever be asked.
  case refuse(AlertID, AlertRefusal)
  /// Tell observers which alert there is now.
  case publish(Alert?)
}
