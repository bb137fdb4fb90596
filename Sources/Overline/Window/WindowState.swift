internal import OverlineSystem

/// The state of a window, and its pending effects. A value, changed under the window's lock.
struct WindowState: Sendable {
  var banner: BannerMachine
  var toasts: ToastMachine
  let style: TerminalWindow.Style
  let capabilities: TerminalCapabilities
  /// Nil where drawing is impossible.
  var size: WindowSize?
  /// The toasts that have not ended.
  var posted: [ToastID: Toast] = [:]
  var lastToast = 0
  /// Whether the window has received a known network path.
  var knowsNetwork = false
  var isClosed = false

  // Pending for the next turn of the queue.
  var isTurnDue = false
  var lines: [String] = []
  var ended: [Toast] = []
  /// The last line printed for the banner.
  private var bannerLine: String?

  init(style: TerminalWindow.Style, capabilities: TerminalCapabilities, size: WindowSize?) {
    self.style = style
    self.capabilities = capabilities
    self.size = size
    // Where drawing is impossible there is no motion either: each change is one line.
    let traits = WindowTraits(
      rows: size?.rows, columns: size?.columns, maximumFrames: size == nil ? 1 : nil, colors: capabilities.colors,
      reducesMotion: capabilities.isAccessible || size == nil)
    banner = BannerMachine(settings: BannerSettings(contrast: .enforce), window: traits)
    toasts = ToastMachine(settings: ToastSettings(contrast: .enforce), window: traits)
  }

  /// Ends all presentation, now and later. Pending lines stay.
  ///
  /// - Returns: the toasts that had not ended.
  mutating func close() -> [Toast] {
    let toasts = ended + posted.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
    let lines = lines
    self = WindowState(style: style, capabilities: capabilities, size: size)
    self.lines = lines
    isClosed = true
    return toasts
  }

  var nextDeadline: Duration? { [banner.nextDeadline, toasts.nextDeadline].compactMap { $0 }.min() }

  // MARK: Events

  mutating func handle(_ event: BannerEvent, at now: Duration) {
    for effect in banner.handle(event, at: now) {
      isTurnDue = true
      switch effect {
      // The next turn reads it from `content`.
      case .setInset, .draw, .clear: break
      case .publish(let status): note(status)
      }
    }
  }

  mutating func handle(_ event: ToastEvent, at now: Duration) {
    for effect in toasts.handle(event, at: now) {
      isTurnDue = true
      switch effect {
      case .draw, .clear: break
      case .publish(let content): if let content { lines.append(TerminalText.sanitized(content.announcement)) }
      case .end(let id): if let toast = posted.removeValue(forKey: id) { ended.append(toast) }
      }
    }
  }

  /// The clock may have reached ``nextDeadline``.
  mutating func reach(_ now: Duration) {
    handle(BannerEvent.deadlineReached, at: now)
    handle(ToastEvent.deadlineReached, at: now)
  }

  mutating func resize(to new: WindowSize?, at now: Duration) {
    // A terminal that has disappeared does not become a file.
    guard let new, new != size, size != nil else { return }
    size = new
    handle(BannerEvent.windowResized(rows: new.rows, columns: new.columns), at: now)
    handle(ToastEvent.windowResized(rows: new.rows, columns: new.columns), at: now)
    isTurnDue = true
  }

  private mutating func note(_ status: BannerStatus) {
    let line = status.banner.map { BannerText($0, usesASCII: capabilities.usesASCII).line }
    defer { bannerLine = line }
    if let line, line != bannerLine { lines.append(line) }
  }

  // MARK: Layout

  /// The rows to show now.
  var content: WindowContent? {
    guard let size else { return nil }
    var content = WindowContent(size: size)
    let banner = bannerRows(columns: size.columns)
    let toast = toastRows(size, below: banner.count)
    switch style {
    // The banner stays where it is when a toast comes.
    case .inline: content.bottom = toast + banner
    case .fullScreen:
      content.top = banner
      switch toasts.frame?.content.edge {
      case .top: content.top += toast
      case .bottom: content.bottom = toast
      case nil: break
      }
    }
    content.waitsForRoom = content.isEmpty && (self.banner.isBannerPresented || toasts.frame != nil)
    return content
  }

  /// The rows that ``content`` occupies.
  var inset: Inset {
    let content = content
    return Inset(top: content?.top.count ?? 0, bottom: content?.bottom.count ?? 0)
  }

  private func bannerRows(columns: Int) -> [[UInt8]] {
    let reserved = banner.inset.top
    guard reserved > 0, let frame = banner.frame else { return [] }
    let rows = BannerRows(
      frame, columns: columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII
    ).rows.prefix(reserved)
    // On its way to another height it may have fewer rows.
    return rows + Array(repeating: blank, count: reserved - rows.count)
  }

  /// One row of full width like the banner's if the words fit into it; otherwise the rows of a toast over a program.
  private func toastRows(_ size: WindowSize, below taken: Int) -> [[UInt8]] {
    let ascii = capabilities.usesASCII
    guard let frame = toasts.frame,
      let layout = ToastLayout(
        frame, rows: size.rows - taken, columns: size.columns, colors: capabilities.colors, usesASCII: ascii)
    else { return [] }
    let line = BannerFrame(appearance: frame.appearance, detail: frame.content.message)
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
