internal import OverlineSystem
internal import OverlineTestSupport

/// The program between a terminal and the measured program.
enum Host {
  /// No host.
  case bare
  case overline
  /// util-linux's script(1): copies bytes, and stores them in a file as well.
  case script
  case tmux
  /// ``Relay``, by its path.
  case relay(String)

  var name: String {
    switch self {
    case .bare: "no host"
    case .overline: "overline"
    case .script: "script"
    case .tmux: "tmux"
    case .relay: "a relay in C"
    }
  }

  /// The command that runs a program, given as shell words, in the host.
  func command(in world: BenchWorld, _ program: [String]) -> [String] {
    switch self {
    case .bare: program
    case .overline: [world.overline, "run", "--"] + program
    case .script: ["script", "-q", "-c", program.map { "'\($0)'" }.joined(separator: " "), "/dev/null"]
    case .relay(let relay): [relay] + program
    case .tmux: ["tmux", "-u", "-f", "/dev/null", "-S", "\(world.folder)/tmux", "new-session"] + program
    }
  }
}

/// When a terminal answers a window's question for the cursor's row.
enum TerminalAnswer {
  case after(Duration)
  case never

  static let atOnce = TerminalAnswer.after(.zero)
}

/// A program on a pseudoterminal whose other side takes everything at once and draws nothing: only the host between them is measured.
/// The pseudoterminal answers a window's question for the cursor's row as a terminal would: a wrong row means a change of size to a window,
/// which then waits for 300 ms.
final class HostTerminal {
  let pid: Int32
  private let master: FileDescriptor
  private var buffer = ReadBuffer(size: 256 * 1024)
  private let rows: Int
  /// True when the program has filled the screen; before that it has printed one word at the top.
  private var isFilled = false
  /// The newest output, in which the cursor's row is found.
  private var tail: [UInt8] = []
  private static let tailSize = 64 * 1024
  /// No process has the terminal open any more.
  private var isOver = false
  private var hasEnded = false
  private let answer: TerminalAnswer
  /// An answer that is under way.
  private var underWay: (due: Duration, bytes: [UInt8])?

  init(
    _ command: [String], environment: [String], rows: Int, columns: Int, answer: TerminalAnswer = .atOnce
  ) throws {
    self.answer = answer
    let pseudoterminal = try Pseudoterminal(rows: rows, columns: columns)
    self.rows = rows
    pid = try Subprocess.spawn(
      command[0], Array(command.dropFirst()), environment: environment, onTerminal: pseudoterminal.slave.rawValue)
    master = pseudoterminal.takeMaster()
  }

  deinit {
    if hasEnded { return }
    Signal.kill.send(to: pid)
    _ = Subprocess.wait(for: pid)
  }

  func type(_ text: String) throws { try master.writeAll(Array(text.utf8)) }

  /// The output that arrives within this time; nil at the end of the program, and when none arrives.
  private func read(within limit: Duration) throws -> [UInt8]? {
    guard try waitForOutput(within: limit) else { return nil }
    // EIO: no process has the terminal open any more.
    var bytes: [UInt8] = []
    guard (try? buffer.read(from: master.rawValue, into: &bytes)) ?? 0 > 0 else {
      isOver = true
      return nil
    }
    tail = Array((tail + bytes).suffix(Self.tailSize))
    // A window that asks waits for the answer: its question is the last output. The first time it also asks which terminal this is: VTE.
    let asksName = bytes.suffix(11) == Array("\u{1b}[6n\u{1b}[>c\u{1b}[c".utf8)
    if bytes.last == UInt8(ascii: "c"), asksName || bytes.suffix(7) == Array("\u{1b}[6n\u{1b}[c".utf8) {
      let text = "\u{1b}[\(isFilled ? "\(cursorRow);1" : "1;6")R\(asksName ? "\u{1b}[>65;7006;1c" : "")\u{1b}[?62c"
      switch answer {
      case .never: break
      case .after(.zero): try type(text)
      case .after(let delay): underWay = (BootClock.now + delay, Array(text.utf8))
      }
    }
    return bytes
  }

  /// Sends an answer that is due meanwhile.
  private func waitForOutput(within limit: Duration) throws -> Bool {
    let end = BootClock.now + limit
    while true {
      let wait = min(end, underWay?.due ?? end) - BootClock.now
      if try waitUntilReadable(master.rawValue, timeout: max(.zero, wait)) { return true }
      if let (due, bytes) = underWay, BootClock.now >= due {
        underWay = nil
        try master.writeAll(bytes)
      }
      if BootClock.now >= end { return false }
    }
  }

  /// The row of the last cursor position (CUP) in the output, and the line feeds after it; the last row if there is none.
  private var cursorRow: Int {
    var feeds = 0
    var index = tail.count
    while index > 0 {
      index -= 1
      switch tail[index] {
      case UInt8(ascii: "\n"): feeds += 1
      case UInt8(ascii: "H"):
        guard let start = tail[..<index].lastIndex(of: 0x1b), tail[start...].dropFirst().first == UInt8(ascii: "[")
        else { continue }
        let parameters = tail[(start + 2)..<index]
        guard parameters.allSatisfy({ (0x30...0x3b).contains($0) }) else { continue }
        let row = Int(String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)) ?? 1
        return min(rows, row + feeds)
      default: break
      }
    }
    return rows
  }

  /// Reads until each of the texts has appeared.
  func wait(for texts: String...) throws {
    var all: [UInt8] = []
    let end = BootClock.now + .seconds(10)
    while BootClock.now < end, !isOver {
      all += try read(within: .milliseconds(100)) ?? []
      if texts.allSatisfy({ all.has(Array($0.utf8)) }) { return }
    }
    let text = String(decoding: all, as: UTF8.self).debugDescription
    throw TestKitError("waited in vain for \(texts); there was: \(text)")
  }

  /// Reads until no output has come for this long.
  func settle(_ pause: Duration) throws {
    while try read(within: pause) != nil {}
  }

  /// Reads to the program's end.
  func end() throws {
    while try read(within: .seconds(10)) != nil {}
    guard isOver else { throw TestKitError("no end within ten seconds") }
    _ = Subprocess.wait(for: pid)
    hasEnded = true
  }

  /// Presses Enter and reads to the program's end; returns the duration and the output.
  func finish() throws -> (time: Duration, output: [[UInt8]]) {
    isFilled = true
    var output: [[UInt8]] = []
    let start = BootClock.now
    try type("\n")
    while let bytes = try read(within: .seconds(60)) { output.append(bytes) }
    let time = BootClock.now - start
    guard isOver else { throw TestKitError("no end within a minute") }
    return (time, output)
  }

  /// Presses Enter and reads the program's output until it waits again.
  func fill() throws {
    isFilled = true
    try type("\n")
    try settle(.milliseconds(300))
  }

  /// Types a key and waits for its echo; returns the duration.
  func echo(_ key: UInt8) throws -> Duration {
    let start = BootClock.now
    try master.writeAll([key])
    while let bytes = try read(within: .seconds(1)) {
      if bytes.contains(key) { return BootClock.now - start }
    }
    throw TestKitError("a key was not echoed within a second")
  }
}

extension [UInt8] {
  /// Whether it contains these bytes.
  func has(_ text: [UInt8]) -> Bool {
    guard count >= text.count else { return false }
    return (0...(count - text.count)).contains { self[$0] == text[0] && self[$0...].starts(with: text) }
  }
}
