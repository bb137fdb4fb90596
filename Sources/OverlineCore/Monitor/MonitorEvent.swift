package import NetworkPath
package import Overline

/// An event for the monitor. Large values are indirect, so that an event is cheap to copy.
package enum MonitorEvent: Equatable, Sendable {
  indirect case pathChanged(NWPath)
  /// Several new TCP connections wait for their first answer: the check may tell whether the network answers.
  case checkSuggested
  /// The reachability check has an answer to a request.
  case checkAnswered(CheckVerdict, request: Int)
  /// A client has presented or dismissed a banner, or has ended.
  case bannerChanged(BannerEvent)
  /// - Parameter server: the toast's tmux server; nil for the one in use.
  indirect case toastPosted(ToastContent, id: ToastID, in: TmuxServer?, FleetMachine.Request)
  case toastDismissed(ToastID)
  /// The user's pause, or the configured hours, have changed: the current time of quiet, or the next one.
  indirect case quietChanged(QuietPeriod?)
  /// A client has dismissed the front toast.
  ///
  /// - Parameter server: the toast's tmux server; nil for all.
  case frontToastDismissed(in: TmuxServer?)
  /// An event of the tmux servers.
  indirect case tmux(FleetMachine.Event)
  /// A client's connection has ended.
  case clientLeft
  /// The configuration's file may have changed, and may change further for a moment.
  case configurationFileChanged
  /// The configuration's file was read; nil if the configuration stays as it is.
  indirect case configurationRead(Configuration?)
  /// The clock may have reached ``MonitorMachine/nextDeadline``. Early, late and repeated deliveries are harmless.
  case deadlineReached
  /// - Parameter handsOver: true if another monitor runs and takes over the tmux servers.
  case ended(handsOver: Bool)
}

/// The actions for the daemon to perform, in this order. Large values are indirect, so that an effect is cheap to copy.
package enum MonitorEffect: Equatable, Sendable {
  /// Send the state to observers. All other effects of the event follow.
  indirect case publish(ObserverState)
  /// Run these commands when the state file is as new as this state, because a command may read the file.
  indirect case runHooks([DueHook], ObserverState)
  /// Carry this out in a tmux server.
  indirect case tmux(FleetMachine.Effect)
  /// Send the reachability check's request, and answer with its number.
  indirect case ask(CheckSettings, request: Int)
  /// Cancel the reachability check's request.
  case cancelRequest
  /// Print a sentence.
  case say(String)
  /// Record the network's state, and report the sentence to the service manager.
  indirect case record(NWPath, Limitation?, sentence: String)
  /// The toast has ended: stop watching its owner. Sent once for each toast.
  case endToast(ToastID)
  /// Quiet begins: windows and other programs need to know.
  indirect case keepQuiet(QuietPeriod)
  /// Quiet has ended: find the next time, and answer with ``MonitorEvent/quietChanged(_:)``.
  case planQuiet
  /// Hand new settings to every part.
  indirect case configure(Configuration)
  /// Read the configuration's file, and answer with ``MonitorEvent/configurationRead(_:)``.
  case readConfiguration
  /// Release the memory that an idle monitor does not need.
  case releaseMemory
  /// Give every tmux server its lines back, then exit.
  case end(handsOver: Bool)
  /// Exit at once; the guardian restores the tmux servers.
  case exit

  init(_ effect: CheckMachine.Effect) {
    switch effect {
    case .ask(let settings, let request): self = .ask(settings, request: request)
    case .cancel: self = .cancelRequest
    }
  }
}
