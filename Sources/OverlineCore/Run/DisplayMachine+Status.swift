internal import Overline

/// What a window tells about itself.
extension DisplayMachine {
  /// Reports a changed status to the observers.
  mutating func publishIfDue() {
    guard isStatusDue else { return }
    isStatusDue = false
    var new = WindowStatus()
    new.overlays = overlays.status
    new.observation = observation
    new.rows = canvas.output.surface.programRows
    new.columns = sizes.size.columns
    guard new != status else { return }
    status = new
    emit(.publish(new))
  }

  /// What the terminal shows. A banner that waits for the cursor's place is not there yet; one that leaves is there until its rows are free.
  private var observation: Observation? {
    guard let network else { return nil }
    var overlays = overlays.status
    let isShown = canvas.insetRows > 0
    if overlays.banner.banner == nil, isShown { return status.observation }
    if overlays.banner.banner != nil, !isShown {
      overlays.banner = BannerStatus(phase: .grace, claim: overlays.banner.claim)
    }
    return Observation(
      path: network.path, limitation: network.limitation, overlays: overlays,
      inset: TerminalInsets(top: canvas.insetRows))
  }
}
