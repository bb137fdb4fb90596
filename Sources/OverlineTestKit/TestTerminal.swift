internal import CSystem
internal import Dispatch
internal import POSIX
internal import Synchronization

/// A program on a real pseudoterminal, and every byte it wrote there.
public final class TestTerminal: Sendable {
  /// The program's pid; it leads a session of its own.
  public let pid: Int32
  private let master: FileDescriptor
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
  /// - Parameter environment: `NAME=value` strings, all of them.
  public init(
    _ executable: String, _ arguments: [String], environment: [String], columns: Int = 80, rows: Int = 24
  ) throws {
    var raw: Int32 = -1
    var other: Int32 = -1
    let result = unsafe csystem_open_pseudoterminal(&raw, &other)
    guard result == 0 else { throw SystemError(code: -result, attempt: "open a pseudoterminal") }
    let master = FileDescriptor(owning: raw)
    let slave = FileDescriptor(owning: other)
    try master.setNonBlocking()
    csystem_set_window_size(raw, UInt16(rows), UInt16(columns))
    pid = try Subprocess.spawn(
      executable, arguments, environment: environment, newSession: true,
      descriptors: [(slave.rawValue, 0), (slave.rawValue, 1), (slave.rawValue, 2)])
    self.master = master
    let source = DispatchSource.makeReadSource(fileDescriptor: raw, queue: queue)
    unsafe self.source = source
    source.setEventHandler { [weak self] in self?.drain() }
    source.activate()
  }

  deinit {
    unsafe source.cancel()
    Signal.kill.send(to: pid)
    _ = Subprocess.wait(for: pid)
  }

  /// Everything the program wrote so far.
  public var output: [UInt8] { received.withLock { $0.bytes } }

  /// When the byte at `index` of ``output`` came, in time since boot (`BootClock`); nil when it has not.
  public func arrival(ofByteAt index: Int) -> Duration? {
    received.withLock { received in received.arrivals.first { $0.count > index }?.time }
  }

  public func type(_ text: String) throws {
    try master.writeAll(Array(text.utf8))
  }

  /// Changes the size. The program has no controlling terminal, so it is told by signal.
  public func resize(columns: Int, rows: Int) {
    csystem_set_window_size(master.rawValue, UInt16(rows), UInt16(columns))
    Signal.windowSizeChanged.send(to: pid)
  }

  /// Reads to EAGAIN, or to EIO after the program's end: what is not read at a hang-up is lost.
  private func drain() {
    while true {
      do {
        let bytes = try master.read()
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
