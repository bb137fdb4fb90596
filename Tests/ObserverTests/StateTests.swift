import Foundation
import NetworkPath
import Overline
import OverlineCore
import OverlineSystem
import OverlineTestThread
import Testing

@Suite(.ownThread) struct StateTests {
  @Test func theLineIsTheDocumentedOne() {
    let expected =
      #"{"v":1,"seq":42,"time":"2026-11-20T21:04:05.123Z","state":"offline","path":{"status":"unsatisfied","reason":"link-down","since":null,"#
      + #""explanation":"offline: default via 192.0.2.1 dev eth0 has no carrier","tunnel":null,"interface":null,"#
      + #""interfaces":[{"name":"eth0","index":2,"type":"wired"}],"gateways":["192.0.2.1"],"ipv4":false,"ipv6":false,"dns":false,"#
      + ##""expensive":false,"constrained":false,"targets":[],"vpns":[],"quality":null},"banner":{"phase":"presented","title":"No connection","##
      + ##""background":"#b3261e","text":"#ffffff","dismissed":false},"##
      + #""inset":{"top":1,"bottom":0},"since":"2026-11-20T21:04:05.120Z","#
      + #""toast":null,"alert":null,"announcement":"","limitation":null,"limited":null,"paused":null}"#
    #expect(offline().json == expected)
    #expect(offline().jsonLine == Array((expected + "\n").utf8))
  }

  /// Checks our writer and our reader against Foundation.
  @Test func anotherJSONReaderAgrees() throws {
    for state in [online(), offline(), try withTargets(), offline(title: "quotes \" \\ / ünï ⚠ 👩‍👩‍👧‍👦")] {
      let read = try JSONSerialization.jsonObject(with: Data(state.jsonLine))
      #expect(try ObserverState(jsonLine: JSONSerialization.data(withJSONObject: read)) == state)
      #expect(try ObserverState(jsonLine: state.jsonLine) == state)
    }
  }

