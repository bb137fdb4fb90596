internal import OverlineSystem

/// The state of a window, and its pending effects. A value, changed under the window's lock.
struct WindowState: Sendable {
  private(set) var overlays: OverlayModel
  let style: TerminalWindow.Style
  let capabilities: TerminalCapabilities
  /// Whether another program shows the banner and the toasts.
  let drawsAlertsOnly: Bool
  /// Nil if drawing is impossible.
  var size: WindowSize?
  /// The toasts that have not ended.
  var posted: [ToastID: Toast] = [:]
  var lastToast = 0
  /// The callers that wait for the answers to their alerts.
  var asked: [AlertID: @Sendable (AlertAnswer<Int>) -> Void] = [:]
  var lastAlert = 0
  /// Whether the window has received a known network path.
  var knowsNetwork = false
  /// The source of the network's paths, while the window shows them.
  var feed: NetworkFeed?
  /// The number of suspensions that have not been resumed. While there is one, the window paints nothing.
  var suspensions = 0
  var isClosed = false

  /// What the next turn of the queue delivers.
  struct Pending: Sendable {
    var isTurnDue = false
    var lines: [String] = []
    var ended: [Toast] = []
    var answers: [Answer] = []
  }

  var pending = Pending()
  /// The last line printed for the banner.
  private var bannerLine: String?

  init(
    style: TerminalWindow.Style, capabilities: TerminalCapabilities, drawsAlertsOnly: Bool = false, size: WindowSize?
  ) {
    self.style = style
    self.capabilities = capabilities
    self.drawsAlertsOnly = drawsAlertsOnly
    self.size = size
    // If neither banner nor toasts are drawn there is no motion: each change is one line.
    let isStill = size == nil || drawsAlertsOnly
    let traits = WindowTraits(
      rows: size?.rows, columns: size?.columns, maximumFrames: isStill ? 1 : nil, colors: capabilities.colors,
      reducesMotion: capabilities.isAccessible || isStill)
    overlays = OverlayModel(
      banner: BannerSettings(contrast: .enforce), toasts: ToastSettings(contrast: .enforce), window: traits)
  }

  /// Ends all presentation for good. Pending lines stay.
  ///
  /// - Returns: the toasts that had not ended.
  mutating func close() -> (toasts: [Toast], answers: [Answer]) {
    for id in asked.keys { answer(id, .dismissed) }
    let answers = pending.answers
    let toasts = pending.ended + posted.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
    let (lines, feed) = (pending.lines, feed)
    self = WindowState(style: style, capabilities: capabilities, drawsAlertsOnly: drawsAlertsOnly, size: size)
    pending.lines = lines
    self.feed = feed
    isClosed = true
    return (toasts, answers)
  }

  var nextDeadline: Duration? { overlays.nextDeadline }

  // MARK: Events

  mutating func handle(_ event: OverlayEvent, at now: Duration) {
    let before = (overlays.presentation, overlays.inset, overlays.status)
    for effect in overlays.handle(event, at: now) {
      pending.isTurnDue = true
      switch effect {
      case .toastEnded(let id): if let toast = posted.removeValue(forKey: id) { pending.ended.append(toast) }
      case .alertAnswered(let id, let button): answer(id, button.map(AlertAnswer.button) ?? .dismissed)
      case .alertRefused(let id, _): answer(id, .impossible)
      case .quietBegan, .quietEnded: break
      }
    }
    if before.0 != overlays.presentation || before.1 != overlays.inset { pending.isTurnDue = true }
    announce(since: before.2)
  }

  /// An alert's answer that the next turn of the queue delivers to its caller.
  struct Answer: Sendable {
    var give: @Sendable (AlertAnswer<Int>) -> Void
    var answer: AlertAnswer<Int>
  }

  mutating func answer(_ id: AlertID, _ answer: AlertAnswer<Int>) {
    guard let give = asked.removeValue(forKey: id) else { return }
    pending.answers.append(Answer(give: give, answer: answer))
    pending.isTurnDue = true
  }

  /// Ends the network's banner, without *Back online*.
  mutating func endNetwork(at now: Duration) {
    let before = overlays.status
    knowsNetwork = false
    _ = overlays.handle(.banner(.networkRestored), at: now)
    switch overlays.banner.phase {
    case .restored: _ = overlays.handle(.banner(.bannerDismissedByUser), at: now)
    case .hidden, .grace, .presented, .dismissed, .expired, .leaving: break
    }
    pending.isTurnDue = true
    announce(since: before)
  }

