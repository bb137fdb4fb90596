public import Banner
public import PathModel
internal import Terminal

/// Everything an observer learns at one moment: the network's state, why, what the banner shows and how much room it takes.
///
/// A state is a level, not an event: a later one replaces an earlier one completely. Its JSON is one line of the observer
/// protocol; fields are only ever added, and a reader passes over fields it does not know.
public struct ObserverState: Hashable, Sendable {
  /// The version of the JSON. It changes only when a field is taken away or changes its meaning.
  public static let version = 1

  public enum State: String, Hashable, Sendable, CaseIterable {
    case online
    case offline
    /// Online again after an outage whose banner was on screen, for as long as the banner says so.
    case restored
    /// The kernel would send, but nobody beyond the network answers as expected: a captive portal, or no internet behind the router.
    /// Not an outage; only a monitor with a reachability check says so.
    case limited
    /// Nobody can tell: no monitor runs, or the kernel could not be asked. Not an outage.
    case unknown
  }

  /// The kernel's view, as in `NWPath`. Names are strings, so that a reader survives a status or reason that is newer than itself.
  public struct Path: Hashable, Sendable {
    /// `satisfied`, `unsatisfied`, `requires-connection` or `unknown`.
    public var status: String
    /// A raw value of `NWPath.Reason`; nil when satisfied.
    public var reason: String?
    /// The answer to "why", as one sentence.
    public var explanation: String
    /// The name of the interface in use; nil while offline.
    public var interface: String?
    /// The ones that lead to the internet, the one in use first; while offline those that would.
    public var interfaces: [Interface]
    public var gateways: [String]
    public var ipv4: Bool
    public var ipv6: Bool
    public var dns: Bool
    public var expensive: Bool
    public var constrained: Bool
    /// The networks that the user named.
    public var targets: [Target]
  }

  public struct Target: Hashable, Sendable {
    public var name: String
    /// `10.20.0.0/16`
    public var prefix: String
    /// Nil when the kernel could not be asked.
    public var reachable: Bool?
    /// A raw value of `NWPath.Reason`; nil when reachable.
    public var reason: String?
    /// True of a private network to which only the default route leads: it is no sign of the VPN that leads there.
    public var isByDefaultRoute: Bool
    /// One sentence: `office (10.20.0.0/16) is not reachable: no route leads there`.
    public var explanation: String
  }

  public struct Interface: Hashable, Sendable {
    public var name: String
    public var index: Int
    /// `wifi`, `cellular`, `wired`, `loopback` or `other`.
    public var type: String
  }

  public struct Banner: Hashable, Sendable {
    public var phase: BannerPhaseName
    /// Nil, like the colours, while nothing is on screen (phases `hidden` and `grace`).
    public var title: String?
    /// `#rrggbb`.
    public var background: String?
    /// The colour of the title, `#rrggbb`.
    public var text: String?
  }

  /// Rows that a window's content must leave free.
  public struct Inset: Hashable, Sendable {
    public var top: Int
    public var bottom: Int
  }

  /// The toast in front.
  public struct Toast: Hashable, Sendable {
    public var title: String
    public var message: String
    /// `info`, `success`, `warning` or `error`.
    public var style: String
  }

  /// The question that is being asked.
  public struct Alert: Hashable, Sendable {
    public var title: String
    public var message: String
    public var buttons: [String]
  }

  public var v: Int
  /// Grows with every state of one monitor. It starts anew with the monitor.
  public var seq: Int
  /// When this state was made: RFC 3339 in UTC with milliseconds.
  public var time: String
  public var state: State
  public var path: Path
  public var banner: Banner
  public var inset: Inset
  /// When ``state`` became what it is.
  public var since: String
  /// Why ``state`` is `limited`, in a sentence; nil when it is not.
  public var limitation: String?
  public var toast: Toast?
  public var alert: Alert?
  /// What was said last of a banner, a toast or an alert, for whoever does not see them: `Error: Connection failed. Check your internet and
  /// try again.` It stays when that is gone; empty when nothing was said yet.
  public var announcement = ""
}

