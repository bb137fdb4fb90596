import OverlineTestSupport

/// What a day has met.
struct DayCoverage: CoverageCounts, Hashable, Sendable {
  var days = 0
  var items = 0
  var steps = 0
  var states = 0
  var rests = 0
  /// Rests in an outage whose banner showed.
  var banners = 0
  var tmuxRuns = 0
  /// Rests with a server whose lines were compared.
  var lines = 0
  var toasts = 0
  var requests = 0
  var checks = 0
  var hooks = 0
  /// Lines in the history, and the monitor's warnings about it.
  var records = 0
  var unwritten = 0
  var killed = 0
  var lostMessages = 0
  /// How often the kernel has asked a silent router in vain.
  var silentRouters = 0
  /// States that claim that nothing beyond the routers answers.
  var noAnswers = 0

  static let all: [(any WritableKeyPath<DayCoverage, Int> & Sendable, String)] = [
    (\.days, "days"), (\.items, "events"), (\.steps, "steps"), (\.states, "states"), (\.rests, "rests"),
    (\.banners, "banners at rest"), (\.tmuxRuns, "runs of tmux"), (\.lines, "servers compared"), (\.toasts, "toasts"),
    (\.requests, "requests"), (\.checks, "checks"), (\.hooks, "hooks"), (\.records, "lines of the history"),
    (\.unwritten, "warnings about it"), (\.killed, "monitors killed"),
    (\.lostMessages, "overruns"), (\.silentRouters, "silent routers"),
    (\.noAnswers, "claims of no answers"),
  ]
}
