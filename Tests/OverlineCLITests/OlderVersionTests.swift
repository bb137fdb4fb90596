@testable import OverlineCore
import OverlineProcess
@testable import OverlineShell
import NetworkPath
import Overline
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Synchronization
import Testing

@testable import OverlineCLI

/// What versions 0.1.0 (commit abdfa7f) and 0.2.0 (commit c7b02259) leave behind still works. Their programs wrote the files of `Version01`
/// and `Version02`; the conversation is one of a client with a monitor of that version.
@Suite(.ownThread) struct OlderVersionTests {
  struct Version: CustomTestStringConvertible {
    var name: String
    /// The time of `history.json`, in milliseconds since 1970 and since the boot.
    var end: (wall: Int64, boot: Int64)
    var testDescription: String { name }

    var folder: String {
      #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Version\(name.filter { $0 != "." })"
    }

    func text(_ file: String) throws -> String {
      String(decoding: try Files.read("\(folder)/\(file)"), as: UTF8.self)
    }

    static let all = [
      Version(name: "0.1", end: (1_795_596_168_528, 24_384_600)),
      Version(name: "0.2", end: (1_796_003_549_712, 59_650_177)),
    ]
  }

  // MARK: - Files

  /// `config.toml` has a value that is no default for each key; the version printed `config-show.txt` for it.
  @Test("each key of an older configuration has its value", arguments: Version.all)
  func configuration(_ version: Version) throws {
    let world = try World()
    let check = try world.overline("config", "check", "--config", "\(version.folder)/config.toml")
    #expect(check.status == 0 && check.errorText == "", "\(check.errorText)")
    let found = try world.overline("config", "show", "--config", "\(version.folder)/config.toml").outputText
    let sections = Self.sections(found)
    let older = Self.sections(try version.text("config-show.txt"))
    #expect(older.count >= 15)
    for (name, lines) in older { #expect(lines.subtracting(sections[name] ?? []) == [], "\(name)") }
    // None of them is a default, but for `use`, which excludes `url`.
    let defaults = Self.sections(try world.overline("config", "show").outputText)
    for (name, lines) in older {
      #expect(lines.intersection(defaults[name] ?? []).subtracting(["use = \"\""]) == [], "\(name)")
    }
  }

  private static func sections(_ text: String) -> [String: Set<Substring>] {
    var sections: [String: Set<Substring>] = [:]
    var name = ""
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix("[") { name = String(line) } else { sections[name, default: []].insert(line) }
    }
    return sections
  }

  /// One monitor was killed in an outage, and a second one ended normally. The version printed `history.json`.
  @Test("an older history has the same outages, and the next monitor appends to it", arguments: Version.all)
  func history(_ version: Version) throws {
    let older = try Files.read("\(version.folder)/history")
    let expected = try JSONValue(parsing: Files.read("\(version.folder)/history.json"))
    let (end, boot) = version.end
    let history = History(older, now: HistoryTime(wall: end, boot: boot, awake: boot)) { _ in false }
    let found = try JSONValue(parsing: Array(HistoryJSON.text(history, from: end - 30 * 86_400_000, to: end).utf8))
    #expect(expected["outages"]?.array?.count == 3)
    let old = try #require(expected.object)
    for (name, value) in old where name != "outages" { #expect(found[name] == value, "\(name)") }
    // They took the start of the next monitor for the end of the outage, although that monitor found the network offline.
    let outages = try #require(old["outages"]?.array).map { outage in
      JSONValue.object(try #require(outage.object).filter { $0.key != "latest-end" })
    }
    #expect(found["outages"] == .array(outages))

    let world = try World()
    try Files.makePrivateDirectory("\(world.folder)/state")
    try Files.makePrivateDirectory("\(world.folder)/state/overline")
    try Files.replace("\(world.folder)/state/overline/history", with: older)
    try world.configure("banner.grace-delay = \"0s\"\n")
    let monitor = try world.startMonitor()
    let watch = try world.watchWords()
    try world.haveOutage(watch)
    #expect(monitor.end(.terminate) == 0)
    let bytes = try Files.read("\(world.folder)/state/overline/history")
    #expect(bytes.starts(with: older))
    // The older version reads the lines of a new outage: they have the fields of its own.
    let shapes = Dictionary(grouping: Self.shapes(older), by: \.first).mapValues { Set($0.map(\.count)) }
    let new = Self.shapes(Array(bytes.dropFirst(older.count)))
    #expect(new.map(\.first) == ["online", "offline", "online", "end"])
    for line in new { #expect(shapes[line.first]?.contains(line.count) == true, "\(line)") }
  }

  /// Each line's second field and the others, without the version.
  private static func shapes(_ bytes: [UInt8]) -> [[Substring]] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      Array($0.split(separator: "\t", omittingEmptySubsequences: false).dropFirst())
    }
  }

