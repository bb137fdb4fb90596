internal import OverlineSystem

/// A state's lines in the formats that were asked for: one or two of them, found faster by looking than by hashing.
struct StateLines {
  private var lines: [(format: ObserverFormat, line: [UInt8])] = []

  subscript(format: ObserverFormat) -> [UInt8]? {
    get { lines.first { $0.format == format }?.line }
    set { if let newValue { lines.append((format, newValue)) } }
  }
}

/// One connection of an ``ObserverServer``, used on its queue only.
final class ServedClient {
  let token: UInt64
  private let socket: FileDescriptor
  var input = LineBuffer()
  var outbox = Outbox()
  /// How it wants to be told.
  var format = ObserverFormat.json
  var interest = Poller.Interest.readable
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
    self.socket = socket
    self.allowance = allowance
  }

  var descriptor: Int32 { socket.rawValue }
  var isReadyForRequests: Bool { !isBusy && !outbox.isFull && !isWaitingForTurn }
}
