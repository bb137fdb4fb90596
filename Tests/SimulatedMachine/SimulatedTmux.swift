package import OverlineCore

/// A tmux server as far as our lines concern it: `status` and `status-format` wherever they are set, the global environment, sessions and
/// clients. It reads the command lines that tmux would read.
package struct SimulatedTmux: Hashable, Sendable {
  package struct Options: Hashable, Sendable {
    /// Nil where it is inherited.
    package var status: String?
    /// Nil without an array.
    package var format: [Int: String]?
  }

  package var version = "3.5a"
  package var pid = 1
  package private(set) var global = Options(status: "on", format: defaultFormat)
  /// By session id.
  package private(set) var sessions: [String: Options] = [:]
  package private(set) var variables: [String: String] = [:]
  package private(set) var hooks: [String: String] = [:]
  package var clients: [String] = []
  /// `@…` options and others that are only read.
  private var others = ["status-position": "bottom"]

  /// tmux's own values are longer; only their names matter here.
  private static let defaultFormat = [0: "#[align=left]default 0", 1: "#[align=centre]default 1"]

  package init() {}

  /// The options by session; the server's own have no name.
  package var options: [String: Options] { sessions.merging(["": global]) { $1 } }

  /// The number of our lines that each session shows; nil where the status is off.
  package var shownLines: [String: Int?] {
    sessions.mapValues { options in
      let lines = StatusOptions.lines(options.status ?? global.status ?? "on")
      if lines == 0 { return nil }
      let format = options.format ?? global.format ?? [:]
      return (0..<lines).count { index in
        format[index].map { value in StatusLine.allCases.contains { value.contains($0.variableNames[0]) } } == true
      }
    }
  }

  package mutating func addSession(_ id: String) { sessions[id] = sessions[id] ?? Options() }

  package mutating func removeSession(_ id: String) { sessions[id] = nil }

  // MARK: Command lines

  package mutating func source(_ lines: [String]) -> TmuxReply {
    var reply = TmuxReply(output: "")
    for line in lines.lazy.flatMap({ $0.utf8.split(separator: UInt8(ascii: "\n")) }) {
      do throws(Failure) {
        for word in try run(Self.words(line)) { reply.output += word + "\n" }
      } catch {
        reply.errors.append(error.text)
      }
    }
    return reply
  }

  private struct Failure: Error { var text: String }

  /// The words of a line: between single quotes all bytes count, between double quotes `\n` is a line feed.
  private static func words(_ line: some Sequence<UInt8>) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var (isWord, isEscaped, quote) = (false, false, UInt8(0))
    for byte in line {
      if isEscaped {
        word.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
        isEscaped = false
      } else if quote != 0 {
        if byte == quote {
          quote = 0
        } else if quote == UInt8(ascii: "\""), byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else {
          word.append(byte)
        }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        (quote, isWord) = (byte, true)
      } else if byte == UInt8(ascii: " ") {
        if isWord { words.append(String(decoding: word, as: UTF8.self)) }
        word.removeAll(keepingCapacity: true)
        isWord = false
      } else {
        word.append(byte)
        isWord = true
      }
    }
    return isWord ? words + [String(decoding: word, as: UTF8.self)] : words
  }

  private mutating func run(_ words: [String]) throws(Failure) -> [String] {
    let rest = Array(words.dropFirst())
    switch words.first {
    case "display-message": return [display(rest.last ?? "")]
    case "show-options": return try show(rest)
    case "set-option", "set": return try set(rest)
    case "set-environment": return try setVariable(rest)
    case "set-hook":
      if rest[0] == "-gu" { hooks[rest[1]] = nil } else { hooks[rest[1]] = rest[2] }
      return []
    case "show-hooks": return hooks.filter { $0.key.hasPrefix(rest[1]) }.map { "\($0.key) \($0.value)" }.sorted()
    case "if-shell": return try condition(rest)
    case "list-sessions": return sessions.keys.sorted().map { list($0, rest[1]) }
    case "list-clients": return clients.map { rest[1].contains("client_activity") ? "1" : $0 }
    case "list-windows": return sessions.keys.sorted().map { "@\($0.dropFirst()) abcd,80x24,0,0,1 off 0" }
    case "list-panes", "run-shell", "send-keys", "select-layout", "resize-pane": return []
    case "show-messages": return clients.map { "Terminal 0: xterm-256color for \($0), flags=0x11:" }
    case "refresh-client":
      if !clients.contains(rest.last ?? "") { throw Failure(text: "can't find client: \(rest.last ?? "")") }
      return []
    default: throw Failure(text: "unknown command: \(words.first ?? "")")
    }
  }

  private func display(_ format: String) -> String {
    switch format {
    case "#{version}": version
    case "#{pid}": "\(pid)"
    case _ where format.hasPrefix("#{") && format.hasSuffix("}"):
      variables[String(format.dropFirst(2).dropLast())] ?? ""
    default: format
    }
  }

  private mutating func condition(_ words: [String]) throws(Failure) -> [String] {
    let isTrue =
      switch words.dropFirst().first {
      case "#{S:x}": !sessions.isEmpty
      case "#{client_name}": !clients.isEmpty
      default: false
      }
    guard isTrue, let line = words.dropFirst(2).first else { return [] }
    return try run(Self.words(line.utf8))
  }

  private func list(_ id: String, _ format: String) -> String {
    guard format != "#{session_id}" else { return id }
    let options = sessions[id] ?? Options()
    let entries = options.format ?? global.format ?? [:]
    let own = (0...4).map { index in
      entries[index].map { value in StatusLine.allCases.contains { value.contains($0.variableNames[0]) } } == true
        ? "1" : "0"
    }
    return
      "\(id) \(options.status ?? global.status ?? "on") \(own.joined()) \(variables[UserSettings.variableName] ?? "")"
  }

  // MARK: Options

  /// `-g` or `-t $3:`, and what else the words contain.
  private func place(_ words: [String]) throws(Failure) -> (session: String?, isUnset: Bool, rest: [String]) {
    var (session, isGlobal, isUnset): (String?, Bool, Bool) = (nil, false, false)
    var rest = words[...]
    while let word = rest.first, word.hasPrefix("-") {
      rest.removeFirst()
      if word.contains("g") { isGlobal = true }
      if word.contains("u") { isUnset = true }
      if word == "-t" { session = rest.popFirst().map { String($0.dropLast()) } }
    }
    guard !isGlobal else { return (nil, isUnset, Array(rest)) }
    guard let session, sessions[session] != nil else { throw Failure(text: "can't find session: \(session ?? "")") }
    return (session, isUnset, Array(rest))
  }

  private func show(_ words: [String]) throws(Failure) -> [String] {
    let isValue = words.contains { $0.hasPrefix("-") && $0.contains("v") }
    let (session, _, rest) = try place(words)
    let options = session.map { sessions[$0]! } ?? global
    switch rest[0] {
    case "status": return options.status.map { [$0] } ?? []
    case "status-format":
      guard let format = options.format else { return [] }
      if format.isEmpty { return ["status-format"] }
      return format.sorted { $0.key < $1.key }.map { "status-format[\($0.key)] \($0.value)" }
    case let name where name.hasPrefix("status-format["):
      guard isValue, let index = Self.index(name), let value = options.format?[index] else { return [] }
      return [value]
    case let name: return others[name].map { [$0] } ?? []
    }
  }

  private static func index(_ name: String) -> Int? { Int(name.dropFirst("status-format[".count).dropLast()) }

  private mutating func set(_ words: [String]) throws(Failure) -> [String] {
    let (session, isUnset, rest) = try place(words)
    var options = session.map { sessions[$0]! } ?? global
    switch rest[0] {
    case "status": options.status = isUnset ? (session == nil ? "on" : nil) : rest[1]
    case "status-format": options.format = session == nil ? Self.defaultFormat : nil
    case let name where name.hasPrefix("status-format["):
      guard let index = Self.index(name) else { throw Failure(text: "invalid option: \(name)") }
      var format = options.format ?? [:]
      format[index] = isUnset ? nil : rest[1]
      options.format = isUnset && options.format == nil ? nil : format
    case let name:
      others[name] = isUnset ? nil : rest[1]
      return []
    }
    if let session { sessions[session] = options } else { global = options }
    if rest[0] == "status" { noteStatus(session) }
    return []
  }

  /// What our hook does (``UserSettings``).
  private mutating func noteStatus(_ session: String?) {
    guard hooks.values.contains(where: { $0.contains(UserSettings.variableName) }) else { return }
    let (old, name) = (variables[UserSettings.variableName] ?? "", session ?? "g")
    if !old.contains(" \(name) ") { variables[UserSettings.variableName] = "\(old)\(name) " }
  }

  private mutating func setVariable(_ words: [String]) throws(Failure) -> [String] {
    // Hidden variables are new in 3.2.
    if words[0].contains("h"), TmuxVersion(version)?.isSupported == false {
      throw Failure(text: "set-environment: unknown flag -h")
    }
    if words[0].contains("u") { variables[words[1]] = nil } else { variables[words[1]] = words[2] }
    return []
  }
}
