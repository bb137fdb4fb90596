internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// A program on a real pseudoterminal, and every byte it wrote there.
package final class TestTerminal: Sendable {
  /// Dispatch lets go of the descriptor some time after its source is cancelled; closed before, its number would be another's.
  private final class Master: Sendable {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

  /// The program's pid; it leads a session of its own.
  package var pid: Int32 { process.pid }
  private let process: ChildProcess
  private let master: Master
  private let isControlling: Bool
  private struct Received {
    var bytes: [UInt8] = []
    /// How many bytes there were at which time since boot.
    var arrivals: [(count: Int, time: Duration)] = []
  }
  private let received = Mutex(Received())
  private let queue = DispatchQueue(label: "overline.test.terminal")
  /// Dispatch sources are safe from any thread; their protocol does not say so.
  private nonisolated(unsafe) let source: any DispatchSourceRead

  /// Starts `executable` with the pseudoterminal as its standard input, output and error.
  ///
  /// - Parameters:
  ///   - environment: `NAME=value` strings, all of them.
  ///   - isControlling: whether keys send signals there and jobs are controlled, as in a terminal that a person has.
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
    let master = Master(pseudoterminal.takeMaster())
    self.master = master
    let source = DispatchSource.makeReadSource(fileDescriptor: master.descriptor.rawValue, queue: queue)
    unsafe self.source = source
    source.setEventHandler { [weak self] in self?.drain() }
    source.setCancelHandler { _ = master }
    source.activate()
  }

  deinit {
    unsafe source.cancel()
  }

  /// Everything the program wrote so far.
  package var output: [UInt8] { received.withLock { $0.bytes } }

  /// When the byte at `index` of ``output`` came, in time since boot (`BootClock`); nil when it has not.
  package func arrival(ofByteAt index: Int) -> Duration? {
    received.withLock { received in received.arrivals.first { $0.count > index }?.time }
  }

  package func type(_ text: String) throws {
    try master.descriptor.writeAll(Array(text.utf8))
  }

  package func type(_ bytes: [UInt8]) throws {
    try master.descriptor.writeAll(bytes)
  }

  /// Types what is taken at once; how many bytes that were.
  package func typeAtOnce(_ bytes: [UInt8]) -> Int {
    (try? master.descriptor.write(bytes[...])) ?? 0
  }

  /// Changes the size. A program without a controlling terminal is told by signal.
  package func resize(columns: Int, rows: Int) {
    try? WindowSize(rows: rows, columns: columns).set(master.descriptor.rawValue)
    if !isControlling { Signal.windowSizeChanged.send(to: pid) }
  }

  /// Takes nothing from the program until ``resume()``, as a slow terminal does.
  package func pause() { unsafe source.suspend() }

  package func resume() { unsafe source.resume() }

  /// What the program wrote, as text.
  package var text: String { String(decoding: output, as: UTF8.self) }

  /// Waits until the program has written `text`; fails with what it wrote.
  package func wait(for text: String, times: Int = 1, within limit: Duration = .seconds(30)) throws {
    let isThere = eventually(within: limit) {
      self.text.ranges(of: text).count >= times
    }
    if !isThere {
      throw TestKitError("waited in vain for \(text.debugDescription); there was: \(self.text.debugDescription)")
    }
  }

  /// Waits for the program's end and reads what it wrote before; its exit code, or 128 + the signal's number. Nil when it does not end.
  package func end(within limit: Duration = .seconds(30)) -> Int32? {
    guard eventually(within: limit, { Files.linkTarget("/proc/\(pid)/exe") == nil }) else { return nil }
    queue.sync { drain() }
    return endStatus(of: pid)
  }

  /// Reads to EAGAIN, or to EIO after the program's end: what is not read at a hang-up is lost.
  private func drain() {
    while true {
      do {
        let bytes = try master.descriptor.read()
        if bytes.isEmpty { break }
        let now = BootClock.now
        received.withLock { received in
          received.bytes += bytes
          received.arrivals.append((received.bytes.count, now))
        }
      } catch {
        if !error.isWouldBlock { unsafe source.cancel() }
        break
      }
    }
  }
}
