internal import OverlineCore
internal import OverlineSystem

/// A state's lines in the requested formats. There are usually one or two lines, so a search is faster than a hash table.
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
  /// The format of the states for this client.
  var format = ObserverFormat.json
  var interest = Poller.Interest.readable
  /// The time since which the client's full socket has accepted no output; nil while it accepts output.
  var stalledSince: Duration?
  var hasInputEnded = false
  /// True after the client has hung up. The server keeps the client only until its last request is done.
  var isGone = false
  /// True while a request is being performed. The request's number distinguishes its completion from a late one.
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
