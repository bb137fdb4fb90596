internal import NetworkPath
internal import OverlineObservers
internal import OverlineSystem

/// What another process of this user knows that this one cannot: the monitor has watched for longer.
struct RunningMonitor: Sendable {
  let socket: String
  /// The state file, which names the monitor's process. Only a running monitor has one.
  let stateFile: String

  /// Nil without a runtime directory.
  init?(_ options: CommonOptions) {
    guard let directory = try? RuntimeDirectory.locate() else { return nil }
    socket = options.socket ?? directory.socket
    stateFile = directory.state
  }

  /// Nil if no monitor runs, or if it sees another network: that of another network namespace. The kernel hides the namespace of another
  /// user's process.
  var contents: StateFile.Contents? {
    guard let contents = StateFile.read(stateFile), ProcessStatus.sharesNetwork(contents.monitor.pid) else {
      return nil
    }
    return contents
  }

  /// The path's routers that the monitor has found silent.
  ///
  /// A process that starts during the silence cannot find it itself: the kernel's table alone does not show whether a router has ever
  /// answered. The monitor's word counts only for routers that the kernel asks in vain now.
  func silentRouters(_ options: PathOptions) -> [Gateway: RouterSilence] {
    guard let silence = contents?.routerSilence, let routers = try? NWPath.routersWithoutAnswer(options: options)
    else { return [:] }
    return Dictionary(uniqueKeysWithValues: routers.map { ($0, silence) })
  }
}

extension RunningMonitor {
  /// What the monitor knows of the tunnel in use; nil if it is offline for another reason.
  ///
  /// A process that has just started does not know which link was under the tunnel, and whether the tunnel receives packets.
  var tunnelWord: TunnelWord? {
    guard let variables = contents?.variables else { return nil }
    if variables["OVERLINE_STATUS"] == NWPath.Status.satisfied.rawValue {
      return variables["OVERLINE_INTERFACE"].map { .alive(tunnel: $0) }
    }
    guard variables["OVERLINE_REASON"] == NWPath.Reason.noUnderlay.rawValue,
      let explanation = variables["OVERLINE_EXPLANATION"],
      let since = variables["OVERLINE_SINCE"].flatMap({ WallTime(rfc3339: $0) })
    else { return nil }
    return TunnelWord(explanation: explanation, since: String(since.timeOfDay.prefix(5)))
  }
}

extension StateFile.Contents {
  /// How long the path's routers have not answered; nil unless they are silent.
  fileprivate var routerSilence: RouterSilence? {
    guard variables["OVERLINE_REASON"] == NWPath.Reason.routerSilent.rawValue else { return nil }
    // The monitor writes no time if it has seen no answer.
    guard let seconds = variables["OVERLINE_LAST_ANSWER"].flatMap({ Int64($0) }),
      let written = variables["OVERLINE_TIME"].flatMap({ WallTime(rfc3339: $0) })
    else { return .unheard }
    return .heard(ago: .seconds(seconds) + .milliseconds(max(0, WallTime.now.milliseconds - written.milliseconds)))
  }
}
