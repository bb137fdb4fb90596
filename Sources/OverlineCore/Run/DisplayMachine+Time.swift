internal import Overline

extension DisplayMachine: TimedMachine {
  enum Timer: CaseIterable {
    /// The next frame or phase of the overlays.
    case overlays
    /// The output has paused long enough to be drawn on the grid.
    case settling
    /// The program has not drawn itself again.
    case redraw
    /// The banner has been lifted long enough.
    case batch
    /// The rest of a sequence of input does not come.
    case sequence
    /// The size has settled.
    case size
    /// The terminal does not answer.
    case inquiry
    /// Held output may lift the banner.
    case heldOutput
    case hardSync
    /// After a change of size without overlays, an overlay may show.
    case rest
  }

  static let timers = Timer.allCases

  func deadline(of timer: Timer) -> Duration? {
    switch timer {
    case .overlays: overlays.nextDeadline
    case .settling: canvas.settleDeadline
    case .redraw: canvas.redrawDeadline
    case .batch: canvas.batchDeadline
    case .sequence: releaseDeadline
    case .size: sizes.deadline
    case .inquiry: inquiry.deadline
    case .heldOutput: knowsPlace ? canvas.pace.deadline : nil
    case .hardSync: sizes.hardSync.deadline
    case .rest: isShowHeld ? sizes.restDeadline : nil
    }
  }

  mutating func handleDeadlines(_ demand: Demand, at now: Duration) {
    for timer in Self.timers where isDue(timer, at: now) {
      switch timer {
      case .overlays: deliver(.deadlineReached, at: now)
      case .settling: canvas.settle()
      case .redraw: canvas.endRedraw()
      case .batch: finishBatch(isFlood: true, at: now)
      case .sequence: releaseInput(at: now)
      case .size: settleSize(demand, at: now)
      case .inquiry: endInquiry(at: now)
      case .heldOutput: checkBeforeLift(at: now)
      case .hardSync: sizes.advanceHardSync(at: now)
      case .rest: sizes.endRest()
      }
    }
  }
}
