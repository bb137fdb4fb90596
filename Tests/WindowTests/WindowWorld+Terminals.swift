import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineWindowTestKit

/// The real `overline run` in terminals whose bytes are compared, and its processes.
extension WindowWorld {
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

  /// Any program in a terminal; `OVERLINE` is our executable.
  func start(
    _ executable: String, _ arguments: [String], environment more: [String] = [], rows: Int = 24,
    isControlling: Bool = true
  ) throws -> TestTerminal {
    try namespace.inside {
      try TestTerminal(
        executable, arguments, environment: environment(with: more) + ["OVERLINE=\(Self.executable)"], rows: rows,
        isControlling: isControlling)
    }
  }

  /// The processes of this world: those whose home it is.
  func processes() throws -> [Int32] {
    let found = try Subprocess.run(
      "sh", ["-c", "grep -lzx \"HOME=$0\" /proc/[0-9]*/environ 2>/dev/null", folder])
    return found.outputText.split(separator: "\n").compactMap { line in
      let pid = Int32(line.split(separator: "/")[1])
      // A zombie has no executable.
      return pid.flatMap { Files.linkTarget("/proc/\($0)/exe") == nil ? nil : $0 }
    }
  }

  /// The number that a program printed after a word.
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

  func parent(of pid: Int32?) throws -> Int32? {
    try pid.flatMap { try field("PPid", of: $0) }.flatMap { Int32($0) }
  }

  /// The names of a process's threads. A thread may end meanwhile.
  func threads(of pid: Int32) throws -> [String] {
    try Files.names(in: "/proc/\(pid)/task").compactMap { thread in
      try? String(decoding: Files.read("/proc/\(pid)/task/\(thread)/comm"), as: UTF8.self).filter { $0 != "\n" }
    }
  }

  /// `T` is stopped, `S` sleeps.
  func state(of pid: Int32) throws -> Substring? { try field("State", of: pid)?.prefix(1) }

  private func field(_ name: String, of pid: Int32) throws -> Substring? {
    let status = String(decoding: try Files.read("/proc/\(pid)/status"), as: UTF8.self)
    return status.split(separator: "\n").first { $0.hasPrefix("\(name):") }?.split(separator: "\t").last
  }
}