  @Test(
    "an older state file is read, one of a killed monitor is replaced, and the new one has its variables",
    arguments: Version.all)
  func stateFile(_ version: Version) throws {
    let text = try version.text("state")
    let variables = try #require(EnvironmentFormat.parse(text))
    #expect(StateFile.read("\(version.folder)/state") == nil, "its monitor has ended")
    let world = try World()
    let directory = "\(world.folder)/overline"
    try Files.makePrivateDirectory(directory)
    let pid = ProcessEnvironment.processID
    let start = try #require(ProcessEnvironment.startTime(of: pid))
    let living = text.replacing("='\(variables["OVERLINE_MONITOR_PID"]!)'\n", with: "='\(pid)'\n")
      .replacing("='\(variables["OVERLINE_MONITOR_START"]!)'\n", with: "='\(start)'\n")
    try Files.replace("\(directory)/state", with: Array(living.utf8))
    #expect(StateFile.read("\(directory)/state")?.state == .offline)
    try Files.replace("\(directory)/state", with: Array(text.utf8))
    let monitor = try world.startMonitor()
    let found = try #require(eventually { StateFile.read("\(directory)/state") })
    #expect(found.state == .online && found.monitor.pid == monitor.pid)
    #expect(Set(variables.keys).subtracting(found.variables.keys) == [])
  }

  private func eventually<Value>(_ value: () throws -> Value?) rethrows -> Value? {
    var found: Value?
    _ = try OverlineTestSupport.eventually {
      found = try value()
      return found != nil
    }
    return found
  }

  /// The monitor and its guardian were killed while a banner was shown. tmux holds the line, and what restores it.
  @Test("the next monitor restores what an older one left in tmux", arguments: Version.all)
  func tmux(_ version: Version) throws {
    let server = try TmuxTestServer()
    let settings = { try server.source("show -g status", "show -g status-format", "show-environment -gh") }
    let before = try settings()
    try server.source(version.text("tmux.conf"))
    #expect(try settings().contains("OVERLINE_SAVED=") && settings().hasPrefix("status 2\n"))
    let world = try World()
    try Files.makePrivateDirectory("\(world.folder)/overline")
    // The list of servers: a path in each line.
    try Files.replace("\(world.folder)/overline/tmux", with: Array("\(server.socket)\n".utf8))
    let monitor = try world.startMonitor()
    #expect(try OverlineTestSupport.eventually { try settings().hasPrefix("status on\n") })
    #expect(try world.overline("tmux", "status").outputText.hasPrefix("\(server.socket)  tmux "))
    #expect(monitor.end(.terminate) == 0)
    #expect(try settings() == before)
  }

  // MARK: - The socket

  private struct Conversation {
    var greeting: String
    var exchanges: [(request: String, answers: [String])] = []

