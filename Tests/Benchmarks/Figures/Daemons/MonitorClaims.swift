internal import OverlineProcess
internal import OverlineSystem
internal import OverlineTestSupport
internal import Synchronization

/// Reads the states that a monitor publishes, and the time of each.
final class MonitorClaims: Sendable {
  private struct State {
    var claims: [ClaimJudgement.Claim] = []
    var hasBegun = false
    var isEnded = false
  }

  private let shared: Shared

  init(of socket: String) throws {
    let shared = Shared()
    self.shared = shared
    try BackgroundThread.start(name: "bench-states") {
      defer { shared.end() }
      guard let socket = try? UnixSocket.connect(to: socket) else { return }
      var rest: [UInt8] = []
      while !shared.isEnded {
        guard (try? waitUntilReadable(socket.rawValue, timeout: .milliseconds(200))) == true else { continue }
        let now = BootClock.now
        guard let bytes = try? socket.read(), !bytes.isEmpty else { break }
        rest += bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: rest[..<end], as: UTF8.self)
          shared.record(line, at: now - Self.delay(of: line))
          rest.removeSubrange(...end)
        }
      }
    }
  }

  deinit { shared.end() }

  /// How long ago the monitor published a state: on a busy machine this thread reads it late.
  private static func delay(of line: String) -> Duration {
    guard let published = WallTime(rfc3339: Shared.text(of: "time", in: line)) else { return .zero }
    let delay = WallTime.now.milliseconds - published.milliseconds
    // A later time, or a much earlier one, is of a clock that was set.
    return (0..<10_000).contains(delay) ? .milliseconds(delay) : .zero
  }

  /// The claims, except those that `forget` has removed. Throws when the monitor has ended: then it could claim nothing.
  func claims() throws -> [ClaimJudgement.Claim] {
    if shared.isEnded { throw TestKitError("the monitor has ended") }
    return shared.claims
  }

  /// Whether a state has come.
  var hasBegun: Bool { shared.hasBegun }

  /// Forgets the claims that have ended.
  func forget() { shared.forget() }

  private final class Shared: Sendable {
    private let state = Mutex(State())

    var claims: [ClaimJudgement.Claim] { state.withLock { $0.claims } }
    var hasBegun: Bool { state.withLock { $0.hasBegun } }
    var isEnded: Bool { state.withLock { $0.isEnded } }
    func end() { state.withLock { $0.isEnded = true } }
    func forget() { state.withLock { $0.claims.removeAll { $0.end != nil } } }

    func record(_ line: String, at now: Duration) {
      let words = Self.claim(line)
      state.withLock { state in
        state.hasBegun = true
        let stands = state.claims.last.map { $0.end == nil } ?? false
        switch (stands, words) {
        case (true, nil): state.claims[state.claims.count - 1].end = now
        case (false, let words?): state.claims.append(.init(begin: now, end: nil, words: words))
        default: break
        }
      }
    }

    /// What a state claims: its reason and its sentence; nil for a state without a claim.
    private static func claim(_ line: String) -> String? {
      if line.contains("\"state\":\"offline\"") { return text(of: "explanation", in: line) }
      guard line.contains("\"state\":\"limited\"") else { return nil }
      return "limited: \(text(of: "reason", in: line.split(separator: "\"limited\":").last.map(String.init) ?? line))"
    }

    static func text(of key: String, in line: String) -> String {
      guard let start = line.firstRange(of: "\"\(key)\":\"") else { return line }
      return String(line[start.upperBound...].prefix { $0 != "\"" })
    }
  }
}
