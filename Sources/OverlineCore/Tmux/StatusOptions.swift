/// The two options that our lines change, with their values in one place: the server, or one session.
package struct StatusOptions: Equatable, Sendable {
  /// The value of `status`: `off`, `on`, `2` … `5`. Nil if it is inherited.
  package var status: String?
  /// Entries 0 to 4 of `status-format`, raw. Nil if the place has no array. A session's array, even an empty one, hides the server's whole
  /// array.
  var format: [Int: String]?

  /// The number of status lines for a value of `status`.
  package static func lines(_ status: String) -> Int {
    switch status {
    case "off": 0
    case "on": 1
    default: min(5, max(0, Int(status) ?? 1))
    }
  }

  static func status(lines: Int) -> String {
    switch lines {
    case 0: "off"
    case 1: "on"
    default: String(lines)
    }
  }

  /// The indices of `count` of our lines after `lines` lines of the user. Our lines are new last lines, or the last of tmux's five when
  /// those are in use.
  static func places(_ count: Int, of lines: Int) -> Range<Int> {
    let all = min(5, lines + count)
    return all - count..<all
  }

  /// Adds our lines to both options, if they are set here.
  ///
  /// - Parameters:
  ///   - inheritedLines: the number of lines if `status` is inherited.
  mutating func add(_ added: [StatusLine], inheritedLines: Int) {
    let places = Self.places(added.count, of: status.map(Self.lines) ?? inheritedLines)
    if status != nil { status = Self.status(lines: places.upperBound) }
    for (place, line) in zip(places, added) { format?[place] = line.format }
  }

  mutating func removeOurs() {
    format = format?.filter { !StatusLine.isOurs($0.value) }
  }
}

/// A change by our lines in one place: the options before it, and the options that we set.
struct StatusChange: Equatable, Sendable {
  var original: StatusOptions
  var reserved: StatusOptions

  /// The options without our lines. If a value differs from the one that we set, the user has changed it, and it stays.
  ///
  /// - Parameter keepingStatus: whether the user has set the current number of lines.
  func undone(in current: StatusOptions, keepingStatus: Bool) -> StatusOptions {
    var result = current
    if current.status == reserved.status, !keepingStatus { result.status = original.status }
    if let format = current.format, reserved.format != nil { result.format = undone(in: format) }
    return result
  }

  private func undone(in current: [Int: String]) -> [Int: String]? {
    if current == reserved.format { return original.format }
    var result = original.format ?? [:]
    for index in 0...4 where current[index] != reserved.format?[index] {
      if current[index].map(StatusLine.isOurs) != true { result[index] = current[index] }
    }
    // A session that had no array of its own keeps one only for what the user has set in it.
    return original.format == nil && result.isEmpty ? nil : result
  }
}
