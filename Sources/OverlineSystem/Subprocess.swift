internal import COverline

/// Starts programs with `posix_spawn(3)`. There is no shell, and programs inherit only the given descriptors.
package enum Subprocess {
  /// A program's exit status and output.
  package struct Result: Sendable, Equatable {
    /// The exit code, or 128 + the signal's number.
    package var status: Int32
    package var output: [UInt8]
    package var errors: [UInt8]

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errors, as: UTF8.self) }
  }

  /// The limit of a program's output and errors together. No program that is run here prints so much.
  private static let maximumOutputLength = 16 << 20

  /// Runs a program to its end. At `timeout`, kills the program and throws `ETIMEDOUT`. If the program prints too much, kills it and throws
  /// `EFBIG`.
  ///
  /// - Parameters:
  ///   - arguments: without the program's own name. `executable` is looked up in `PATH`.
  ///   - input: the program's standard input.
  ///   - environment: `NAME=value` strings; nil means this process's own.
  ///   - inheriting: descriptors that the program inherits under the same numbers, besides 0, 1 and 2.
  ///   - end: a timer that kills the program like `timeout`. It may be armed while the program runs. It is never acknowledged, so it ends
  ///     every program that is run with it.
  package static func run(
    _ executable: String, _ arguments: [String], input: [UInt8] = [], environment: [String]? = nil,
    inheriting: [Int32] = [], timeout: Duration = .seconds(10), until end: BootTimer? = nil
  ) throws(SystemError) -> Result {
    let attempt = "run \(executable)"
    let standardInput = try Pipe()
    let standardOutput = try Pipe()
    let standardError = try Pipe()
    let pid = try spawn(
      executable, arguments, environment: environment, newSession: false,
      descriptors: [
        (standardInput.reading.rawValue, 0), (standardOutput.writing.rawValue, 1), (standardError.writing.rawValue, 2),
      ] + inheriting.map { ($0, $0) })
    var writing: FileDescriptor? = standardInput.takeWriting()
    let output = standardOutput.takeReading()
    let errors = standardError.takeReading()
    try? writing!.setNonBlocking()
    // The program's end, if the kernel reports it (since Linux 5.3). It is needed because a program may still run after closing its
    // outputs.
    let process: FileDescriptor? = try? FileDescriptor(
      owning: checkedNegative(attempt) { csystem_process_watch(pid) })

    var result = Result(status: 0, output: [], errors: [])
    var rest = input[...]
    var outputEnded = false
    var errorsEnded = false
    var processEnded = process.rawValueOrMinusOne < 0
    let deadline = BootClock.now + timeout
    while !outputEnded || !errorsEnded || !processEnded {
      if rest.isEmpty { writing = nil }
      var waiting = [
        pollfd(fd: outputEnded ? -1 : output.rawValue, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errorsEnded ? -1 : errors.rawValue, events: Int16(POLLIN), revents: 0),
        pollfd(fd: writing.rawValueOrMinusOne, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: processEnded ? -1 : process.rawValueOrMinusOne, events: Int16(POLLIN), revents: 0),
        pollfd(fd: end?.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let milliseconds = (deadline - BootClock.now).pollTimeout
      let isTooMuch = result.output.count + result.errors.count > maximumOutputLength
      guard milliseconds > 0, !isTooMuch else {
        kill(pid, SIGKILL)
        _ = wait(for: pid)
        throw SystemError(code: isTooMuch ? EFBIG : ETIMEDOUT, attempt: attempt)
      }
      if unsafe poll(&waiting, nfds_t(waiting.count), milliseconds) < 0 { continue }
      if waiting[4].revents != 0 {
        kill(pid, SIGKILL)
        _ = wait(for: pid)
        throw SystemError(code: ETIMEDOUT, attempt: attempt)
      }
      if waiting[0].revents != 0 {
        let bytes = (try? output.read()) ?? []
        result.output += bytes
        outputEnded = bytes.isEmpty
      }
      if waiting[1].revents != 0 {
        let bytes = (try? errors.read()) ?? []
        result.errors += bytes
        errorsEnded = bytes.isEmpty
      }
      if waiting[2].revents != 0 {
        // If a program closes its input early, it needs no more input.
        let taken = withoutBrokenPipeSignal { try? writeBytes(rest, to: waiting[2].fd) }
        rest = rest.dropFirst(taken ?? rest.count)
      }
      if waiting[3].revents != 0 { processEnded = true }
    }
    result.status = wait(for: pid)
    return result
  }

  /// Starts a program and returns its pid at once. The caller must call ``wait(for:)``.
  ///
  /// - Parameters:
  ///   - newSession: whether to call `setsid(2)` first, so that signals of this terminal do not reach the program.
  ///   - descriptors: pairs of (our number, the program's number). If 0, 1 or 2 is missing, it is `/dev/null`.
  ///   - blocking: signals that are blocked in the program from its start.
  package static func spawn(
    _ executable: String, _ arguments: [String], environment: [String]? = nil, newSession: Bool,
    descriptors: [(ours: Int32, theirs: Int32)], blocking: [Signal] = []
  ) throws(SystemError) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for number in 0...2 where !descriptors.contains(where: { $0.theirs == number }) {
      unsafe posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
    }
    for (ours, theirs) in descriptors {
      unsafe posix_spawn_file_actions_adddup2(&actions, ours, theirs)
    }
    // Our parent process may have left descriptors open that are not close-on-exec.
    let last = descriptors.map(\.theirs).max().map { max($0, 2) } ?? 2
    for number in 3...(max(last, 3)) where !descriptors.contains(where: { $0.theirs == number }) {
      unsafe posix_spawn_file_actions_addclose(&actions, number)
    }
    unsafe csystem_spawn_close_from(&actions, max(last, 3) + 1)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // A child starts with the default signal actions and only the requested signals blocked, independently of this process's settings.
    var blocked = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&blocked)
    for signal in blocking { unsafe sigaddset(&blocked, signal.rawValue) }
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (newSession ? 0x80 : 0)  // 0x80: POSIX_SPAWN_SETSID
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var pid: pid_t = 0
    let code = unsafe PlatformString.withPointers(([executable] + arguments).map { PlatformString($0) }) { argv in
      if let environment {
        return unsafe PlatformString.withPointers(environment.map { PlatformString($0) }) {
          unsafe posix_spawnp(&pid, executable, &actions, &attributes, argv, $0)
        }
      }
      return unsafe posix_spawnp(&pid, executable, &actions, &attributes, argv, environ)
    }
    guard code == 0 else { throw SystemError(code: code, attempt: "run \(executable)") }
    return pid
  }

  /// Starts a program as the leader of a session whose controlling terminal is `terminal`, which is also its standard input, output and
  /// error. The caller must call ``wait(for:)``.
  package static func spawn(
    _ executable: String, _ arguments: [String], environment: [String], onTerminal terminal: Int32
  ) throws(SystemError) -> Int32 {
    let pid = unsafe PlatformString.withPointers(([executable] + arguments).map { PlatformString($0) }) { argv in
      unsafe PlatformString.withPointers(environment.map { PlatformString($0) }) {
        unsafe csystem_spawn_on_terminal(terminal, argv, $0)
      }
    }
    guard pid > 0 else { throw SystemError(code: -pid, attempt: "run \(executable)") }
    return pid
  }

  /// Waits for a child. Returns its exit code, or 128 + the number of the signal that ended the child.
  package static func wait(for pid: Int32) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0 {
      if errno != EINTR { return 127 }
    }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}

extension Optional where Wrapped == FileDescriptor {
  /// The number for `poll(2)`, which ignores -1.
  fileprivate var rawValueOrMinusOne: Int32 {
    switch self {
    case .some(let descriptor): descriptor.rawValue
    case .none: -1
    }
  }
}
