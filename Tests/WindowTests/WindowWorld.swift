import OverlineTestKit
import POSIX

/// A network namespace that is online, a runtime directory, and the real `overline run` in terminals in it.
final class WindowWorld: Sendable {
  let namespace: NetworkNamespace
  let folder: String

  static let executable =
    ProcessEnvironment.executable.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/overline"

  init() throws {
    namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let made = try Subprocess.run("mktemp", ["-d", "/tmp/overline-XXXXXX"])
    folder = String(made.outputText.dropLast())
  }

  deinit {
    _ = try? Subprocess.run("rm", ["-rf", folder])
  }

  var environment: [String] {
    TmuxTestServer.environment + [
      "XDG_RUNTIME_DIR=\(folder)", "XDG_CONFIG_HOME=\(folder)", "OVERLINE=\(Self.executable)", "FOLDER=\(folder)",
    ]
  }

  /// `overline run` with arguments, in a terminal of its own.
  func run(
    _ arguments: String..., environment more: [String] = [], rows: Int = 24, isControlling: Bool = true
  ) throws -> TestTerminal {
    try start(Self.executable, ["run"] + arguments, environment: more, rows: rows, isControlling: isControlling)
  }

  /// A shell's script below `overline run`.
  func script(_ script: String, rows: Int = 24) throws -> TestTerminal {
    try run("--", "sh", "-c", script, rows: rows)
  }

  /// Any program in a terminal.
  func start(
    _ executable: String, _ arguments: [String], environment more: [String] = [], rows: Int = 24,
    isControlling: Bool = true
  ) throws -> TestTerminal {
    let names = more.map { $0.prefix { $0 != "=" } + "=" }
    let all = environment.filter { one in !names.contains { one.hasPrefix($0) } } + more
    return try namespace.inside {
      try TestTerminal(executable, arguments, environment: all, rows: rows, isControlling: isControlling)
    }
  }

  /// The processes of this world: those with its folder in their environment.
  func processes() throws -> [Int32] {
    let found = try Subprocess.run(
      "sh", ["-c", "grep -lzx \"FOLDER=$0\" /proc/[0-9]*/environ 2>/dev/null", folder])
    return found.outputText.split(separator: "\n").compactMap { line in
      let pid = Int32(line.split(separator: "/")[1])
      // A process that has ended and was not taken note of has no executable.
      return pid.flatMap { Files.linkTarget("/proc/\($0)/exe") == nil ? nil : $0 }
    }
  }

  /// A number that a program printed behind a word.
  func number(_ word: String, in terminal: TestTerminal) throws -> Int32 {
    try terminal.wait(for: word)
    var found: Int32?
    _ = eventually {
      let rest = terminal.text.split(separator: word, maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
      let digits = rest.prefix { $0.isNumber }
      if digits.endIndex < rest.endIndex { found = Int32(digits) }
      return found != nil
    }
    guard let found else { throw TestKitError("no number behind \(word): \(terminal.text)") }
    return found
  }
}

extension WindowWorld {
  func parent(of pid: Int32?) throws -> Int32? {
    try pid.flatMap { try field("PPid", of: $0) }.flatMap { Int32($0) }
  }

  /// `T` is stopped, `S` sleeps.
  func state(of pid: Int32) throws -> Substring? { try field("State", of: pid)?.prefix(1) }

  private func field(_ name: String, of pid: Int32) throws -> Substring? {
    let status = String(decoding: try Files.read("/proc/\(pid)/status"), as: UTF8.self)
    return status.split(separator: "\n").first { $0.hasPrefix("\(name):") }?.split(separator: "\t").last
  }
}
