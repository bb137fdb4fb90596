import OverlineCore
import OverlineShell
import OverlineSimulatedMachine
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import Overline

/// The model of a tmux server beside a real one: both get the same lines, also those of a banner.
@Suite(.ownThread) struct TmuxModelTests {
  /// A way to the model.
  private final class Port: TmuxPort, @unchecked Sendable {
    var model = SimulatedTmux()
    let server = TmuxServer(socket: "/run/model")

    func source(_ lines: [String], changes: Bool, timeout: Duration?) -> TmuxReply { model.source(lines) }
    func watch() -> String? { nil }
    func release() {}
  }

  private struct Pair: ~Copyable {
    let real: TmuxTestServer
    let port = Port()
    var ours: TmuxPresenter<TmuxClient>
    var modelled: TmuxPresenter<Port>

    init(_ real: TmuxTestServer) {
      self.real = real
      let client = TmuxClient(TmuxServer(socket: real.socket))
      ours = TmuxPresenter(client, sessions: [], reserve: .auto)
      modelled = TmuxPresenter(port, sessions: [], reserve: .auto)
    }

    func begin() throws {
      port.model.addSession("$0")
      _ = try real.source("new-session -d -s other")
      port.model.addSession("$1")
      // The model's own values are shorter.
      try source("set -gu status-format[2]", "set -g status-format[0] zero", "set -g status-format[1] one")
    }

    func source(_ lines: String...) throws {
      for line in lines {
        // A line that both refuse is no difference.
        _ = try? real.source(line)
        _ = port.model.source([line])
      }
    }

    mutating func present(_ content: TmuxContent) throws {
      try ours.present(content, reserve: .auto, anew: false, warn: { _ in })
      try modelled.present(content, reserve: .auto, anew: false, warn: { _ in })
    }

    /// The options that differ, wherever they are set.
    func differences() throws -> [String] {
      let scopes = ["-g"] + port.model.sessions.keys.sorted().map { "-t \($0):" }
      return try scopes.flatMap { ["show-options \($0) -v status", "show-options \($0) status-format"] }.compactMap {
        line in
        let (one, other) = (Self.values(try real.source(line)), Self.values(port.model.source([line]).output))
        return one == other ? nil : "\(line): \(one) in tmux, \(other) in the model"
      }
    }

    /// tmux quotes values with spaces, as ours are.
    private static func values(_ text: String) -> [String] {
      text.split(separator: "\n").map { $0.contains("OVERLINE") ? "\($0.prefix { $0 != " " }) ours" : String($0) }
    }
  }

  private static func line(_ numbers: inout SeededNumbers) -> String {
    let scope = numbers.pick(["-g", "-g", "-t $0:", "-t $1:"])
    let unset = scope == "-g" ? "-gu" : "-u \(scope)"
    let entry = "status-format[\(numbers.number(0...4))]"
    return numbers.pick([
      "set \(scope) status \(numbers.pick(["off", "on", "2", "3", "4", "5"]))", "set \(unset) status",
      "set \(scope) \(entry) mine\(numbers.number(0...9))", "set \(unset) \(entry)",
    ])
  }

  @Test("tmux and its model have the same options", arguments: UInt64(0)..<6)
  func sameOptions(_ seed: UInt64) throws {
    var numbers = SeededNumbers(seed)
    var pair = Pair(try TmuxTestServer())
    try pair.begin()
    var log: [String] = []
    let frame = BannerFrame(appearance: .offline, detail: "")
    for _ in 0..<25 {
      switch numbers.number(0...9) {
      case 0...6:
        let line = Self.line(&numbers)
        log.append(line)
        try pair.source(line)
      case 7, 8:
        log.append("banner")
        try pair.present(TmuxContent(banner: frame))
      default:
        log.append("no banner")
        try pair.present(TmuxContent())
      }
      let differences = try pair.differences()
      if !differences.isEmpty { return #expect(differences == [], "\(log)") }
    }
  }
}
