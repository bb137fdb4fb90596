package import NetworkPath
package import Overline

/// The complete information for observers at one moment: the network's state, its reason, the banner and its rows.
///
/// A state is a level, not an event: a later state replaces an earlier one completely. Its JSON is one line of the observer protocol.
/// Within a version fields are only added, and readers ignore unknown fields.
package struct ObserverState: Equatable, Sendable {
  /// The version of the JSON. It changes only when a field is removed or changes its meaning.
  package static let version = 1

  package enum State: String, Equatable, Sendable, CaseIterable {
    case online
    /// The kernel has no usable route. The state follows the path at once. Only the banner, and so the words in bars and the hooks, waits
    /// for the grace delay.
    case offline
    /// Online again after an outage whose banner was on screen. Ends when the *Back online* banner ends.
    case restored
    /// The kernel would send packets, but TCP connections through the router are not acknowledged, or the check's server does not answer
    /// as expected: there is a captive portal, or no internet behind the router. Not an outage.
    case limited
    /// Undetermined: no monitor runs, or the kernel could not be queried. Not an outage.
    case unknown
  }

  /// The kernel's view, as in `NWPath`. Names are strings, so that a reader accepts a newer status or reason.
  package struct Path: Equatable, Sendable {
    /// `satisfied`, `unsatisfied`, `requires-connection` or `unknown`.
    package var status: String
    /// A raw value of `NWPath.Reason`; nil when satisfied.
    package var reason: String?
    /// The seconds from the silent router's last answer to ``ObserverState/time``; nil unless the router is silent.
    package var since: Int?
    /// The reason for the status, as one sentence.
    package var explanation: String
    /// The tunnel that is dead; nil unless the reason is `no-underlay`.
    package var tunnel: Tunnel?
    /// The name of the interface in use; nil while offline.
    package var interface: String?
    /// The interfaces that lead to the internet, the one in use first. While offline, those that would carry a bound socket.
    package var interfaces: [Interface]
    package var gateways: [String]
    package var ipv4: Bool
    package var ipv6: Bool
    package var dns: Bool
    package var expensive: Bool
    package var constrained: Bool
    /// The networks that the user named.
    package var targets: [Target]
    /// The tunnels that carry the path, then the VPNs that do not.
    package var vpns: [VPN]
    /// How good the connection is; nil while it is unknown, or not measured.
    package var quality: Quality?
  }

  package struct Quality: Equatable, Sendable {
    /// `good`, `moderate` or `poor`.
    package var level: String
    /// `poor: 1.4 s round trip`
    package var explanation: String

    package init(_ report: QualityReport) {
      level = report.level.name
      explanation = report.words
    }
  }

  /// A VPN's tunnel, as in `NWPath.Tunnel`.
  package struct VPN: Equatable, Sendable {
    package var name: String
    /// A raw value of `NWPath.Tunnel.Use`, or of a later version.
    package var use: String
    /// The interface under the tunnel; nil if it is not known, or carries nothing for the internet.
    package var underlay: String?
    /// One sentence: `VPN tun0 over wlan0`.
    package var explanation: String
  }

  /// A VPN's tunnel for which the path is offline.
  package struct Tunnel: Equatable, Sendable {
    package var name: String
    /// `eth0 has no carrier`; empty if no single link is to blame.
    package var cause: String
    /// Whether the tunnel's own packets lead into the tunnel.
    package var loops: Bool
  }

  package struct Target: Equatable, Sendable {
    package var name: String
    /// `10.20.0.0/16`
    package var prefix: String
    /// Nil when the kernel could not be queried.
    package var reachable: Bool?
    /// A raw value of `NWPath.Reason`; nil when reachable.
    package var reason: String?
    /// True for a private network to which only the default route leads. Such a route does not prove that the network's VPN is up.
    package var isByDefaultRoute: Bool
    /// One sentence: `office (10.20.0.0/16) is not reachable: no route leads there`.
    package var explanation: String
  }

  package struct Interface: Equatable, Sendable {
    package var name: String
    package var index: Int
    /// `wifi`, `cellular`, `wired`, `loopback` or `other`.
    package var type: String
  }

  package struct Banner: Equatable, Sendable {
    package var phase: BannerPhaseName
    /// Nil, like the colours, while nothing is on screen (phases `hidden` and `grace`).
    package var title: String?
    /// `#rrggbb`.
    package var background: String?
    /// The colour of the title, `#rrggbb`.
    package var text: String?
    /// Whether the user has dismissed the banner of this outage or limited connection.
    package var isDismissed = false
  }

  /// The user's pause: neither banner nor toasts show.
  package struct Pause: Equatable, Sendable {
    /// RFC 3339.
    package var until: String
    /// The same for users: `18:00`.
    package var words: String

    package init(_ period: QuietPeriod) {
      until = period.time
      words = period.words
    }
  }

  /// Rows that a window's content must leave free.
  package struct Inset: Equatable, Sendable {
    package var top: Int
    package var bottom: Int
  }

  /// The toast in front.
  package struct Toast: Equatable, Sendable {
    package var title: String
    package var message: String
    /// `info`, `success`, `warning` or `error`.
    package var style: String
  }

  /// The alert in front.
  package struct Alert: Hashable, Sendable {
    package var title: String
    package var message: String
    package var buttons: [String]
  }

  /// The parts of a limitation.
  package struct Limited: Equatable, Sendable {
    /// A raw value of ``Limitation/Reason``, or of a later version.
    package var reason: String
    /// The banner's words.
    package var cause: String
    /// The URL of the page on which the network wants a log-in; nil when unknown.
    package var portal: String?
    /// The seconds from the first data without an answer to ``ObserverState/time``; nil unless connections get no answers.
    package var since: Int?

    /// - Parameter answerAge: the time since the last answer, if the limitation is its absence.
    package init(_ limitation: Limitation, answerAge: Duration? = nil) {
      since = answerAge.map { Int($0.components.seconds) }
      reason = limitation.reason.rawValue
      cause = TerminalText.sanitized(limitation.cause)
      portal = limitation.portal
    }
  }

  package var v: Int
  /// Increases with every state of one monitor. It restarts with the monitor.
  package var seq: Int
  /// The time of this state: RFC 3339 in UTC with milliseconds.
  package var time: String
  package var state: State
  package var path: Path
  package var banner: Banner
  package var inset: Inset
  /// The time when ``state`` took its value.
  package var since: String
  /// The reason why ``state`` is `limited`, in a sentence; nil otherwise.
  package var limitation: String?
  /// The same for programs; nil when ``state`` is not `limited`, or the monitor is older than this field.
  package var limited: Limited?
  package var toast: Toast?
  package var alert: Alert?
  /// Nil while banner and toasts may show, and from an older monitor.
  package var paused: Pause?
  /// The last announcement of a banner, a toast or an alert, for users of screen readers: `Error: Connection failed. Check your internet
  /// and try again.` It stays after the dismissal. Empty before the first announcement.
  package var announcement = ""
}

