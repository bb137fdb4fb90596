/// The two options a banner changes, as they are set in one place: the server, or one session.
struct StatusOptions: Hashable, Sendable {
  /// The value of `status`: `off`, `on`, `2` … `5`. Nil where it is inherited.
  var status: String?
  /// Entries 0 to 4 of `status-format`, raw. Nil where there is no array of its own; a session's array, even an empty one, hides
  /// the server's as a whole.
  var format: [Int: String]?

  /// How many status lines a value of `status` means.
  static func lines(_ status: String) -> Int {
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

  /// The line that the banner takes from `lines` status lines: a new last one, or the last of five.
  static func bannerLine(of lines: Int) -> Int { min(lines, 4) }

  /// Whether a value of `status-format[N]` is a banner's line, ours or of another version of us. Never anyone's to save.
  static func isBanner(_ format: String) -> Bool { format.contains("#{OVERLINE_") }

  /// Adds the banner's line to both options where they are set.
  ///
  /// - Parameters:
  ///   - inheritedLines: the number of lines where `status` is inherited.
  mutating func addBanner(inheritedLines: Int) {
    let lines = status.map(Self.lines) ?? inheritedLines
    if status != nil { status = Self.status(lines: min(5, lines + 1)) }
    format?[Self.bannerLine(of: lines)] = BannerLine.format
  }

  mutating func removeBanner() {
    format = format?.filter { !Self.isBanner($0.value) }
  }
}

/// What a banner changed in one place: what stood there, and what it put there.
struct StatusChange: Hashable, Sendable {
  var original: StatusOptions
  var reserved: StatusOptions

  /// The options without the banner. What is no longer as the banner left it, a person has changed: that stays.
  ///
  /// - Parameter inherited: the server's own entries, for a session whose array was a copy of them and has been changed since.
  func undone(in current: StatusOptions, inherited: [Int: String]?) -> StatusOptions {
    var result = current
    if current.status == reserved.status { result.status = original.status }
    if current.format == reserved.format {
      result.format = original.format
    } else if let format = current.format {
      for (index, value) in format where StatusOptions.isBanner(value) {
        result.format![index] = (original.format ?? inherited)?[index]
      }
    }
    return result
  }
}
