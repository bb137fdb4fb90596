internal import NetworkPath

/// The paths of a network over time.
struct NetworkTimeline: Sendable {
  /// Each path with its start; the first starts at zero.
  let states: [(start: Duration, script: NWPath.Script)]

  /// - Parameter paths: each path with its duration; the last one stays.
  init(_ paths: [(NWPath.Script, Duration)]) throws(SimulatedNetwork.InvalidTimeline) {
    guard !paths.isEmpty else { throw .init("a timeline without a path") }
    var start = Duration.zero
    var states: [(Duration, NWPath.Script)] = []
    for (script, duration) in paths {
      guard duration >= .zero else { throw .init("a duration below zero: \(duration)") }
      states.append((start, script))
      start += duration
    }
    self.states = states
  }

  /// `online 1s, offline router-silent 3s, online wifi expensive`
  init(_ text: String) throws(SimulatedNetwork.InvalidTimeline) {
    var paths: [(NWPath.Script, Duration)] = []
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      var words = part.split(separator: " ")
      // The duration is the only word that begins with a digit.
      let last = words.last.flatMap { $0.first?.isNumber == true ? $0 : nil }
      if last != nil { words.removeLast() }
      guard last != nil || index == parts.count - 1 else {
        throw .init("all but the last path of a timeline need a duration: \(part)")
      }
      var duration = Duration.zero
      if let last { duration = try Self.duration(last) }
      paths.append((try Self.script(words, part), duration))
    }
    try self.init(paths)
  }

  private static func script(
    _ words: [Substring], _ part: Substring
  ) throws(SimulatedNetwork.InvalidTimeline) -> NWPath.Script {
    switch words.first {
    case "online": return try online(words.dropFirst())
    case "offline":
      guard let word = words.dropFirst().first else { return .offline() }
      guard words.count == 2, let reason = NWPath.Reason(rawValue: String(word)) else {
        let reasons = NWPath.Reason.allCases.map(\.rawValue).joined(separator: ", ")
        throw .init("after offline comes nothing, or one of \(reasons); this is not: \(part)")
      }
      return .offline(reason)
    default:
      throw .init("a timeline is like \"online 1s, offline 3s, online\"; this is not: \(part)")
    }
  }

  private static func online(_ words: ArraySlice<Substring>) throws(SimulatedNetwork.InvalidTimeline) -> NWPath.Script {
    var interfaces: [NWInterface] = []
    var (isExpensive, isConstrained, isIPv6, isAnswered, isSending) = (false, false, false, true, true)
    var linkQuality = NWPath.LinkQuality.unknown
    var unreachable: Set<String> = []
    for word in words {
      switch word {
      case "wired": interfaces.append(NWPath.Script.eth0)
      case "wifi": interfaces.append(NWInterface(name: "wlan0", index: 3, type: .wifi))
      case "cellular": interfaces.append(NWInterface(name: "wwan0", index: 4, type: .cellular))
      case "tunnel": interfaces.append(NWInterface(name: "tun0", index: 5, type: .other))
      case "ipv6": isIPv6 = true
      case "expensive": isExpensive = true
      case "constrained": isConstrained = true
      case "no-answers": isAnswered = false
      case "not-sent": isSending = false
      case "moderate": linkQuality = .moderate
      case "poor": linkQuality = .minimal
      case _ where word.hasPrefix("without-"): unreachable.insert(String(word.dropFirst("without-".count)))
      default:
        throw .init(
          "after online come wired, wifi, cellular, tunnel, ipv6 (without IPv4), expensive, constrained, no-answers, not-sent, moderate, poor, without-TARGET; not: \(word)"
        )
      }
    }
    return .online(
      by: interfaces.isEmpty ? [NWPath.Script.eth0] : interfaces, supportsIPv4: !isIPv6, supportsIPv6: isIPv6,
      isExpensive: isExpensive, isConstrained: isConstrained, isAnswered: isAnswered,
      isSending: isSending, linkQuality: linkQuality, unreachableTargets: unreachable)
  }

  /// `250ms`, `1s`, `1.5s`, `2m`, `1h`.
  private static func duration(_ text: Substring) throws(SimulatedNetwork.InvalidTimeline) -> Duration {
    let number = text.prefix { $0.isNumber || $0 == "." }
    let units: [Substring: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3600]
    guard let value = Double(number), value < 1e9, let unit = units[text.dropFirst(number.count)] else {
      throw .init("a duration is like 250ms, 1.5s, 2m or 1h; this is not: \(text)")
    }
    return .milliseconds(Int64((value * unit * 1000).rounded()))
  }

  func script(at time: Duration) -> NWPath.Script { (states.last { $0.start <= time } ?? states[0]).script }
}