extension ObserverState {
  /// The state of a monitor.
  ///
  /// - Parameters:
  ///   - seq: one more than that of the state before.
  ///   - time: now, in RFC 3339; `since`: when the state became what it is.
  ///   - limitation: what a reachability check has found; passed over without a network.
  ///   - appearance: what the banner shows; passed over in the phases `hidden` and `grace`, when nothing is on screen.
  ///   - inset: the reference inset.
  public init(
    seq: Int, time: String, since: String, path: NWPath, limitation: String? = nil, phase: BannerPhaseName,
    appearance: Appearance?, inset: BannerInset
  ) {
    v = Self.version
    self.seq = seq
    self.time = time
    self.since = since
    state = Self.state(of: path, isLimited: limitation != nil, phase: phase)
    self.limitation = state == .limited ? limitation.map(TerminalText.sanitized) : nil
    self.path = Path(path)
    banner = Banner(phase: phase, appearance: appearance)
    self.inset = Inset(top: inset.top, bottom: inset.bottom)
  }

  /// The state while nobody answers: `unknown`, with a sentence that says why.
  public static func unknown(time: String, explanation: String) -> ObserverState {
    ObserverState(
      seq: 0, time: time, since: time, path: NWPath(status: .satisfied, isKnown: false, explanation: explanation),
      phase: .hidden,
      appearance: nil, inset: BannerInset())
  }

  /// One rule for everyone: only a known outage is `offline`. A link that dials on demand is online, since a packet brings it up.
  public static func state(of path: NWPath, isLimited: Bool = false, phase: BannerPhaseName) -> State {
    if !path.isKnown { return .unknown }
    return switch path.status {
    case .unsatisfied: .offline
    case .satisfied, .requiresConnection: isLimited ? .limited : phase == .restored ? .restored : .online
    }
  }
}

/// `Banner.Inset`, where `ObserverState.Inset` hides its name.
public typealias BannerInset = Inset
/// `Banner.Alert`, where `ObserverState.Alert` hides its name.
public typealias BannerAlert = Alert

extension ObserverState.Path {
  init(_ path: NWPath) {
    let isUsable = path.isKnown && path.status != .unsatisfied
    self.init(
      status: path.statusName, reason: path.reason?.rawValue,
      explanation: TerminalText.sanitized(path.explanation),
      interface: isUsable ? path.availableInterfaces.first.map { TerminalText.sanitized($0.name) } : nil,
      interfaces: path.availableInterfaces.map {
        ObserverState.Interface(name: TerminalText.sanitized($0.name), index: $0.index, type: $0.type.rawValue)
      },
      gateways: path.gateways.map(\.addressText), ipv4: path.supportsIPv4, ipv6: path.supportsIPv6,
      dns: path.supportsDNS,
      expensive: path.isExpensive, constrained: path.isConstrained,
      targets: path.targets.map(ObserverState.Target.init))
  }
}

extension ObserverState.Target {
  init(_ target: NWPath.Target) {
    self.init(
      name: TerminalText.sanitized(target.name), prefix: target.network.description,
      reachable: target.isKnown ? target.isReachable : nil, reason: target.reason?.rawValue,
      isByDefaultRoute: target.isByDefaultRoute, explanation: TerminalText.sanitized(target.explanation))
  }
}

extension ObserverState.Toast {
  init(_ toast: ToastContent) {
    self.init(
      title: TerminalText.sanitized(toast.title), message: TerminalText.sanitized(toast.message),
      style: toast.style.rawValue)
  }
}

extension ObserverState.Alert {
  init(_ alert: BannerAlert) {
    self.init(
      title: TerminalText.sanitized(alert.title), message: TerminalText.sanitized(alert.message),
      buttons: alert.buttons.map(TerminalText.sanitized))
  }
}

extension ObserverState.Banner {
  init(phase: BannerPhaseName, appearance: Appearance?) {
    self.phase = phase
    switch phase {
    case .hidden, .grace: break
    case .presented, .restored:
      title = appearance.map { TerminalText.sanitized($0.title) }
      background = appearance?.backgroundColor.rgb.description
      text = appearance?.textColor.rgb.description
    }
  }
}
