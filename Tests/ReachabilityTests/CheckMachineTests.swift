import NetworkPath
import Overline
import OverlineCore
import OverlineTestThread
import Testing

private let settings = CheckSettings(
  url: CheckURL("http://example.net/")!, expectedStatus: 204, interval: .seconds(10), timeout: .seconds(2))
private let online = NWPath(status: .satisfied, supportsIPv4: true)
private let elsewhere = NWPath(status: .satisfied, supportsIPv4: true, supportsIPv6: true)
private let offline = NWPath(status: .unsatisfied)
private let redirected = CheckVerdict.failed(.redirected(302, to: nil))

/// Plays a script, one character per half second, and returns the check's actions, one character per half second.
///
/// In: `s` the path is satisfied, `e` by another route, `u` unsatisfied, `?` unknown, `r` on demand only; `g` a good answer, `b` a bad
/// one, `n` no request was possible, `o` a bad answer to the previous request; `w` new connections of programs wait for an answer; `x` the
/// check is switched off, `X` on.
/// Out: `a` asked, `c` cancelled, `L` limited, `K` no longer; the last of them at each time.
private func timeline(_ script: String) -> String {
  var machine = CheckMachine(settings: settings)
  var now = Duration.zero
  var result = ""
  var request = 0
  for character in script {
    var last: Character = "-"
    func send(_ event: CheckMachine.Event, at time: Duration) {
      let before = machine.limitation
      for effect in machine.handle(event, at: time) {
        switch effect {
        case .ask(_, let number):
          request = number
          last = "a"
        case .cancel: last = "c"
        }
      }
      if machine.limitation != before { last = machine.limitation == nil ? "K" : "L" }
    }
    while let deadline = machine.nextDeadline, deadline <= now {
      #expect(machine.handle(.deadlineReached, at: deadline - .nanoseconds(1)) == [])
      send(.deadlineReached, at: deadline)
    }
    if let event = event(character, request) { send(event, at: now) }
    result.append(last)
    now += .milliseconds(500)
  }
  return result
}

private func event(_ character: Character, _ request: Int) -> CheckMachine.Event? {
  switch character {
  case "s": .pathChanged(online)
  case "e": .pathChanged(elsewhere)
  case "u": .pathChanged(offline)
  case "?": .pathChanged(NWPath(status: .satisfied, isKnown: false))
  case "r": .pathChanged(NWPath(status: .requiresConnection))
  case "g": .answered(.reached, request: request)
  case "b": .answered(redirected, request: request)
  case "n": .answered(.notAsked, request: request)
  case "o": .answered(redirected, request: request - 1)
  case "w": .suggested
  case "x": .settingsChanged(nil)
  case "X": .settingsChanged(settings)
  default: nil
  }
}

private func idle(_ count: Int) -> String { String(repeating: "-", count: count) }

