internal import NetworkPath
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
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

  /// Nil if no monitor runs, if it is stopped and cannot withdraw its word, or if it sees another network: that of another network
  /// namespace. The kernel hides the namespace of another user's process.
  var contents: StateFile.Contents? { written.flatMap { Self.isStopped($0.monitor.pid) ? nil : $0 } }

  /// Whether the monitor sees a route to the internet now: the state file follows a moment later. False if no monitor answers whose
  /// ``contents`` would count.
  var isOnline: Bool {
    // Never connect to a socket without a monitor: the service manager would start one.
    guard Files.exists(stateFile) else { return false }
    let status = try? ObserverClient.status(path: socket, as: .text, timeout: .milliseconds(300)) { pid in
      ProcessStatus.sharesNetwork(pid) && !Self.isStopped(pid)
    }
    return switch status?.state {
    case .online, .restored, .limited: true
    case .offline, .unknown, nil: false
    }
  }

  private static func isStopped(_ pid: Int32) -> Bool { ProcessStatus(of: pid)?.isStopped ?? false }

  /// Also true for a stopped one, which may continue.
  var exists: Bool { written != nil }

  /// Also of a stopped monitor.
  private var written: StateFile.Contents? {
    guard let contents = StateFile.read(stateFile), ProcessStatus.sharesNetwork(contents.monitor.pid) else {
      return nil
    }
    return contents
  }

  /// What the monitor has found that a process which has just started cannot find; nil if none runs.
  func word(_ options: PathOptions) -> MonitorWord? {
    guard let contents else { return nil }
    return MonitorWord(
      mayWaitForRouter: contents.state == .offline && contents.hasLostRoute, since: contents.since,
      silent: Self.silentRouters(contents, options), tunnel: contents.tunnel)
  }

  /// The path's routers that the monitor has found silent.
  ///
  /// The kernel's table alone does not show whether a router has ever answered. The monitor's word counts only for routers that the kernel
  /// asks in vain now.
  func silentRouters(_ options: PathOptions) -> [Gateway: RouterSilence] {
    contents.map { Self.silentRouters($0, options) } ?? [:]
  }

  private static func silentRouters(_ contents: StateFile.Contents, _ options: PathOptions) -> [Gateway: RouterSilence]
  {
    guard let silence = contents.routerSilence, let routers = try? NWPath.routersWithoutAnswer(options: options)
    else { return [:] }
    return Dictionary(uniqueKeysWithValues: routers.map { ($0, silence) })
  }

  /// The monitor's state in a few words for `overline path`.
  var words: String {
    guard let contents = written else {
      return "none runs; one look cannot know that a router is silent or a tunnel dead"
    }
    let pid = contents.monitor.pid
    if Self.isStopped(pid) {
      return "process \(pid) is stopped and knows nothing new; kill -CONT \(pid) continues it"
    }
    let because = contents.state == .online ? nil : contents.variables["OVERLINE_LIMITATION"]
    let state = contents.state == .restored ? "back online" : contents.state.rawValue
    return "\(state) since \(contents.since)" + (because.map { $0.isEmpty ? "" : ": " + $0 } ?? "")
  }

  /// Whether a monitor of 0.2 or older runs, which does not know of pauses.
  var isOlderThanPauses: Bool { written.map { $0.variables["OVERLINE_PAUSED_UNTIL"] == nil } ?? false }

  /// The reason of the trouble whose banner the user has dismissed in the monitor; nil if none is dismissed.
  var dismissedReason: String? {
    guard let variables = contents?.variables, variables["OVERLINE_DISMISSED"] == "1" else { return nil }
    let reasons = [variables["OVERLINE_REASON"], variables["OVERLINE_LIMITATION_REASON"]]
    return reasons.compactMap(\.self).first { !$0.isEmpty }
  }
}

extension StateFile.Contents {
  /// The time when the state began, for the user: `12:04`.
  fileprivate var since: String { clock("OVERLINE_SINCE") }

  private func clock(_ variable: String) -> String {
    variables[variable].flatMap { WallTime(rfc3339: $0) }.map { String($0.timeOfDay.prefix(5)) } ?? "its start"
  }

  /// Whether the monitor is offline for a lost link, route or router. After these it waits for the router.
  fileprivate var hasLostRoute: Bool {
    variables["OVERLINE_REASON"].flatMap { NWPath.Reason(rawValue: $0) }?.facts.isLostRoute ?? false
  }

  /// What the monitor knows of a tunnel: it has seen which link was under the tunnel, and whether the tunnel receives packets.
  fileprivate var tunnel: TunnelWord? {
    let isOffline = variables["OVERLINE_REASON"] == NWPath.Reason.noUnderlay.rawValue
    // A VPN for some networks only may be dead while the machine is online, or offline for another reason.
    let isDown = variables["OVERLINE_TUNNEL_USE"] == NWPath.Tunnel.Use.down.rawValue
    if isOffline || isDown, let name = variables["OVERLINE_TUNNEL"], !name.isEmpty {
      let dead = DeadTunnel(
        name: name, cause: variables["OVERLINE_TUNNEL_CAUSE"] ?? "",
        isLooping: variables["OVERLINE_TUNNEL_LOOPS"] == "1")
      return .dead(dead, since: isOffline ? since : clock("OVERLINE_TIME"))
    }
    guard variables["OVERLINE_STATUS"] == NWPath.Status.satisfied.word else { return nil }
    return variables["OVERLINE_INTERFACE"].map { .alive(tunnel: $0) }
  }

  /// How long the path's routers have not answered, or the router under a dead tunnel; nil unless they are silent.
  fileprivate var routerSilence: RouterSilence? {
    guard let seconds = variables["OVERLINE_LAST_ANSWER"].flatMap({ Int64($0) }),
      let written = variables["OVERLINE_TIME"].flatMap({ WallTime(rfc3339: $0) })
    else {
      // The monitor writes no time if it has seen no answer.
      return variables["OVERLINE_REASON"] == NWPath.Reason.routerSilent.rawValue ? .unheard : nil
    }
    switch variables["OVERLINE_REASON"].flatMap({ NWPath.Reason(rawValue: $0) }) {
    case .routerSilent, .noUnderlay:
      return .heard(ago: .seconds(seconds) + .milliseconds(max(0, WallTime.now.milliseconds - written.milliseconds)))
    default: return nil
    }
  }
}
