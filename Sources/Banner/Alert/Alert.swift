/// A question that must be answered before anything else is typed.
public struct Alert: Hashable, Sendable {
  public var title: String
  /// More about it. Empty for none.
  public var message: String
  /// 1 to ``buttonLimit``; the first is the action.
  public var buttons: [String]

  /// What fits into the exit status of a command.
  public static let buttonLimit = 8

  public init(title: String, message: String = "", buttons: [String]) {
    self.title = title
    self.message = message
    self.buttons = buttons
  }

  /// For screen readers and observers, in one line: `Alert: Deploy to production? Deploy, Cancel`
  public var announcement: String {
    let text = message.isEmpty ? title : "\(title) \(message)"
    return "Alert: \(text) \(buttons.joined(separator: ", "))"
  }
}

/// An alert that was posted. Whoever posts chooses it, never the same one twice.
public struct AlertID: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// What an alert looks like now.
public struct AlertFrame: Hashable, Sendable {
  public var alert: Alert
  /// The button that ``AlertKey/confirm`` presses.
  public var focus: Int

  init(alert: Alert, focus: Int) {
    self.alert = alert
    self.focus = focus
  }
}

/// What a key means to an alert.
public enum AlertKey: Hashable, Sendable {
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
public enum AlertEvent: Hashable, Sendable {
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
public enum AlertRefusal: Hashable, Sendable {
  case noRoom
  /// The terminal does not say where its cursor is.
  case noCursor
}

/// What the window's driver has to do, in this order.
public enum AlertEffect: Hashable, Sendable {
  case draw(AlertFrame)
  case clear
  /// The answer: a button, or nil when it was dismissed.
  case answer(AlertID, button: Int?)
  /// Nobody will ever be asked.
  case refuse(AlertID, AlertRefusal)
  /// Tell observers which alert there is now.
  case publish(Alert?)
}
