/// One line of the history: from this moment on, one monitor saw this state of the network.
///
///     1 offline 1234-56789-0a1b2c3d 1763759045123 812345 800100 no-carrier eth0 default via 192.0.2.1 dev eth0 has no carrier .
///
/// The fields are separated by tabs. No field contains a tab.
///
/// Every line is complete in itself, so any sequence of lines is a history. Lines that were cut off, lost with a disk, or never written do
/// not affect the others. If a line's last field is not a full stop, the line was torn and is invalid.
package struct HistoryRecord: Equatable, Sendable {
  /// One run of a monitor, identified by its process.
  package struct Session: Equatable, Sendable {
    package var pid: Int32
    /// Clock ticks since boot when the process started.
    package var start: UInt64
    /// An identifier of this boot; letters and digits.
    package var boot: String

    package init(pid: Int32, start: UInt64, boot: String) {
      self.pid = pid
      self.start = start
      self.boot = boot
    }
  }

  package enum Event: Equatable, Sendable {
    case online
    /// - Parameter isFound: true if the monitor started during the outage, so that the beginning is unknown.
    case offline(Cause, isFound: Bool)
    /// The network is limited. Written only after ``online``.
    case limited(Cause)
    /// The monitor ended.
    case ended
  }

  /// The reason why there was no network, or a limited one.
  package struct Cause: Equatable, Sendable {
    /// A raw value of `NWPath.Reason` or `Limitation.Reason`, or of a later version; `unknown` for none.
    package var reason: String
    /// The interface that carried the path before; nil when none did.
    package var interface: String?
    /// One sentence.
    package var explanation: String

    package init(reason: String?, interface: String?, explanation: String) {
      self.reason = reason ?? "unknown"
      self.interface = interface
      self.explanation = explanation
    }
  }

  package var event: Event
  package var session: Session
  package var time: HistoryTime

  package init(_ event: Event, session: Session, time: HistoryTime) {
    self.event = event
    self.session = session
    self.time = time
  }
}

// MARK: - As a line

extension HistoryRecord {
  private static let version = "1"
  private static let end = "."
  private static let nothing = "-"
  /// These limits bound the length of each line, and so the size of a history with a known number of lines.
  private static let maximumNameLength = 64
  private static let maximumExplanationLength = 200

  /// The line with its line feed.
  package var line: [UInt8] {
    var words = [Self.version, kind, session.text, String(time.wall), String(time.boot), String(time.awake)]
    if let cause = event.cause {
      words += [
        Self.field(cause.reason, Self.maximumNameLength),
        cause.interface.map { Self.field($0, Self.maximumNameLength) } ?? Self.nothing,
        Self.field(cause.explanation, Self.maximumExplanationLength),
      ]
    }
    return Array((words + [Self.end]).joined(separator: "\t").utf8) + [0x0a]
  }

  /// Reads a line without its line feed; nil when it is invalid, torn, or of a later version.
  package init?(line: some Collection<UInt8>) {
    // Reject bytes that no monitor wrote: after a power cut a file may contain zeros.
    guard let text = String(validating: line, as: UTF8.self), !text.utf8.contains(0) else { return nil }
    var words = text.split(separator: "\t", omittingEmptySubsequences: false)
    guard words.popLast() == Self.end[...], words.count >= 6, words[0] == Self.version,
      let session = Session(text: words[2]), let wall = Int64(words[3]), let boot = Int64(words[4]),
      let awake = Int64(words[5]), Self.isPlausible(wall), Self.isPlausible(boot), Self.isPlausible(awake)
    else { return nil }
    switch (words[1], words.count) {
    case ("online", 6): event = .online
    case ("end", 6): event = .ended
    case ("offline", 9), ("found", 9), ("limited", 9):
      let cause = Cause(
        reason: String(words[6]), interface: words[7] == Self.nothing ? nil : String(words[7]),
        explanation: String(words[8]))
      event = words[1] == "limited" ? .limited(cause) : .offline(cause, isFound: words[1] == "found")
    case _: return nil
    }
    self.session = session
    time = HistoryTime(wall: wall, boot: boot, awake: awake)
  }

  private var kind: String {
    switch event {
    case .online: "online"
    case .offline(_, let isFound): isFound ? "found" : "offline"
    case .limited: "limited"
    case .ended: "end"
    }
  }

  /// No clock exceeds this limit of some 140,000 years, and sums of such values do not overflow.
  private static func isPlausible(_ milliseconds: Int64) -> Bool { milliseconds.magnitude < 1 << 52 }

  private static func field(_ text: String, _ maximumLength: Int) -> String {
    let scalars = text.unicodeScalars.prefix(maximumLength)
    return scalars.reduce(into: "") { $0.unicodeScalars.append($1.value >= 0x20 && $1.value != 0x7f ? $1 : " ") }
  }
}

extension HistoryRecord.Event {
  /// The cause of an outage or of a limited connection.
  var cause: HistoryRecord.Cause? {
    switch self {
    case .offline(let cause, _), .limited(let cause): cause
    case .online, .ended: nil
    }
  }
}

extension HistoryRecord.Session {
  fileprivate var text: String { "\(pid)-\(start)-\(boot)" }

  fileprivate init?(text: Substring) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let pid = Int32(parts[0]), let start = UInt64(parts[1]), !parts[2].isEmpty else {
      return nil
    }
    self.init(pid: pid, start: start, boot: String(parts[2]))
  }
}
