internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// A program on a real pseudoterminal, and all bytes that it wrote there.
package final class TestTerminal: Sendable {
  /// The program's pid; the program leads its own session.
  package var pid: Int32 { process.pid }
  private let process: ChildProcess
  private let master: SharedDescriptor
  private let isControlling: Bool
  private struct Received {
    var bytes: [UInt8] = []
    /// The total number of bytes received, at each time of arrival since boot.
    var arrivals: [(count: Int, time: Duration)] = []
  }
  private let received = Mutex(Received())
  private let queue = DispatchQueue(label: "overline.test.terminal")
  /// Nil while the terminal is paused.
  private let source = Mutex<ReadSource?>(nil)

  /// Starts `executable` with the pseudoterminal as its standard input, output and error.
  ///
  /// - Parameters:
  ///   - environment: `NAME=value` strings, the complete environment.
  ///   - isControlling: whether keys send signals and jobs are controlled, as in a user's terminal.
  package init(
    _ executable: String, _ arguments: [String], environment: [String], columns: Int = 80, rows: Int = 24,
    isControlling: Bool = false
  ) throws {
    let pseudoterminal = try Pseudoterminal(rows: rows, columns: columns)
    try pseudoterminal.master.setNonBlocking()
    let slave = pseudoterminal.slave.rawValue
    process = ChildProcess(
      isControlling
        ? try Subprocess.spawn(executable, arguments, environment: environment, onTerminal: slave)
        : try Subprocess.spawn(
          executable, arguments, environment: environment, newSession: true,
          descriptors: [(slave, 0), (slave, 1), (slave, 2)]))
    self.isControlling = isControlling
    master = SharedDescriptor(pseudoterminal.takeMaster())
    try resume()
  }

  /// All bytes that the program wrote so far.
  package var output: [UInt8] { received.withLock { $0.bytes } }

  /// The arrival time of the byte at `index` of ``output``, since boot (`BootClock`); nil before it has arrived.
  package func arrival(ofByteAt index: Int) -> Duration? {
    received.withLock { received in received.arrivals.first { $0.count > index }?.time }
  }

  package func type(_ text: String) throws {
    try master.descriptor.writeAll(Array(text.utf8))
  }

  package func type(_ bytes: [UInt8]) throws {
    try master.descriptor.writeAll(bytes)
  }

  /// Types the bytes that the terminal accepts at once; returns their number.
  package func typeAtOnce(_ bytes: [UInt8]) -> Int {
    (try? master.descriptor.write(bytes[...])) ?? 0
  }

  /// Changes the size. Sends the signal itself to a program without a controlling terminal.
  package func resize(columns: Int, rows: Int) {
    try? WindowSize(rows: rows, columns: columns).set(master.descriptor.rawValue)
    if !isControlling { Signal.windowSizeChanged.send(to: pid) }
  }

  /// Reads nothing from the program until ``resume()``, as a slow terminal does.
  package func pause() {
    queue.sync { source.withLock { $0 = nil } }
  }

  package func resume() throws {
    let source = try ReadSource(descriptor: master.descriptor.rawValue, keeping: master, queue: queue) { [weak self] in
      self?.drain()
    }
    self.source.withLock { $0 = source }
  }

  /// The program's output as text.
  package var text: String { String(decoding: output, as: UTF8.self) }

  /// Waits until the program has written `text`; throws an error with its output otherwise.
  package func wait(for text: String, times: Int = 1, within limit: Duration = .seconds(30)) throws {
    let isThere = eventually(within: limit) {
      self.text.ranges(of: text).count >= times
    }
    if !isThere {
      throw TestKitError("waited in vain for \(text.debugDescription); there was: \(self.text.debugDescription)")
    }
  }

  /// Waits for the program's end and reads its remaining output. Returns its exit code, or 128 + the signal's number; nil when it does not
  /// end.
  package func end(within limit: Duration = .seconds(30)) -> Int32? {
    guard eventually(within: limit, { Files.linkTarget("/proc/\(pid)/exe") == nil }) else { return nil }
    queue.sync { drain() }
    return endStatus(of: pid)
  }

  /// Reads until EAGAIN, or until EIO after the program's end: bytes that are unread at a hang-up are lost.
  private func drain() {
    while let bytes = try? master.descriptor.read(), !bytes.isEmpty {
      let now = BootClock.now
      received.withLock { received in
        received.bytes += bytes
        received.arrivals.append((received.bytes.count, now))
      }
    }
  }
}
