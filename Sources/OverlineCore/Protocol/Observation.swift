package import NetworkPath
package import Overline

/// What a monitor or a window shows and knows at one moment: the network, the overlays, and the rows that they take. A ``StateSequence`` makes
/// a state of it for observers.
///
/// Its parts never contradict each other: without a banner no row is taken, *Back online* shows only while the network is back, and only a
/// loss or a limited connection waits for its grace delay.
package struct Observation: Equatable, Sendable {
  package let path: NWPath
  /// The reason why the network is limited, as a check or a monitor has found it; nil for none.
  package let limitation: Limitation?
  package let overlays: OverlayStatus
  package let inset: TerminalInsets

  package init(
    path: NWPath, limitation: Limitation? = nil, overlays: OverlayStatus = OverlayStatus(),
    inset: TerminalInsets = TerminalInsets()
  ) {
    self.path = path
    self.limitation = limitation
    var overlays = overlays
    let hasTrouble =
      switch ObserverState.state(of: path, isLimited: limitation != nil, phase: .hidden) {
      case .offline, .limited: true
      case .online, .restored, .unknown: false
      }
    switch overlays.banner.phase {
    case .grace where !hasTrouble: overlays.banner.phase = .hidden
    case .restored where hasTrouble:
      overlays.banner.phase = .grace
      overlays.banner.banner = nil
    case .hidden, .grace, .presented, .restored: break
    }
    self.overlays = overlays
    self.inset = overlays.banner.banner == nil ? TerminalInsets() : inset
  }
}
