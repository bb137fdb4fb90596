import Overline

/// A change that an event made to a banner, in the order in which a driver shows them: rows before they are drawn in, and back after.
enum BannerChange: Equatable {
  case inset(TerminalInsets)
  case frame(BannerFrame)
  case cleared
  case status(BannerStatus)
}

extension BannerMachine {
  mutating func changes(after event: BannerEvent, at now: Duration) -> [BannerChange] {
    let old = self
    handle(event, at: now)
    var changes: [BannerChange] = []
    let grows = inset.top + inset.bottom > old.inset.top + old.inset.bottom
    if grows { changes.append(.inset(inset)) }
    if frame != old.frame { changes.append(frame.map { .frame($0) } ?? .cleared) }
    if inset != old.inset, !grows { changes.append(.inset(inset)) }
    if status != old.status { changes.append(.status(status)) }
    return changes
  }

  /// Delivers every deadline up to `end` at its own time.
  @discardableResult
  mutating func run(until end: Duration) -> [BannerChange] {
    var changes: [BannerChange] = []
    while let deadline = nextDeadline, deadline <= end {
      changes += self.changes(after: .deadlineReached, at: deadline)
    }
    return changes
  }
}

extension [BannerChange] {
  var frames: [BannerFrame] { compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }
  var insets: [TerminalInsets] { compactMap { if case .inset(let inset) = $0 { inset } else { nil } } }
  var statuses: [BannerStatus] { compactMap { if case .status(let status) = $0 { status } else { nil } } }
}
