/// A client of the server: the bytes that it has sent, the output due to it, and whether a request of it is being performed.
struct ServedClient {
  /// The maximum number of a client's requests per turn. It limits the delay that a flooding client causes for others.
  private static let requestsPerTurn = 64

  var outbox = Outbox()
  /// The format of the states for this client.
  var format = ObserverFormat.json
  /// The time since which the client's full socket has accepted no output; nil while it accepts output.
  var stalledSince: Duration?
  var allowance: RequestAllowance
  /// True after the client has hung up. It is kept only until its last request is done.
  private(set) var isGone = false
  /// True while a request is being performed. The request's number distinguishes its answer from a late one.
  private(set) var isBusy = false
  private var requestNumber: UInt64 = 0
  private var input = LineBuffer()
  private var hasInputEnded = false
  private var polled = (reads: true, writes: false)
  /// The requests in this turn, and whether the next one waits for another turn.
  private var turn = 0
  private var isWaitingForTurn = false

  init(_ requests: RequestAllowance.Rate) {
    allowance = RequestAllowance(requests)
    outbox.addState()
  }

  var isReadyForRequests: Bool { !isBusy && !outbox.isFull && !isWaitingForTurn }

  /// - Parameter bytes: empty if the client has closed its sending half.
  mutating func receive(_ bytes: [UInt8]) {
    if bytes.isEmpty { hasInputEnded = true } else { input.append(bytes) }
  }

  /// - Parameter rest: the last bytes that the client has sent.
  mutating func hangUp(rest: [UInt8]) {
    isGone = true
    dropOutput()
    if !rest.isEmpty { input.append(rest) }
  }

  mutating func dropOutput() {
    outbox = Outbox()
    stalledSince = nil
  }

  mutating func beginTurn() { isWaitingForTurn = false }

  /// The next line to handle; nil when none is complete, or the client's requests must wait.
  mutating func nextLine() -> LineBuffer.Line? {
    guard isReadyForRequests else { return nil }
    if let line = input.next() { return line }
    turn = 0
    return nil
  }

  /// Counts a line that was handled.
  ///
  /// - Returns: whether the next one waits for another turn.
  mutating func endLine() -> Bool {
    // A client that has hung up reads no answers.
    if isGone { outbox = Outbox() }
    turn += 1
    guard turn == Self.requestsPerTurn else { return false }
    turn = 0
    isWaitingForTurn = true
    return true
  }

  /// Returns the number of a request that is to be performed.
  mutating func beginRequest() -> UInt64 {
    requestNumber += 1
    isBusy = true
    return requestNumber
  }

  /// - Returns: false for a late answer, which is dropped.
  mutating func endRequest(_ number: UInt64, _ response: ObserverResponse) -> Bool {
    guard isBusy, requestNumber == number else { return false }
    isBusy = false
    outbox.add(answer: response.jsonLine)
    return true
  }

  /// What to poll the client's socket for, if that has changed.
  mutating func takeNewInterest() -> (reads: Bool, writes: Bool)? {
    let new = (reads: isReadyForRequests && !hasInputEnded, writes: stalledSince != nil)
    if new == polled { return nil }
    polled = new
    return new
  }
}