@Suite(.ownThread) struct CheckMachineTests {
  @Test(arguments: [
    // Soon after the path is satisfied, then at the interval.
    ("s-g" + idle(21), "-a" + idle(20) + "a-"),
    // A repeated path starts no request; another route does.
    ("s-gs--e---", "-a-----a--"),
    // One failure is a lost packet: asked again after a second, and then at the interval.
    ("s-b-g" + idle(20) + "b--", "-a--a" + idle(19) + "a--a"),
    // Two in a row are a limited connection; one good answer ends it.
    ("s-b--b----g-", "-a--aL---aK-"),
    // So is no answer in time. Never two requests at once.
    ("s-----------", "-a---c-a---L"),
    // Without a possible request there is no verdict, and an earlier one is withdrawn.
    ("s-n" + idle(21), "-a" + idle(20) + "a-"),
    ("s-b--b----n", "-a--aL---aK"),
  ])
  func asks(script: String, done: String) { #expect(timeline(script) == done) }

  @Test(arguments: [
    // Never without a path, or by one that must be dialled.
    ("u" + idle(60), idle(61)), ("?" + idle(60), idle(61)), ("r" + idle(60), idle(61)), (idle(60), idle(60)),
    ("s-gu" + idle(60), "-a" + idle(62)),
    ("s-u" + idle(60), "-ac" + idle(60)),
    // Another route while a request is open: the answer to that request is dropped.
    ("s-eoooo-", "-aca---c"),
    // Offline ends the limited state, and starts over.
    ("s-b--bu---s-b-", "-a--aLK----a--"),
    // Another route keeps the state until it has been tried; then one answer decides, good or bad.
    ("s-b--be-g", "-a--aL-aK"), ("s-b--be-b" + idle(3) + "u", "-a--aL-a--a-K"),
  ])
  func followsThePath(script: String, done: String) { #expect(timeline(script) == done) }

  @Test(arguments: [
    ("s-x---X-", "-ac----a"), ("s-b--bx" + idle(60), "-a--aLK" + idle(60)), ("x" + "s-e-u-s" + idle(60), idle(68)),
  ])
  func isSwitchedOffAndOn(script: String, done: String) { #expect(timeline(script) == done) }

  @Test(arguments: [
    // Nothing to ask, and no server; while a request is open, or none is possible.
    ("w" + idle(9), idle(10)), ("xsw" + idle(9), idle(12)), ("s-wg", "-a--"), ("uw" + idle(9), idle(11)),
    // Within 30 seconds of the last request only the schedule counts.
    ("s-gw" + idle(18), "-a" + idle(20)), ("s-b-w", "-a--a"),
  ])
  func aSuggestionChangesNothing(script: String, done: String) { #expect(timeline(script) == done) }

  /// Twelve minutes, with an interval of five, and a suggestion each second.
  @Test func suggestionsCauseOneRequestEachHalfMinute() {
    let rare = CheckSettings(
      url: CheckURL("http://example.net/")!, expectedStatus: 204, interval: .seconds(300), timeout: .seconds(2))
    var machine = CheckMachine(settings: rare)
    _ = machine.handle(.pathChanged(online), at: .zero)
    var asked: [Duration] = []
    for time in 0..<(4 * 720) {
      let now = Duration.milliseconds(250 * time)
      for case .ask(_, let request) in machine.handle(.deadlineReached, at: now) {
        asked.append(now)
        _ = machine.handle(.answered(.reached, request: request), at: now)
      }
      if time >= 4 * 100, time % 4 == 0 { #expect(machine.handle(.suggested, at: now) == []) }
    }
    #expect(asked.prefix(3) == [.milliseconds(250), .milliseconds(100_250), .milliseconds(131_250)])
    #expect(zip(asked.dropFirst(2), asked.dropFirst()).allSatisfy { $0 - $1 == .seconds(31) })
    // Two failures in a row are a limited connection, as at any other time.
    _ = machine.handle(.suggested, at: .seconds(800))
    for _ in 1...2 {
      let now = machine.nextDeadline!
      for case .ask(_, let request) in machine.handle(.deadlineReached, at: now) {
        _ = machine.handle(.answered(redirected, request: request), at: now)
      }
    }
    #expect(machine.limitation != nil)
  }

  @Test func withoutSettingsItIsAsleep() {
    var machine = CheckMachine()
    for path in [online, offline, elsewhere] { #expect(machine.handle(.pathChanged(path), at: .zero) == []) }
    #expect(machine.nextDeadline == nil)
  }

  @Test func pausesDoubleUpToTheInterval() {
    var machine = CheckMachine(settings: settings)
    _ = machine.handle(.pathChanged(online), at: .zero)
    var pauses: [Duration] = []
    for request in 1...60 {
      let now = machine.nextDeadline!
      _ = machine.handle(.deadlineReached, at: now)
      _ = machine.handle(.answered(redirected, request: request), at: now)
      pauses.append(machine.nextDeadline! - now)
    }
    #expect(pauses.prefix(6) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(10), .seconds(10)])
    #expect(Set(pauses.dropFirst(5)) == [.seconds(10)])
  }

  /// Where a path keeps changing, as with a loose cable, the check is delayed at most by the settling time.
  @Test func changesThatGoOnDoNotPutItOff() {
    var machine = CheckMachine(settings: settings)
    var asked = 0
    for step in 0..<20 {
      let now = Duration.milliseconds(50 * step)
      let effects = machine.handle(.deadlineReached, at: now)
      asked += effects.count { if case .ask = $0 { true } else { false } }
      _ = machine.handle(.pathChanged(step % 2 == 0 ? online : elsewhere), at: now)
    }
    #expect(asked >= 2)
  }

  /// A request that was due during sleep is made on waking, once.
  @Test func sleepIsFollowedByOneQuestion() {
    var machine = CheckMachine(settings: settings)
    _ = machine.handle(.pathChanged(online), at: .zero)
    let effects = machine.handle(.deadlineReached, at: .seconds(9000))
    #expect(effects == [.ask(settings, request: 1)])
    #expect(machine.nextDeadline == .seconds(9002))
  }

  @Test func saysWhatWasWrongLast() {
    var machine = CheckMachine(settings: settings)
    _ = machine.handle(.pathChanged(online), at: .zero)
    var causes: [String] = []
    let failures: [CheckFailure] = [.late, .unresolved, .redirected(302, to: nil), .status(503), .body, .untrusted]
    for (index, failure) in failures.enumerated() {
      let now = machine.nextDeadline!
      _ = machine.handle(.deadlineReached, at: now)
      let before = machine.limitation
      _ = machine.handle(.answered(.failed(failure), request: index + 1), at: now)
      if let limitation = machine.limitation, limitation != before { causes.append(limitation.cause) }
    }
    #expect(
      causes == [
        "no answer from example.net", "captive portal?", "example.net answered 503", "captive portal?",
        "captive portal?",
      ])
  }

  @Test(arguments: [
    (511, "example.net answered that the network wants a log-in first (511)"),
    (503, "example.net answered with status 503, not 204"),
  ])
  func aStatusIsCalledWhatItIs(_ status: Int, _ words: String) {
    #expect(CheckFailure.status(status).limitation(of: settings).explanation == words)
  }

  @Test func aRedirectNamesThePageForTheLogIn() {
    let known = CheckFailure.redirected(302, to: CheckURL("http://192.0.2.1/in")).limitation(of: settings)
    #expect(known.portal == "http://192.0.2.1/in" && known.reason == .captivePortal)
    #expect(known.cause == "Log in: http://192.0.2.1/in")
    #expect(known.explanation == "log in: http://192.0.2.1/in (example.net answered with a redirect (302))")
    let unknown = CheckFailure.redirected(302, to: nil).limitation(of: settings)
    #expect(unknown.cause == "captive portal?" && unknown.portal == nil)
  }
}
