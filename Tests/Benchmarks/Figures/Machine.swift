internal import Glibc
internal import OverlineProcess
internal import OverlineSystem

/// The machine on which the figures were measured.
enum Machine {
  /// `2026-11-21, 2 × AMD EPYC 7B13, 24 GB, Linux 6.18.5`
  static var description: String {
    let day = WallTime.now.rfc3339.prefix(10)
    let processor = field("model name", of: "/proc/cpuinfo") ?? "unknown processor"
    let kilobytes = field("MemTotal", of: "/proc/meminfo").flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    // The distribution's suffix carries no information.
    let release = text("/proc/sys/kernel/osrelease").prefix { $0.isNumber || $0 == "." }
    return
      "\(day), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) × \(processor), \(kilobytes / 1_000_000) GB, Linux \(release)"
  }

  /// The average number of runnable processes in the last minute.
  static var load: String {
    let load = text("/proc/loadavg").prefix { $0 != " " }
    return load.isEmpty ? "unknown" : String(load)
  }

  private static func field(_ name: String, of file: String) -> String? {
    let line = text(file).split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { line in line.firstIndex(of: ":").map { line[$0...].dropFirst().drop { $0 == " " } } }
      .map(String.init)
  }

  private static func text(_ file: String) -> String {
    String(decoding: (try? Files.read(file)) ?? [], as: UTF8.self)
  }
}
