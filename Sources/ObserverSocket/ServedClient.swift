internal import ObserverProtocol
internal import POSIX

/// A state's lines in the formats that were asked for: one or two of them, found faster by looking than by hashing.
struct StateLines {
  private var lines: [(format: ObserverFormat, line: [UInt8])] = []

  subscript(format: ObserverFormat) -> [UInt8]? {
    get { lines.first { $0.format == format }?.line }
    set { if let newValue { lines.append((format, newValue)) } }
  }
}

/// One connection of an ``ObserverServer``, or the pipe that one of them has its states written to; used on the server's queue only.
final class ServedClient {
  let token: UInt64
  private let file: FileDescriptor
  /// Of a pipe: the connection that passed it, without which it is nothing.
  let owner: UInt64?
  /// Of a connection: the pipe that its states go to.
  var pipe: UInt64?
  /// The descriptor that came last, until a request takes it.
  var passed: FileDescriptor?
  var input = LineBuffer()
  var outbox = Outbox()
  /// How it wants to be told.
  var format = ObserverFormat.json
  var interest: Poller.Interest
  /// Since when the kernel takes nothing of what is due; nil while it does.
  var stalledSince: Duration?
  var hasInputEnded = false
  /// It has hung up, and is kept only until its last request is done.
  var isGone = false
  /// A request is being performed. Its number tells its completion from a late one.
  var isBusy = false
  var requestNumber: UInt64 = 0
  var isWaitingForTurn = false
  var allowance: RequestAllowance

  init(token: UInt64, socket: consuming FileDescriptor, allowance: RequestAllowance) {
    self.token = token
    file = socket
    owner = nil
    interest = .readable
    self.allowance = allowance
  }

  /// A pipe asks nothing.
  init(token: UInt64, pipe: consuming FileDescriptor, owner: ServedClient) {
    self.token = token
    file = pipe
    self.owner = owner.token
    interest = []
    hasInputEnded = true
    allowance = owner.allowance
  }

  var descriptor: Int32 { file.rawValue }
  var isReadyForRequests: Bool { !isBusy && !outbox.isFull && !isWaitingForTurn }

  /// The number of bytes taken. Never waits (throws `EAGAIN`) and never raises SIGPIPE (throws `EPIPE`).
  func send(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    guard owner != nil else { return try UnixSocket.send(bytes, to: descriptor) }
    return try withoutBrokenPipeSignal { () throws(SystemError) in try file.write(bytes) }
  }
}
