@testable import Overline

/// The bytes are the events of a screen's banner, toasts and alerts, with the time between them.
enum OverlayTarget {
  static func run(_ bytes: [UInt8]) {
    var script = ByteScript(bytes)
    let motion: BannerSettings.Motion = script.next() & 1 == 0 ? .off : .auto
    var driver = Driver(motion: motion, rows: script.rows(), columns: script.columns())
    while !script.isEmpty {
      driver.now += script.pause()
      driver.send(event(&script, driver.posted))
    }
    driver.isEverythingEndedOnce()
  }

  private static func event(_ script: inout ByteScript, _ last: Int) -> OverlayEvent {
    let kind = script.next() % 24
    let value = Int(script.next())
    return switch kind {
    case 0: .banner(.networkLost(cause: script.word()))
    case 1: .banner(.networkFoundLost(cause: script.word()))
    case 2: .banner(.networkLimited(cause: script.word()))
    case 3: .banner(.networkRestored)
    case 4: .banner(value % 2 == 0 ? .bannerDismissedByUser : .claimDismissed)
    case 5:
      .banner(
        .bannerPresented(BannerAppearance(title: script.word(), backgroundColor: .systemGreen, height: 1 + value % 8)))
    case 6: .banner(.customBannerDismissed)
    case 7: .banner(.noticePresented(script.word()))
    case 8: .banner(.noticeDismissed)
    case 9, 10: .windowResized(rows: value < 250 ? value % 40 : nil, columns: value < 250 ? value : nil)
    case 11, 12:
      .toast(
        .toastPosted(
          ToastContent(
            title: script.word(), message: script.word(), duration: value % 3 == 0 ? nil : .milliseconds(value * 20),
            edge: value % 2 == 0 ? .top : .bottom), id: ToastID(rawValue: last + 1)))
    case 13: .toast(.toastDismissed(ToastID(rawValue: last - value % 4)))
    case 14: .toast(.frontToastDismissed)
    case 15: .toast(.dragBegan)
    case 16: .toast(.dragMoved(rows: value % 7 - 3))
    case 17: .toast(.dragEnded(rows: value % 7 - 3))
    case 18: .toast(.dragCancelled)
    case 19:
      .alert(
        .alertPosted(
          Alert(
            title: script.word(), buttons: (0...value % Alert.buttonLimit).map { "\($0)" },
            level: value % 2 == 0 ? .alert : .normal), id: AlertID(rawValue: last + 1)))
    case 20: .alert(.alertWithdrawn(AlertID(rawValue: last - value % 4)))
    case 21: .alert(.alertAppeared)
    case 22:
      .alert(
        .keyPressed(
          [.previousButton, .nextButton, .confirm, .dismiss, .button(value % 10), .other][value % 6]))
    default: .deadlineReached
    }
  }

  private struct Driver {
    var overlays: OverlayModel
    var now = Duration.seconds(100)
    /// The number of the last toast or alert.
    var posted = 0
    private var toasts: Set<ToastID> = []
    private var alerts: Set<AlertID> = []

    init(motion: BannerSettings.Motion, rows: Int, columns: Int) {
      overlays = OverlayModel(
        banner: BannerSettings(motion: motion), toasts: ToastSettings(motion: motion),
        window: WindowTraits(rows: rows, columns: columns))
    }

    mutating func send(_ event: OverlayEvent) {
      switch event {
      case .toast(.toastPosted(_, let id)):
        posted = id.rawValue
        toasts.insert(id)
      case .alert(.alertPosted(_, let id)):
        posted = id.rawValue
        alerts.insert(id)
      case .alert(.alertWithdrawn(let id)): alerts.remove(id)
      default: break
      }
      deliver(event)
      // The driver delivers a deadline at its time: afterwards the next one is later.
      deliver(.deadlineReached)
      precondition(overlays.nextDeadline.map { $0 > now } ?? true, "a deadline that has passed would spin")
    }

    private mutating func deliver(_ event: OverlayEvent) {
      for effect in overlays.handle(event, at: now) {
        switch effect {
        case .toastEnded(let id): precondition(toasts.remove(id) != nil, "a toast ends once")
        case .alertAnswered(let id, _), .alertRefused(let id, _):
          precondition(alerts.remove(id) != nil, "an alert is answered once")
        case .quietBegan, .quietEnded: break
        }
      }
      let inset = overlays.inset
      precondition((0...8).contains(inset.top) && inset.bottom == 0)
      precondition(overlays.presentation.banner != nil || inset.top == 0, "nothing shows, nothing is reserved")
    }

    /// Dismisses everything, and lets time pass: then each toast has ended and each alert is answered.
    mutating func isEverythingEndedOnce() {
      for id in toasts { deliver(.toast(.toastDismissed(id))) }
      deliver(.alert(.alertsRefused(.noRoom)))
      for event in [BannerEvent.noticeDismissed, .customBannerDismissed, .networkRestored] { deliver(.banner(event)) }
      var steps = 0
      while let deadline = overlays.nextDeadline {
        now = max(now, deadline)
        deliver(.deadlineReached)
        steps += 1
        precondition(steps < 10_000, "motion that never ends")
      }
      precondition(toasts.isEmpty && alerts.isEmpty)
      precondition(overlays.presentation.isEmpty && overlays.inset == TerminalInsets())
    }
  }
}

/// Values from bytes; zeros after the last one.
struct ByteScript {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func next() -> UInt8 { bytes.popFirst() ?? 0 }

  mutating func rows() -> Int { Int(next() % 40) + 1 }
  mutating func columns() -> Int { Int(next() % 120) + 1 }

  /// Nothing, a frame, or up to twelve seconds.
  mutating func pause() -> Duration {
    let value = Int(next())
    return value < 100 ? .zero : value < 180 ? .milliseconds(value - 99) : .milliseconds((value - 179) * 160)
  }

  /// Up to 31 of the bytes.
  mutating func run() -> [UInt8] { run(upTo: Int(next() % 32)) }

  mutating func run(upTo count: Int) -> [UInt8] {
    defer { bytes = bytes.dropFirst(count) }
    return Array(bytes.prefix(count))
  }

  mutating func word() -> String { String(decoding: run(), as: UTF8.self) }
}
