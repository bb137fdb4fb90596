/// The toasts of one window: the visible one, the waiting ones, and the motion of each.
///
/// All decisions about a toast are in this file. The machine is a value, like ``BannerMachine``. A driver passes it events and the time,
/// shows ``frame``, and delivers ``ToastEvent/deadlineReached`` at ``nextDeadline``. The effects report the ends of toasts.
///
///     empty ──posted──► entering ──there──► resting ──time, or dismissed──► leaving ──gone──► empty, or the next one enters
///                          ▲                 │   ▲                             ▲
///                          └──short of it────┼─ dragged ──beyond the threshold─┘
package struct ToastMachine: Sendable {
  /// The number of rows that the user must drag a toast towards its edge to dismiss it.
  package static let dragThreshold = 2
  /// The lowest opacity of a dragged toast.
  static let minimumOpacity = 0.5
  /// The loss of opacity per dragged row.
  static let opacityOfRow = 0.15

  private struct Posted: Equatable, Sendable {
    var content: ToastContent
    var id: ToastID
  }

  enum Stage: Sendable {
    case empty
    case entering(Slide)
    /// The toast rests until this time; nil until dismissed.
    case resting(until: Duration?)
    /// A press and release without a move between them is a click.
    case dragged(rows: Int, hasMoved: Bool)
    /// The toast leaves from its dragged position.
    case leaving(Slide, rows: Int)
  }

  public private(set) var settings: ToastSettings
  public private(set) var window: WindowTraits
  /// The frame to show; nil for none.
  public private(set) var frame: ToastFrame?

  /// The toast in front; nil only in ``Stage/empty``.
  private var front: Posted?
  private(set) var stage = Stage.empty
  private var waiting: [Posted] = []

  package init(settings: ToastSettings = ToastSettings(), window: WindowTraits) {
    self.settings = settings
    self.window = window
  }

  /// True if no toast shows or waits.
  package var isEmpty: Bool { front == nil && waiting.isEmpty }

  /// The toast for observers; nil once it is leaving.
  package var current: ToastContent? { isLeaving ? nil : front?.content }

  package mutating func handle(_ event: ToastEvent, at now: Duration) -> [OverlayEffect] {
    var ended: [ToastID] = []
    switch event {
    case .toastPosted(let content, let id): post(Posted(content: content, id: id), at: now, &ended)
    case .toastDismissed(let id): dismiss(id, at: now, &ended)
    case .frontToastDismissed: leave(at: now)
    case .dragBegan: beginDrag()
    case .dragMoved(let rows): moveDrag(rows)
    case .dragEnded(let rows): endDrag(rows, at: now)
    case .dragCancelled: cancelDrag(at: now)
    case .windowResized(let rows, let columns):
      window.rows = rows
      window.columns = columns
    case .settingsChanged(let new): settings = new
    case .deadlineReached: break
    }
    advance(at: now, &ended)
    draw()
    return ended.map(OverlayEffect.toastEnded)
  }

  /// True while the user drags the toast: it stays until the button is released.
  package var isHeld: Bool {
    switch stage {
    case .dragged: true
    case .empty, .entering, .resting, .leaving: false
    }
  }

  /// The time when ``ToastEvent/deadlineReached`` is due; nil when only an event can change anything.
  package var nextDeadline: Duration? {
    switch stage {
    case .empty, .dragged: nil
    case .resting(let until): until
    case .entering(let slide), .leaving(let slide, _): slide.nextFrameDue
    }
  }
}

// MARK: - Posting

extension ToastMachine {
  private mutating func post(_ new: Posted, at now: Duration, _ ended: inout [ToastID]) {
    if let front, front.content.isSame(as: new.content), !isLeaving {
      return takeOver(front, new, at: now, &ended)
    }
    if let index = waiting.firstIndex(where: { $0.content.isSame(as: new.content) }) {
      ended.append(waiting[index].id)
      waiting[index] = new
      return
    }
    guard let front, !isLeaving else { return wait(new, &ended) }
    switch settings.policy {
    case .queue: wait(new, &ended)
    case .ignore: ended.append(new.id)
    case .replace:
      if front.content.edge == new.content.edge { return takeOver(front, new, at: now, &ended) }
      ended.append(front.id)
      enter(new, at: now)
    }
  }

  /// Replaces the old toast in place; the new toast does not enter again.
  private mutating func takeOver(_ old: Posted, _ new: Posted, at now: Duration, _ ended: inout [ToastID]) {
    ended.append(old.id)
    front = new
    switch stage {
    case .resting: stage = .resting(until: end(of: new, from: now))
    // The toast's time begins when it rests.
    case .empty, .entering, .dragged, .leaving: break
    }
  }

  private mutating func wait(_ new: Posted, _ ended: inout [ToastID]) {
    waiting.append(new)
    if waiting.count > ToastSettings.queueLimit { ended.append(waiting.removeFirst().id) }
  }