    init(_ version: Version) throws {
      let lines = try version.text("conversation.txt").split(separator: "\n")
      greeting = String(try #require(lines.first).dropFirst(2))
      for line in lines.dropFirst() {
        if line.hasPrefix("> ") {
          exchanges.append((String(line.dropFirst(2)), []))
        } else {
          exchanges[exchanges.count - 1].answers.append(String(line.dropFirst(2)))
        }
      }
    }

    static func name(_ request: String) throws -> String? {
      try JSONValue(parsing: Array(request.replacing("@PID@", with: "1").utf8))["do"]?.string
    }
  }

  /// What a program that was written for `older` misses in `new`.
  private static func faults(_ older: JSONValue, _ new: JSONValue, at place: String) -> [String] {
    switch (older, new) {
    case (.null, _), (.boolean, .boolean), (.integer, .integer), (.integer, .number), (.number, .number),
      (.number, .integer):
      return []
    case (.string(let before), .string(let text)):
      // Metrics: each name is there, in a line of its own.
      guard before.contains("\n") else { return [] }
      let missing = Set(metrics(before)).subtracting(metrics(text)).sorted()
      return missing.map { "\(place) lacks \($0)" }
    case (.array(let before), .array(let elements)):
      if before.count > elements.count { return ["\(place) has \(elements.count) elements"] }
      return zip(before, elements).enumerated().flatMap { faults($1.0, $1.1, at: "\(place)[\($0)]") }
    case (.object(let before), .object(let members)):
      return before.keys.sorted().flatMap { name in
        members[name].map { faults(before[name]!, $0, at: "\(place).\(name)") } ?? ["\(place) lacks \(name)"]
      }
    case (.boolean, _), (.integer, _), (.number, _), (.string, _), (.array, _), (.object, _):
      return ["\(place) is \(new.kind), not \(older.kind)"]
    }
  }

