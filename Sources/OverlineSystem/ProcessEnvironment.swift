internal import COverline
internal import Glibc

/// What this process was started with and as whom.
package enum ProcessEnvironment {
  /// `getenv(3)`; an empty value counts as absent, as the XDG and NO_COLOR conventions want.
  package static subscript(name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// Removes a variable (`unsetenv(3)`), while no other thread runs that may read one.
  static func remove(_ name: String) { unsafe unsetenv(name) }

  package static var userID: UInt32 { getuid() }
  package static var processID: Int32 { getpid() }

  /// The words that this process was started with, without the program's name. `CommandLine.arguments` can be empty instead: a command
  /// would do something else than was asked, and report success.
  package static var arguments: [String] { platformArguments.map(\.description) }

  /// The same words, byte for byte: for a program that they are handed on to.
  package static var platformArguments: [PlatformString] { Array(words.dropFirst()) }

  private static var words: [PlatformString] {
    var words: [PlatformString] = []
    while let word = unsafe csystem_argument(Int32(words.count)) {
      words.append(unsafe PlatformString(cString: word))
    }
    return words
  }

  /// The path of this executable, for starting itself again. Without /proc, what its caller called it.
  package static var executable: String { Files.linkTarget("/proc/self/exe") ?? words.first?.description ?? "" }

  /// Gives back the pages of the program's file, for a process that comes to rest. What is used again comes back from the page cache,
  /// 64 KB in 4 µs.
  package static func releaseProgramPages() { csystem_release_program_pages() }

  /// Gives back what the heap has free, as after a crowd of clients (`malloc_trim(3)`).
  package static func trimHeap() { csystem_trim_heap() }

  /// Start time of a process in clock ticks since boot (proc(5), field 22): with the pid it names a process for good. Nil of a process
  /// that has ended, also while it is a zombie: the init of many containers reaps no orphans.
  package static func startTime(of pid: Int32) -> UInt64? {
    guard let bytes = try? Files.read("/proc/\(pid)/stat"), let afterName = bytes.lastIndex(of: UInt8(ascii: ")"))
    else {
      return nil
    }
    let fields = bytes[(afterName + 1)...].split(separator: UInt8(ascii: " "))
    if fields.first?.first == UInt8(ascii: "Z") { return nil }
    // Field 22 of the file is the 20th after the name's closing parenthesis (fields 3 and up).
    return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) : nil
  }
}

package func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
