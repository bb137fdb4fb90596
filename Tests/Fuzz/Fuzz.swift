import CFuzzer
import Glibc
import OverlineSystem

/// Feeds one target with bytes from libFuzzer (built by `make fuzz` only):
///
///     Fuzz --TARGET [libFuzzer's flags and folders]
@main
enum Fuzz {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count > 1, let target = FuzzTarget(rawValue: String(arguments[1].dropFirst(2))) else {
      // Without a target: prints all names, for the Makefile.
      for target in FuzzTarget.allCases { print(target.rawValue) }
      return
    }
    current = target
    // libFuzzer ignores flags that begin with two dashes, and passes them to the processes that it starts.
    var pointers = arguments.map { strdup($0) } + [nil]
    exitProcess(
      cfuzzer_run(Int32(arguments.count), &pointers) { data, size in
        Fuzz.current.run(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
      })
  }

  /// A C function cannot capture. Set once, before the first input.
  nonisolated(unsafe) private static var current = FuzzTarget.netlink
}