extension ObserverState {
  /// The state of a monitor.
  ///
  /// - Parameters:
  ///   - seq: one more than in the previous state.
  ///   - time: now, in RFC 3339; `since`: the time when the state took its value.
  ///   - limitation: what a reachability check found; ignored without a network. It precedes what the path itself says about answers.
  ///   - appearance: the banner's appearance; ignored in the phases `hidden` and `grace`, when nothing is on screen.
  ///   - isDismissed: whether the user has dismissed the network's banner.
  ///   - inset: the reference inset.
  package init(
    seq: Int, time: String, since: String, path: NWPath, limitation: Limitation? = nil, phase: BannerPhaseName,
    appearance: BannerAppearance?, isDismissed: Bool = false, inset: TerminalInsets
  ) {
    v = Self.version
    self.seq = seq
    self.time = time
    self.since = since
    state = Self.state(of: path, isLimited: limitation != nil, phase: phase)
    if state == .limited, let limitation = limitation ?? path.limitation {
      self.limitation = TerminalText.sanitized(limitation.explanation)
      limited = Limited(limitation, answerAge: limitation.reason == .noAnswers ? path.noAnswers?.duration : nil)
    }
    self.path = Path(path)
    banner = Banner(phase: phase, appearance: appearance)
    banner.isDismissed = isDismissed
    self.inset = Inset(top: inset.top, bottom: inset.bottom)
  }

