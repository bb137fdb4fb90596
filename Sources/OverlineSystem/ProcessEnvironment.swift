internal import COverline

/// The environment, arguments and user that this process was started with.
package enum ProcessEnvironment {
  /// `getenv(3)`. An empty value counts as absent, according to the XDG and NO_COLOR conventions.
  package static subscript(name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// Removes a variable (`unsetenv(3)`). Call this while no other thread may read a variable.
  package static func remove(_ name: String) { unsafe unsetenv(name) }

  package static var userID: UInt32 { getuid() }
  package static var processID: Int32 { getpid() }

  /// The arguments of this process, without the program's name. `CommandLine.arguments` is empty without `/proc`, for example: a command
  /// would then do something other than requested, and report success.
  package static var arguments: [String] { platformArguments.map(\.description) }

  /// The same arguments, byte for byte, to pass on to another program.
  package static var platformArguments: [PlatformString] { Array(words.dropFirst()) }

  private static var words: [PlatformString] {
    var words: [PlatformString] = []
    while let word = unsafe csystem_argument(Int32(words.count)) {
      words.append(unsafe PlatformString(cString: word))
    }
    return words
  }

  /// The path of this executable, for starting it again. Without /proc, the name from its caller.
  package static var executable: String { Files.linkTarget("/proc/self/exe") ?? words.first?.description ?? "" }

  /// Releases the pages of the program's file, for a process that becomes idle. Used pages return from the page cache, 64 KB in 4 µs.
  package static func dropFileBackedPages() { csystem_drop_file_backed_pages() }

  /// Returns free heap memory to the kernel, as after a crowd of clients (`malloc_trim(3)`).
  package static func trimHeap() { csystem_trim_heap() }

  /// Start time of a process in clock ticks since boot (proc(5), field 22): with the pid it identifies a process for good. Nil for a
  /// process that has ended, also for a zombie, since in many containers init reaps no orphans.
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