  private static func metrics(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0.prefix { $0 != " " && $0 != "{" }) }
  }

  @Test("an older client gets the answers that it knows", arguments: Version.all)
  func olderClient(_ version: Version) throws {
    let conversation = try Conversation(version)
    let server = try TmuxTestServer()
    let world = try World()
    try world.configure("[banner]\ngrace-delay = \"0s\"\n[path.targets]\noffice = \"10.20.0.0/16\"\n")
    let monitor = try world.startMonitor()
    // A status bar, which would show a banner.
    let bar = try world.start("watch", "--format", "tmux")
    try bar.lines.wait("the first state") { !$0.isEmpty }
    try world.pullTheCable()
    try bar.lines.first("the outage") { $0.contains("No connection") }
    for (request, answers) in conversation.exchanges {
      if ["status", "refresh"].contains(try Conversation.name(request)) { continue }
      let text = request.replacing("@PID@", with: "\(monitor.pid)").replacing("@TMUX@", with: server.socket)
      if try Conversation.name(request) == "tmux-status", answers[0].contains("@TMUX@") {
        let isShown = try OverlineTestSupport.eventually {
          try world.overline("tmux", "status").outputText.contains("banner shown")
        }
        #expect(isShown)
      }
      var client = try RawConnection("\(world.folder)/overline/monitor.sock")
      let greeting = try #require(try client.line())
      let state = try JSONValue(parsing: Array(greeting.utf8))
      #expect(state["v"] == .integer(1))
      if text == conversation.exchanges[0].request {
        let older = try JSONValue(parsing: Array(conversation.greeting.utf8))
        #expect(Self.faults(older, state, at: "state") == [])
        #expect(state["state"] == older["state"] && state["path"]?["reason"] == older["path"]?["reason"])
      }
      try client.send(text + "\n")
      var answer = try client.line()
      while let line = answer, line.hasPrefix("{\"v\":") { answer = try client.line() }
      let found = try JSONValue(parsing: Array(try #require(answer).utf8))
      let older = try JSONValue(parsing: Array(answers[0].utf8))
      #expect(found["ok"] == older["ok"], "\(text): \(answer ?? "")")
      #expect(Self.faults(older, found, at: text) == [])
      // The other lines of `watch` are text.
      if try Conversation.name(request) == "watch" { #expect(try client.line() == answers[1]) }
    }
  }

  @Test("this version's commands understand a monitor of 0.1") func monitorOf01() throws {
    let conversation = try Conversation(Version.all[0])
    let world = try World()
    let monitor = try RecordedMonitor(in: world, conversation)
    defer { monitor.end() }
    func run(_ arguments: String...) throws -> Subprocess.Result {
      try world.namespace.inside {
        try Subprocess.run(World.executable, arguments, environment: world.environment, timeout: .seconds(30))
      }
    }
    // The recorded state has a banner of the user's own.
    let banner = "#[bg=#0000ee,fg=#ffffff] Deploying #[default]"
    for (format, text) in [("plain", "Deploying\n"), ("prompt", "offline"), ("tmux", "\(banner)\n")] {
      let status = try run("status", "--format", format)
      #expect(status.status == 1 && status.outputText == text, "\(format): \(status.outputText)")
    }
    let state = try JSONValue(parsing: run("status", "--json").output)
    #expect(try Self.faults(JSONValue(parsing: Array(conversation.greeting.utf8)), state, at: "state") == [])
    #expect(state["path"]?["reason"] == .string("no-carrier") && state["limited"] == .null)
    let env = try run("status", "--format", "env")
    #expect(env.outputText.contains("OVERLINE_REASON='no-carrier'\n"))
    for arguments in [["toast", "Hello"], ["banner", "present", "Deploying"], ["banner", "dismiss"], ["reload"]] {
      let result = try world.namespace.inside {
        try Subprocess.run(World.executable, arguments, environment: world.environment, timeout: .seconds(30))
      }
      #expect(result.status == 0 && result.errorText == "", "\(arguments): \(result.errorText)")
    }
    #expect(try run("metrics").outputText.contains("overline_state{state=\"offline\"} 1\n"))
    #expect(try run("tmux", "status").outputText.contains("no tmux server"))
    let watch = try world.start("watch", "--format", "tmux")
    try watch.lines.first("the banner") { $0 == banner }
    watch.end(.kill)
    // What 0.1 does not know is an error that names the remedy.
    let refresh = try run("refresh", "--socket", "\(world.folder)/overline/monitor.sock")
    #expect(refresh.status == 2)
    #expect(
      refresh.errorText
        == "overline: the monitor or window that answered is of another version and does not know this request; "
        + "end it and start it again\n")
  }

  /// Gives each client the recorded greeting and answers.
  private final class RecordedMonitor: Sendable {
    private let isOver = Mutex(false)

    init(in world: World, _ conversation: Conversation) throws {
      try Files.makePrivateDirectory("\(world.folder)/overline")
      let box = Listener(try UnixSocket.listen(at: "\(world.folder)/overline/monitor.sock"))
      var answers: [String: [String]] = [:]
      for exchange in conversation.exchanges {
        guard let name = try Conversation.name(exchange.request), answers[name] == nil else { continue }
        answers[name] = exchange.answers
      }
      let (greeting, recorded) = (conversation.greeting, answers)
      try BackgroundThread.start(name: "recorded") { [self] in
        while !isOver.withLock({ $0 }) {
          try? Self.serve(box.descriptor.rawValue, greeting, recorded)
        }
      }
    }

    private static func serve(_ listener: Int32, _ greeting: String, _ answers: [String: [String]]) throws {
      guard try waitUntilReadable(listener, timeout: .milliseconds(50)) else { return }
      var connection = try RawConnection(accepting: listener)
      try connection.send(greeting + "\n")
      while let line = try connection.line(), let name = try Conversation.name(line) {
        try connection.send((answers[name] ?? ["{\"ok\":true}"]).joined(separator: "\n") + "\n")
      }
    }

    func end() { isOver.withLock { $0 = true } }

    private final class Listener: Sendable {
      let descriptor: FileDescriptor
      init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }
  }
}