  /// The state when no monitor answers: `unknown`, with a sentence that gives the reason.
  package static func unknown(time: String, explanation: String) -> ObserverState {
    ObserverState(
      seq: 0, time: time, since: time, path: NWPath(status: .satisfied, isKnown: false, explanation: explanation),
      phase: .hidden,
      appearance: nil, inset: TerminalInsets())
  }

  /// The only rule for all outputs: only a known outage is `offline`. A link that dials on demand counts as online, since a packet brings
  /// it up.
  package static func state(of path: NWPath, isLimited: Bool = false, phase: BannerPhaseName) -> State {
    if !path.isKnown { return .unknown }
    return switch path.status {
    case .unsatisfied: .offline
    case .satisfied, .requiresConnection:
      isLimited || path.limitation != nil ? .limited : phase == .restored ? .restored : .online
    }
  }
}

extension ObserverState {
  /// The seconds from the last answer to ``time``; nil while answers come. One of the two fields that it has.
  package var lastAnswer: Int? {
    get { path.since ?? limited?.since }
    set {
      if path.since != nil { path.since = newValue }
      if limited?.since != nil { limited?.since = newValue }
    }
  }
}

extension ObserverState {
  /// This state as a command prints it so many seconds later, when the router's last answer is older: `(last heard 43 s ago)`.
  package func aged(by seconds: Int) -> ObserverState {
    guard seconds > 0, let age = lastAnswer else { return self }
    func grown(_ words: String) -> String {
      words.replacing(PathWords.heard(.seconds(age)), with: PathWords.heard(.seconds(age + seconds)))
        .replacing(NWPath.NoAnswers.lasting(.seconds(age)), with: NWPath.NoAnswers.lasting(.seconds(age + seconds)))
    }
    var state = self
    state.lastAnswer = age + seconds
    state.path.explanation = grown(path.explanation)
    state.path.tunnel?.cause = grown(path.tunnel?.cause ?? "")
    for index in path.vpns.indices { state.path.vpns[index].explanation = grown(path.vpns[index].explanation) }
    state.limitation = limitation.map(grown)
    state.limited?.cause = grown(limited?.cause ?? "")
    return state
  }

  /// The reason of the trouble whose banner the user has dismissed; nil if none is dismissed.
  package var dismissedReason: String? { banner.isDismissed ? path.reason ?? limited?.reason : nil }
  /// The reason of the trouble whose banner shows; nil if none does.
  package var shownReason: String? {
    banner.phase == .presented && !banner.isDismissed ? path.reason ?? limited?.reason : nil
  }
}
/// `Overline.Alert`, for places where `ObserverState.Alert` hides that name.
package typealias BannerAlert = Alert

extension ObserverState.Path {
  init(_ path: NWPath) {
    let isUsable = path.isKnown && path.status != .unsatisfied
    self.init(
      status: path.statusName, reason: path.reason?.rawValue,
      since: path.silence.map { Int($0.components.seconds) },
      explanation: TerminalText.sanitized(path.explanation),
      tunnel: path.deadTunnel.map {
        ObserverState.Tunnel(
          name: TerminalText.sanitized($0.name), cause: TerminalText.sanitized($0.cause), loops: $0.isLooping)
      },
      interface: isUsable ? path.availableInterfaces.first.map { TerminalText.sanitized($0.name) } : nil,
      interfaces: path.availableInterfaces.map {
        ObserverState.Interface(name: TerminalText.sanitized($0.name), index: $0.index, type: $0.type.word)
      },
      gateways: path.gateways.map(\.addressText), ipv4: path.supportsIPv4, ipv6: path.supportsIPv6,
      dns: path.supportsDNS,
      expensive: path.isExpensive, constrained: path.isConstrained,
      targets: path.targets.map(ObserverState.Target.init), vpns: path.tunnels.map(ObserverState.VPN.init),
      quality: path.quality.map(ObserverState.Quality.init))
  }
}

extension ObserverState.VPN {
  init(_ tunnel: NWPath.Tunnel) {
    self.init(
      name: TerminalText.sanitized(tunnel.interface.name), use: tunnel.use.rawValue,
      underlay: tunnel.underlay.map { TerminalText.sanitized($0.name) },
      explanation: TerminalText.sanitized(tunnel.explanation))
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
      title: TerminalText.sanitized(toast.title), message: TerminalText.sanitized(toast.message ?? ""),
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
  init(phase: BannerPhaseName, appearance: BannerAppearance?) {
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