  mutating func resize(to new: WindowSize?, at now: Duration) {
    // If the terminal disappears, keep its last size: the window does not switch to lines.
    guard let new, new != size, size != nil else { return }
    size = new
    handle(.windowResized(rows: new.rows, columns: new.columns), at: now)
    pending.isTurnDue = true
  }

  /// Adds a line for each overlay that has appeared.
  private mutating func announce(since old: OverlayStatus) {
    let new = overlays.status
    guard new != old else { return }
    pending.isTurnDue = true
    let line = new.banner.banner.map { BannerText($0, usesASCII: capabilities.usesASCII).line }
    if let line, line != bannerLine { pending.lines.append(line) }
    bannerLine = line
    if let alert = new.alert, alert != old.alert { pending.lines.append(TerminalText.sanitized(alert.announcement)) }
    if let toast = new.toast, toast != old.toast { pending.lines.append(TerminalText.sanitized(toast.announcement)) }
  }

  // MARK: Layout

  /// Whether an alert should show.
  var isAsking: Bool { !isClosed && overlays.status.alert != nil && suspensions == 0 }

  /// The rows to show now.
  var content: WindowContent? {
    guard let size else { return nil }
    var content = WindowContent(size: size)
    if suspensions > 0 { return content }
    let banner = drawsAlertsOnly ? [] : bannerRows(columns: size.columns)
    let toast = drawsAlertsOnly || isToastCovered ? [] : toastRows(size, below: banner.count)
    let alert = alertRows(size, below: banner.count + toast.count)
    content.hasAlert = !alert.isEmpty
    switch style {
    // The banner stays where it is when a toast or an alert comes.
    case .inline: content.bottom = toast + alert + banner
    case .fullScreen:
      content.top = banner
      switch overlays.presentation.toast?.content.edge {
      case .top: content.top += toast
      case .bottom: content.bottom = toast
      case nil: break
      }
      content.top += alert
    }
    content.waitsForRoom =
      content.isEmpty && !drawsAlertsOnly && !overlays.isQuiet
      && (overlays.banner.isBannerPresented || overlays.presentation.toast != nil)
    return content
  }

  /// The rows that ``content`` occupies.
  var inset: TerminalInsets {
    let content = content
    return TerminalInsets(top: content?.top.count ?? 0, bottom: content?.bottom.count ?? 0)
  }

  private func bannerRows(columns: Int) -> [[UInt8]] {
    let reserved = overlays.inset.top
    guard reserved > 0, let frame = overlays.presentation.banner else { return [] }
    let rows = BannerRows(
      frame, columns: columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII
    ).rows.prefix(reserved)
    // During a change of height the banner may have fewer rows.
    return rows + Array(repeating: blank, count: reserved - rows.count)
  }

  /// Whether an alert shows, of a higher level than the toast.
  private var isToastCovered: Bool {
    guard let alert = overlays.presentation.alert, let toast = overlays.presentation.toast else { return false }
    return toast.content.level < alert.alert.level
  }

  private func alertRows(_ size: WindowSize, below taken: Int) -> [[UInt8]] {
    let rows = size.rows - taken - BannerAppearance.minimumContentRows
    guard let frame = overlays.presentation.alert, rows >= AlertLayout.minimumRows,
      size.columns >= AlertLayout.minimumColumns
    else { return [] }
    let box = AlertLayout(
      frame, rows: rows, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII
    ).box
    return box.encoded(colors: capabilities.colors).map { blank + Array("\u{1b}[\(box.column + 1)G".utf8) + $0 }
  }

  /// One row of full width, like the banner's, if the words fit into it. Otherwise the rows of a toast over a program.
  private func toastRows(_ size: WindowSize, below taken: Int) -> [[UInt8]] {
    let ascii = capabilities.usesASCII
    guard let frame = overlays.presentation.toast,
      let layout = ToastLayout(
        frame, rows: size.rows - taken, columns: size.columns, colors: capabilities.colors, usesASCII: ascii,
        mayBeFramed: false)
    else { return [] }
    let line = BannerFrame(appearance: frame.appearance, detail: frame.content.message ?? "")
    let isWhole = BannerText(line, columns: size.columns, usesASCII: ascii) == BannerText(line, usesASCII: ascii)
    if frame.content.rows.isEmpty, isWhole {
      return BannerRows(line, columns: size.columns, colors: capabilities.colors, usesASCII: ascii).rows
    }
    var box = layout.box(frame, rows: size.rows, columns: size.columns)
    box.rows = layout.rows
    return box.encoded(colors: capabilities.colors).map { blank + Array("\u{1b}[\(box.column + 1)G".utf8) + $0 }
  }

  private var blank: [UInt8] { Array("\u{1b}[m\u{1b}[K".utf8) }
}
