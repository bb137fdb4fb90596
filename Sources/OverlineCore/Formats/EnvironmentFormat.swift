internal import NetworkPath
internal import Overline

/// The monitor that wrote a state file. A pid alone is not enough, since it may now belong to another process.
package struct MonitorIdentity: Equatable, Sendable {
  package var pid: Int32
  /// Clock ticks since boot when the process started (proc(5), `stat`, field 22).
  package var start: UInt64

  package init(pid: Int32, start: UInt64) {
    self.pid = pid
    self.start = start
  }
}

extension ObserverState {
  /// The state as environment variables, for `--format env`, the state file and hooks. Flags are `1` and `0`. Absent values are
  /// empty, so that sourcing a file also clears the values of an earlier one.
  package var environment: [(name: String, value: String)] {
    // While a VPN is dead, it is the one to name.
    let vpn = path.tunnel.map { dead in path.vpns.first { $0.name == dead.name } } ?? path.vpns.first
    let type = path.interface.flatMap { name in path.interfaces.first { $0.name == name }?.type }
    return [
      ("OVERLINE_STATE", state.rawValue),
      ("OVERLINE_STATUS", path.status),
      ("OVERLINE_REASON", path.reason ?? ""),
      ("OVERLINE_EXPLANATION", path.explanation),
      ("OVERLINE_TUNNEL", path.tunnel?.name ?? vpn?.name ?? ""),
      ("OVERLINE_TUNNEL_USE", vpn?.use ?? (path.tunnel == nil ? "" : NWPath.Tunnel.Use.down.rawValue)),
      ("OVERLINE_UNDERLAY", vpn?.underlay ?? ""),
      ("OVERLINE_TUNNEL_CAUSE", path.tunnel?.cause ?? ""),
      ("OVERLINE_TUNNEL_LOOPS", path.tunnel.map { $0.loops ? "1" : "0" } ?? ""),
      ("OVERLINE_LIMITATION", limitation ?? ""),
      ("OVERLINE_LIMITATION_REASON", limited?.reason ?? ""),
      ("OVERLINE_PORTAL", limited?.portal ?? ""),
      ("OVERLINE_LAST_ANSWER", lastAnswer.map { String($0) } ?? ""),
      ("OVERLINE_INTERFACE", path.interface ?? ""),
      ("OVERLINE_INTERFACE_TYPE", type ?? ""),
      ("OVERLINE_GATEWAY", path.gateways.first ?? ""),
      ("OVERLINE_IPV4", path.ipv4 ? "1" : "0"),
      ("OVERLINE_IPV6", path.ipv6 ? "1" : "0"),
      ("OVERLINE_DNS", path.dns ? "1" : "0"),
      ("OVERLINE_EXPENSIVE", path.expensive ? "1" : "0"),
      ("OVERLINE_CONSTRAINED", path.constrained ? "1" : "0"),
      ("OVERLINE_QUALITY", path.quality?.level ?? ""),
      ("OVERLINE_QUALITY_EXPLANATION", path.quality?.explanation ?? ""),
      // `office=1 vpn=0`: target names contain no spaces.
      ("OVERLINE_TARGETS", path.targets.map(\.environmentWord).joined(separator: " ")),
      ("OVERLINE_PHASE", banner.phase.rawValue),
      ("OVERLINE_TITLE", banner.title ?? ""),
      ("OVERLINE_BACKGROUND_COLOR", banner.background ?? ""),
      ("OVERLINE_TEXT_COLOR", banner.text ?? ""),
      ("OVERLINE_DISMISSED", banner.isDismissed ? "1" : "0"),
      ("OVERLINE_PAUSED_UNTIL", paused?.until ?? ""),
      ("OVERLINE_INSET_TOP", String(inset.top)),
      ("OVERLINE_INSET_BOTTOM", String(inset.bottom)),
      ("OVERLINE_SEQ", String(seq)),
      ("OVERLINE_TIME", time),
      ("OVERLINE_SINCE", since),
    ]
  }
}

extension ObserverState.Target {
  /// `NAME=1` or `NAME=0`; `NAME=` when the kernel could not be queried.
  fileprivate var environmentWord: String { "\(name)=" + (reachable.map { $0 ? "1" : "0" } ?? "") }
}

/// `NAME='value'` lines.
package enum EnvironmentFormat {
  /// Every value in single quotes, without control characters; a line feed between the lines, none at the end.
  package static func string(_ variables: [(name: String, value: String)]) -> String {
    variables.map { "\($0.name)=\(TerminalText.sanitized($0.value).shellQuoted)" }.joined(separator: "\n")
  }

  /// The content of the state file: the state, and the monitor that wrote it.
  package static func stateFile(_ state: ObserverState, monitor: MonitorIdentity) -> String {
    let monitor = [
      (name: "OVERLINE_MONITOR_PID", value: String(monitor.pid)),
      (name: "OVERLINE_MONITOR_START", value: String(monitor.start)),
    ]
    return string(state.environment + monitor) + "\n"
  }

  /// Parses the output of ``string(_:)``; nil if a line has another form. Compares bytes, so that a combining mark after a quote does not
  /// hide the quote.
  package static func parse(_ text: String) -> [String: String]? {
    var variables: [String: String] = [:]
    for line in text.utf8.split(separator: 0x0a) {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")),
        let value = unquote(Array(line[line.index(after: equals)...]))
      else { return nil }
      variables[String(decoding: line[..<equals], as: UTF8.self)] = value
    }
    return variables
  }

  private static func unquote(_ word: [UInt8]) -> String? {
    let quote = UInt8(ascii: "'")
    guard word.count >= 2, word.first == quote, word.last == quote else { return nil }
    var value: [UInt8] = []
    var rest = word[1..<(word.count - 1)]
    while let byte = rest.first {
      if byte != quote {
        value.append(byte)
        rest = rest.dropFirst()
      } else if rest.starts(with: "'\\''".utf8) {
        value.append(quote)
        rest = rest.dropFirst(4)
      } else {
        return nil
      }
    }
    return String(decoding: value, as: UTF8.self)
  }
}