  @Test func theVPNIsReportedWithWhatIsBelowIt() throws {
    var path = onlinePath
    let (tunnel, wireless) = (
      NWInterface(name: "tun0", index: 9, type: .other), NWInterface(name: "wlan0", index: 3, type: .wifi)
    )
    path.tunnels = [
      .init(interface: tunnel, use: .carries, underlay: wireless, explanation: "VPN tun0 over wlan0"),
      .init(
        interface: NWInterface(name: "wg<0", index: 10, type: .other), use: .bypassed,
        explanation: "VPN wg<0 is up, but the default route bypasses it"),
    ]
    let state = ObserverState(
      seq: 7, time: time, since: time, path: path, phase: .hidden, appearance: nil, inset: TerminalInsets())
    #expect(
      state.json.contains(
        #""vpns":[{"name":"tun0","use":"carries","underlay":"wlan0","explanation":"VPN tun0 over wlan0"},"#
          + #"{"name":"wg<0","use":"bypassed","underlay":null,"explanation":"VPN wg<0 is up, but the default route bypasses it"}]"#
      ))
    #expect(try ObserverState(jsonLine: state.jsonLine) == state)
    #expect(
      ObserverFormat.env.string(state).contains(
        "\nOVERLINE_TUNNEL='tun0'\nOVERLINE_TUNNEL_USE='carries'\nOVERLINE_UNDERLAY='wlan0'\n"))
    // The sentence names only the tunnel in use.
    #expect(ObserverFormat.waybar.string(state).contains("; VPN wg&lt;0 is up, but the default route bypasses it"))
    #expect(try ObserverState(jsonLine: online().json.replacing(#","vpns":[]"#, with: "").utf8).path.vpns == [])
    // While one is dead, it is the one to name, also beside another that is switched off.
    path.deadTunnel = DeadTunnel(name: "wg<0", cause: "eth0 has no carrier", isLooping: false)
    let dead = ObserverState(
      seq: 7, time: time, since: time, path: path, phase: .hidden, appearance: nil, inset: TerminalInsets())
    #expect(ObserverFormat.env.string(dead).contains("\nOVERLINE_TUNNEL='wg<0'\nOVERLINE_TUNNEL_USE='bypassed'\n"))
  }

  @Test func theQualityIsReportedWhereItIsMeasured() throws {
    func state(_ reading: QualityReading?, isLimit: Bool = false) -> ObserverState {
      var path = onlinePath
      path.quality = reading?.report
      path.quality?.isLimit = isLimit
      return ObserverState(
        seq: 7, time: time, since: time, path: path, phase: .hidden, appearance: nil, inset: TerminalInsets())
    }
    let good = state(QualityReading(roundTrip: .milliseconds(23), hosts: 2))
    let poor = state(QualityReading(roundTrip: .milliseconds(1400), hosts: 2))
    let none = state(nil)
    #expect(poor.json.contains(#""quality":{"level":"poor","explanation":"poor: 1.4 s round trip"}"#))
    #expect(try ObserverState(jsonLine: poor.jsonLine) == poor)
    #expect(try ObserverState(jsonLine: none.json.replacing(#","quality":null"#, with: "").utf8).path.quality == nil)
    #expect(
      ObserverFormat.env.string(poor).contains(
        "\nOVERLINE_QUALITY='poor'\nOVERLINE_QUALITY_EXPLANATION='poor: 1.4 s round trip'\n"))
    #expect(ObserverFormat.env.string(none).contains("\nOVERLINE_QUALITY=''\n"))
    #expect(ObserverFormat.text.string(good).hasSuffix("; quality good: 23 ms round trip"))
    #expect([none, good, poor].map { ObserverFormat.prompt.string($0) } == ["online", "online", "poor"])
    // A bar shows only what is worse than good, behind the icon.
    #expect([none, good, poor].map { ObserverFormat.plain.string($0) } == ["", "", "poor: 1.4 s round trip"])
    #expect(ObserverFormat.plain.string(poor, icon: "●") == "● poor: 1.4 s round trip")
    #expect(ObserverFormat.waybar.string(poor).contains(#""class":["online","poor"]"#))
    #expect(ObserverFormat.i3statusRust.string(poor).contains(#""state":"Warning""#))
    // It is a limited connection only if the user wants that.
    #expect(poor.state == .online && poor.limited == nil)
    let limited = state(QualityReading(roundTrip: .milliseconds(1400), hosts: 2), isLimit: true)
    #expect(limited.state == .limited && limited.limited?.reason == "poor-quality")
    #expect(limited.limited?.cause == "slow: 1.4 s round trip")
    #expect(
      ObserverFormat.text.string(limited).hasPrefix("limited: the connection is poor: 1.4 s round trip; via eth0"))
    let lossy = state(QualityReading(roundTrip: .milliseconds(20), hosts: 2, sentAgain: 0.12), isLimit: true)
    #expect(lossy.limited?.cause == "lossy: 12 % sent again")
  }

  @Test func targetsAreReportedByName() throws {
    #expect(
      try withTargets().json.contains(
        #""targets":[{"name":"office","prefix":"10.20.0.0/16","reachable":false,"reason":"no-carrier","explanation":"office: no","default":false},"#
          + #"{"name":"nas","prefix":"192.0.2.7/32","reachable":true,"reason":null,"explanation":"","default":true},"#
          + #"{"name":"vpn","prefix":"2001:db8::/32","reachable":null,"reason":null,"explanation":"","default":false}],"vpns":[],"quality":null}"#
      ))
    #expect(ObserverFormat.env.string(try withTargets()).contains("\nOVERLINE_TARGETS='office=0 nas=1 vpn='\n"))
    #expect(ObserverFormat.env.string(online()).contains("\nOVERLINE_TARGETS=''\n"))
    // From a monitor that does not know how targets are reached, or does not send it yet.
    let old = try withTargets().json.replacing(#","default":true"#, with: "").replacing(#","default":false"#, with: "")
    #expect(try ObserverState(jsonLine: old.utf8).path.targets.map(\.isByDefaultRoute) == [false, false, false])
    let older = online().json.replacing(#","targets":[]"#, with: "")
    #expect(older != online().json)
    #expect(try ObserverState(jsonLine: older.utf8) == online())
  }

  @Test func unknownFieldsAndValuesArePassedOver() throws {
    let newer = offline().json
      .replacing(#""v":1,"#, with: #""v":1,"new":[{"deep":1.5e3}],"#)
      .replacing(#""state":"offline""#, with: #""state":"portal""#)
      .replacing("link-down", with: "a-reason-of-tomorrow")
    let state = try ObserverState(jsonLine: newer.utf8)
    #expect(state.state == .unknown)
    #expect(state.path.reason == "a-reason-of-tomorrow")
    #expect(state.banner == offline().banner)
  }

  @Test func aLaterVersionIsRefused() {
    let error = #expect(throws: ProtocolError.self) {
      try ObserverState(jsonLine: offline().json.replacing(#""v":1"#, with: #""v":2"#).utf8)
    }
    #expect(error?.code == .unsupportedVersion)
  }

  @Test func theStateFollowsThePathAndTheBanner() {
    #expect(ObserverState.state(of: NWPath(status: .unsatisfied), phase: .grace) == .offline)
    #expect(ObserverState.state(of: NWPath(status: .satisfied), phase: .restored) == .restored)
    #expect(ObserverState.state(of: NWPath(status: .satisfied), phase: .presented) == .online)
    #expect(ObserverState.state(of: NWPath(status: .requiresConnection), phase: .hidden) == .online)
    #expect(ObserverState.state(of: NWPath(status: .satisfied, isKnown: false), phase: .restored) == .unknown)
  }

  @Test(arguments: [BannerPhaseName.hidden, .grace])
  func nothingOnScreenHasNoTitle(_ phase: BannerPhaseName) {
    let state = ObserverState(
      seq: 1, time: time, since: time, path: offlinePath, phase: phase, appearance: .offline, inset: TerminalInsets())
    #expect(
      state.json.contains(
        #""banner":{"phase":"\#(phase)","title":null,"background":null,"text":null,"dismissed":false}"#))
    #expect(ObserverFormat.plain.string(state) == "")
  }

  @Test func aSilentRoutersLastAnswerIsCountedToTheTimeOfTheState() throws {
    var path = NWPath(status: .unsatisfied, reason: .routerSilent, cause: "the router 192.0.2.1 does not answer")
    path.silence = .milliseconds(43_900)
    path.explanation = "offline: the router 192.0.2.1 does not answer (last heard 43 s ago)"
    var states = StateSequence()
    func next(_ path: NWPath, at seconds: Int, toast: ToastContent? = nil) -> ObserverState? {
      let overlays = OverlayStatus(banner: BannerStatus(), toast: toast, alert: nil)
      return states.next(Observation(path: path, overlays: overlays), at: .seconds(seconds), time: "\(seconds)")
    }
    let first = try #require(next(path, at: 100))
    #expect(first.json.contains(#""reason":"router-silent","since":43,"#))
    #expect(ObserverFormat.env.string(first).contains("\nOVERLINE_LAST_ANSWER='43'\n"))
    #expect(try ObserverState(jsonLine: first.jsonLine) == first)
    // Time alone makes no new state.
    #expect(next(path, at: 110) == nil)
    let later = try #require(next(path, at: 120, toast: ToastContent(title: "Saved")))
    #expect(later.path.since == 63 && later.path.explanation.hasSuffix("(last heard 63 s ago)"))
    path.silence = .seconds(88)
    path.explanation = "renewed"
    #expect(next(path, at: 144, toast: ToastContent(title: "Saved"))?.path.since == 88)
    let after = try #require(next(onlinePath, at: 150))
    #expect(after.path.since == nil && after.lastAnswer == nil)
    #expect(ObserverFormat.env.string(after).contains("\nOVERLINE_LAST_ANSWER=''\n"))
    // Another outage, which was noticed after the same time.
    path.silence = .seconds(88)
    #expect(next(path, at: 300)?.path.since == 88)
  }

  @Test func theInterfaceInUseIsNamedOnlyWhileThereIsOne() {
    #expect(online().path.interface == "eth0")
    #expect(offline().path.interface == nil)
  }
}

@Suite(.ownThread) struct FormatTests {
  @Test func textIsASentence() {
    #expect(ObserverFormat.text.string(online()) == "online via eth0, wired, gateway 192.0.2.1, IPv4, IPv6, DNS")
    #expect(ObserverFormat.text.string(offline()) == "offline: default via 192.0.2.1 dev eth0 has no carrier")
    let unknown = ObserverState.unknown(time: time, explanation: "no monitor runs")
    #expect(ObserverFormat.text.string(unknown) == "unknown: no monitor runs")
  }

  /// The state stays what it is; only what shows the banner is empty.
  @Test func aDismissedBannerIsSaid() throws {
    func state(_ path: NWPath, _ limitation: Limitation? = nil) -> ObserverState {
      ObserverState(
        seq: 1, time: time, since: time, path: path, limitation: limitation, phase: .hidden, appearance: nil,
        isDismissed: true, inset: TerminalInsets())
    }
    let lost = state(offlinePath)
    #expect(
      ObserverFormat.text.string(lost)
        == "offline: default via 192.0.2.1 dev eth0 has no carrier; its banner is dismissed")
    #expect(ObserverFormat.prompt.string(lost) == "offline")
    #expect(lost.json.contains(#""text":null,"dismissed":true}"#))
    #expect(EnvironmentFormat.parse(ObserverFormat.env.string(lost))?["OVERLINE_DISMISSED"] == "1")
    #expect(EnvironmentFormat.parse(ObserverFormat.env.string(offline()))?["OVERLINE_DISMISSED"] == "0")
    for bar in ObserverFormat.allCases where bar.isBar { #expect(!bar.string(lost).contains("No connection")) }
    #expect(try ObserverState(jsonLine: lost.jsonLine) == lost)
    #expect(lost.dismissedReason == "link-down" && offline().dismissedReason == nil)
    let limited = state(onlinePath, Limitation(.captivePortal, cause: "Log in", explanation: "a redirect"))
    #expect(ObserverFormat.text.string(limited).hasSuffix("; its banner is dismissed"))
    #expect(limited.dismissedReason == "captive-portal")
    // An older monitor sends none.
    let older = offline().json.replacing(#","dismissed":false"#, with: "")
    #expect(try ObserverState(jsonLine: Array(older.utf8)) == offline())
  }

  @Test func plainPromptAndJSON() {
    #expect(ObserverFormat.plain.string(offline()) == "No connection")
    #expect(ObserverFormat.plain.string(online()) == "")
    #expect(ObserverFormat.prompt.string(offline()) == "offline")
    #expect(ObserverFormat.json.string(offline()) == offline().json)
    #expect(ObserverFormat.allCases.filter { !$0.endsWithLineFeed } == [.prompt])
  }

  static let hostile = [
    "it's $(touch x) `id` \\ \" ; rm -rf / # '", "'", "''", "'\\''", "\u{1b}[31mred\u{1b}]0;title\u{7}",
    "two\nlines\tand\ttabs",
    "\u{9b}31m C1 \u{85}", "\u{202e}reversed", "'\u{301} combining", "\u{2028}",
  ]

  @Test(arguments: hostile) func noFormatLetsAControlCharacterThrough(_ title: String) {
    var state = offline(title: title)
    // As if it had come over a socket.
    state.banner.title = title
    state.path.explanation = title
    for format in ObserverFormat.allCases where format != .json {
      #expect(format == .env || !format.string(state).contains("\n"))
      let lines = format.string(state).split(separator: "\n")
      #expect(lines.allSatisfy { TerminalText.firstUnsafe(in: String($0)) == nil }, "\(format)")
    }
    #expect(ObserverFormat.env.string(state).split(separator: "\n").count == state.environment.count)
  }

  @Test(arguments: hostile) func aShellReadsEnvBackAsItWas(_ title: String) throws {
    let state = offline(title: title)
    let text = ObserverFormat.env.string(state)
    let parsed = try #require(EnvironmentFormat.parse(text))
    #expect(parsed["OVERLINE_TITLE"] == TerminalText.sanitized(title))
    #expect(parsed.count == state.environment.count)
    let script = text + "\nprintf '%s' \"$OVERLINE_TITLE\""
    // Not Foundation's Process: its waitUntilExit sometimes misses the end of a shell, and then the whole run waits forever.
    let shell = try Subprocess.run("/bin/sh", ["-c", script])
    #expect(shell.outputText == TerminalText.sanitized(title))
  }

  @Test func envHasTheNamesThatPeopleUse() throws {
    let variables = try #require(EnvironmentFormat.parse(ObserverFormat.env.string(offline())))
    #expect(variables["OVERLINE_STATE"] == "offline")
    #expect(variables["OVERLINE_REASON"] == "link-down")
    #expect(variables["OVERLINE_EXPLANATION"] == offline().path.explanation)
    #expect(variables["OVERLINE_INTERFACE"] == "")
    #expect(variables["OVERLINE_INSET_TOP"] == "1")
  }

  @Test(arguments: ["A=b", "A='b", "A='b'c'", "A", "='"])
  func otherFilesAreNotEnv(_ text: String) {
    #expect(EnvironmentFormat.parse(text) == nil)
  }

  @Test func aLimitedStateSaysWhyAndByWhichWay() throws {
    func state(_ path: NWPath, _ phase: BannerPhaseName = .presented) -> ObserverState {
      ObserverState(
        seq: 1, time: time, since: time, path: path,
        limitation: Limitation(
          .checkFailed, cause: "no answer from example.net", explanation: "no answer from example.net (not in time)"),
        phase: phase,
        appearance: .limited, inset: TerminalInsets(top: 1))
    }
    let limited = state(onlinePath)
    #expect(ObserverFormat.prompt.string(limited) == "limited")
    #expect(ObserverFormat.plain.string(limited) == "Limited connection")
    #expect(
      ObserverFormat.text.string(limited)
        == "limited: no answer from example.net (not in time); via eth0, wired, gateway 192.0.2.1, IPv4, IPv6, DNS")
    #expect(
      EnvironmentFormat.parse(ObserverFormat.env.string(limited))?["OVERLINE_LIMITATION"]
        == "no answer from example.net (not in time)")
    #expect(try ObserverState(jsonLine: limited.jsonLine) == limited)
    // What connections say, without a check.
    var path = onlinePath
    path.noAnswers = NWPath.NoAnswers(connections: 7, hosts: 5, duration: .seconds(12), routerAnswers: true)
    let unanswered = ObserverState(
      seq: 1, time: time, since: time, path: path, phase: .presented, appearance: .limited,
      inset: TerminalInsets(top: 1))
    #expect(
      ObserverFormat.text.string(unanswered)
        == "limited: no answers: 7 connections to 5 hosts, for 12 s; the router answers, nothing behind it does; "
        + "via eth0, wired, gateway 192.0.2.1, IPv4, IPv6, DNS")
    #expect(
      EnvironmentFormat.parse(ObserverFormat.env.string(unanswered))?["OVERLINE_LIMITATION_REASON"] == "no-answers")
    #expect(try ObserverState(jsonLine: unanswered.jsonLine) == unanswered)
    // The time since the first data without an answer, which only this limitation has.
    #expect(limited.limited?.since == nil && limited.lastAnswer == nil)
    #expect(unanswered.json.contains(#","portal":null,"since":12}"#))
    #expect(EnvironmentFormat.parse(ObserverFormat.env.string(unanswered))?["OVERLINE_LAST_ANSWER"] == "12")
    let earlier = unanswered.json.replacing(#","since":12"#, with: "").replacing(#""since":null,"#, with: "")
    #expect(try ObserverState(jsonLine: Array(earlier.utf8)).limited?.since == nil)
    // What does not leave this machine. Nothing is known about answers.
    path.noAnswers = nil
    path.notSent = NWPath.NotSent(connections: 3, hosts: 2, duration: .seconds(12), origin: .routing)
    let unsent = ObserverState(
      seq: 1, time: time, since: time, path: path, phase: .hidden, appearance: nil, inset: TerminalInsets())
    #expect(unsent.state == .limited && ObserverFormat.prompt.string(unsent) == "limited")
    #expect(
      ObserverFormat.text.string(unsent)
        == "limited: nothing leaves this machine: 3 connections to 2 hosts, for 12 s; a route or an IPsec policy of this "
        + "machine stops the packets; via eth0, wired, gateway 192.0.2.1, IPv4, IPv6, DNS")
    let variables = EnvironmentFormat.parse(ObserverFormat.env.string(unsent))
    #expect(variables?["OVERLINE_LIMITATION_REASON"] == "not-sent" && variables?["OVERLINE_LAST_ANSWER"] == "")
    #expect(unsent.limited?.since == nil)
    #expect(try ObserverState(jsonLine: unsent.jsonLine) == unsent)
    // Offline takes precedence, and an older monitor sends none.
    #expect(state(offlinePath).state == .offline)
    #expect(state(offlinePath).limitation == nil)
    #expect(state(NWPath(status: .satisfied, isKnown: false)).state == .unknown)
    #expect(state(onlinePath, .grace).state == .limited)
    let older = online().json.replacing(#","limitation":null,"limited":null"#, with: "")
    #expect(try ObserverState(jsonLine: Array(older.utf8)) == online())
  }
}
