import Glibc
import OverlineSystem
import OverlineTestSupport

/// A signal or sequence of signals that strikes a process.
enum Fault: String, CaseIterable, Sendable {
  case terminate = "TERM"
  case hangUp = "HUP"
  case interrupt = "INT"
  case kill = "KILL"
  /// Stopped, and continued once the other processes have noticed.
  case stopAndContinue = "STOP, CONT"

  private var number: Int32 {
    switch self {
    case .terminate: SIGTERM
    case .hangUp: SIGHUP
    case .interrupt: SIGINT
    case .kill: SIGKILL
    case .stopAndContinue: SIGSTOP
    }
  }

  func strike(_ pid: Int32) {
    Glibc.kill(pid, number)
    guard self == .stopAndContinue else { return }
    // A program stops as a job does: its window may continue it sooner.
    _ = eventually(within: .milliseconds(500)) { processState(pid) == "T" }
    Glibc.kill(pid, SIGCONT)
  }
}

/// The state letter of proc(5): `T` is stopped, `Z` has ended; nil when there is no such process.
func processState(_ pid: Int32) -> Character? {
  status("State", of: pid)?.first
}

func parent(of pid: Int32) -> Int32? {
  status("PPid", of: pid).flatMap { Int32($0) }
}

private func status(_ field: String, of pid: Int32) -> Substring? {
  guard let bytes = try? Files.read("/proc/\(pid)/status") else { return nil }
  let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("\(field):") }
  return line?.split(separator: "\t").last
}

/// The processes that use a runtime directory, whatever started them.
func processes(in runtime: String) throws -> [Int32] {
  let found = try Subprocess.run(
    "sh", ["-c", "grep -lzx \"XDG_RUNTIME_DIR=$0\" /proc/[0-9]*/environ 2>/dev/null", runtime])
  return found.outputText.split(separator: "\n").compactMap { line in
    let pid = Int32(line.split(separator: "/")[1])
    return pid.flatMap { Files.linkTarget("/proc/\($0)/exe") == nil ? nil : $0 }
  }
}