  private func end(of toast: Posted, from now: Duration) -> Duration? {
    toast.content.rest.map { rest in
      // Clamped, because the sum could overflow. No sensible duration is as long.
      min(now, .seconds(1 << 40)) + min(rest, .seconds(1 << 40))
    }
  }
}

// MARK: - Coming and going

extension ToastMachine {
  private var isLeaving: Bool {
    switch stage {
    case .leaving: true
    case .empty, .entering, .resting, .dragged: false
    }
  }

  /// The visible part of the toast, combined with its opacity.
  private var visibility: Double {
    switch stage {
    case .empty: 0
    case .entering(let slide), .leaving(let slide, _): slide.value
    case .resting: 1
    case .dragged(let rows, _): Self.opacity(draggedBy: rows)
    }
  }

  /// The rows by which the toast was dragged towards its edge.
  private var draggedRows: Int {
    switch stage {
    case .empty, .entering, .resting: 0
    case .dragged(let rows, _), .leaving(_, let rows): rows
    }
  }

  private static func opacity(draggedBy rows: Int) -> Double { max(minimumOpacity, 1 - Double(rows) * opacityOfRow) }

  private var frames: Int { Motion.frames(in: Motion.slide, window: window, isOn: settings.motion.moves(in: window)) }

  private mutating func enter(_ toast: Posted, at now: Duration) {
    front = toast
    stage = .entering(Slide(from: 0, to: 1, start: now, frames: frames))
  }

  private mutating func leave(at now: Duration) {
    guard front != nil, !isLeaving else { return }
    stage = .leaving(Slide(from: visibility, to: 0, start: now, frames: frames), rows: draggedRows)
  }

  private mutating func dismiss(_ id: ToastID, at now: Duration, _ ended: inout [ToastID]) {
    if front?.id == id { return leave(at: now) }
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: index)
    ended.append(id)
  }

  /// Advances through every stage that has ended by now.
  private mutating func advance(at now: Duration, _ ended: inout [ToastID]) {
    while true {
      switch stage {
      case .empty:
        guard !waiting.isEmpty else { return }
        enter(waiting.removeFirst(), at: now)
      case .entering(var slide):
        slide.advance(to: now)
        stage = .entering(slide)
        guard slide.isOver, let front else { return }
        stage = .resting(until: end(of: front, from: now))
      case .resting(let until):
        guard let until, until <= now else { return }
        leave(at: now)
      case .dragged: return
      case .leaving(var slide, let rows):
        slide.advance(to: now)
        stage = .leaving(slide, rows: rows)
        guard slide.isOver, let gone = front else { return }
        stage = .empty
        front = nil
        frame = nil
        ended.append(gone.id)
      }
    }
  }
}

// MARK: - Dragging

extension ToastMachine {
  private mutating func beginDrag() {
    switch stage {
    case .entering, .resting: stage = .dragged(rows: 0, hasMoved: false)
    case .empty, .dragged, .leaving: break
    }
  }

  private mutating func moveDrag(_ rows: Int) {
    switch stage {
    // Dragging away from the edge does nothing.
    case .dragged(_, let hasMoved): stage = .dragged(rows: max(0, rows), hasMoved: hasMoved || rows != 0)
    case .empty, .entering, .resting, .leaving: break
    }
  }

  private mutating func endDrag(_ rows: Int, at now: Duration) {
    switch stage {
    case .dragged(_, let hasMoved):
      if rows >= Self.dragThreshold || rows == 0 && !hasMoved { leave(at: now) } else { cancelDrag(at: now) }
    case .empty, .entering, .resting, .leaving: break
    }
  }

  private mutating func cancelDrag(at now: Duration) {
    guard isHeld, let front else { return }
    stage = .resting(until: end(of: front, from: now))
  }
}

// MARK: - The screen

extension ToastMachine {
  private mutating func draw() {
    guard let front else { return }
    var next = ToastFrame(content: front.content, appearance: settings.appearance(front.content.style))
    switch stage {
    case .empty: return
    case .entering(let slide), .leaving(let slide, _):
      // The slide has not begun: the screen does not change.
      guard slide.value > 0 else { return }
      next.visibility = slide.value
    case .resting, .dragged: break
    }
    next.draggedRows = draggedRows
    next = next.faded(to: visibility)
    next.appearance = next.appearance.adapted(to: window.colors)
    frame = next
  }
}

/// A transition from one visibility to another: frame 1 is due at `start`, the others follow evenly.
struct Slide: Equatable, Sendable {
  let from: Double
  let to: Double
  let start: Duration
  let frames: Int
  private(set) var drawn = 0

  init(from: Double, to: Double, start: Duration, frames: Int) {
    self.from = from
    self.to = to
    self.start = start
    self.frames = frames
  }

  var isOver: Bool { drawn == frames }

  var nextFrameDue: Duration? { isOver ? nil : start + Motion.slide / frames * drawn }

  mutating func advance(to now: Duration) {
    while let due = nextFrameDue, due <= now { drawn += 1 }
  }

  var value: Double { drawn == 0 ? from : from + (to - from) * easeOut(Double(drawn) / Double(frames)) }
}
