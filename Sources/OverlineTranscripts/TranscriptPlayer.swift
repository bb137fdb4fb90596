internal import COverlineNetlink
internal import NetworkPath
internal import OverlineSystem

/// A transcript in place of the kernel: answers each question as the kernel did when it was recorded.
///
/// Questions are matched by their bytes. Another version of this program may ask other questions, or in another order. Then the newest
/// answer so far counts. A question that the recording does not contain is refused and counted.
final class TranscriptPlayer: KernelStandIn {
  /// The number of questions without an answer in the transcript.
  private(set) var unanswered = 0

  private var moments: ArraySlice<Transcript.Moment>
  private var questions: [[UInt8]: Answers] = [:]
  private var hardware: [String: InterfaceHardware] = [:]
  private var nameservers: [Nameserver] = []
  /// The families that the last recorded look found refused.
  private var refused: Set<AddressFamily> = []
  /// The newest look at the TCP connections; nil if it failed.
  private(set) var look: ConnectionLook?
  /// The inputs still to be read.
  private var pending: ArraySlice<WatcherInput> = []

  private struct Answers {
    /// The answers of the current moment, in order: the moment may repeat a question.
    var current: [Answer] = []
    var newest: Answer
  }

  private struct Answer {
    var sequence: UInt32
    var inputs: [WatcherInput] = []
  }

  init(_ transcript: Transcript) { moments = transcript.moments[...] }

  /// The next recorded moment.
  func next() -> Transcript.Moment? {
    guard let moment = moments.popFirst() else { return nil }
    if moment.event == .watcher(.evaluated) { refused = [] }
    load(moment.inputs)
    return moment
  }

  /// Takes the next recorded moment if it is the effect that the watcher performs now; otherwise returns nil.
  func next(where isSame: (WatcherEvent) -> Bool) -> Transcript.Moment? {
    let rest = moments.drop { if case .published = $0.event { true } else { false } }
    guard case .watcher(let event) = rest.first?.event, isSame(event) else { return nil }
    moments = rest
    return next()
  }

  /// The error of the socket filter that the decision needed, instead of a decision.
  func takeRefusedFilter() -> NetlinkError? {
    guard case .failed(let errno) = pending.first else { return nil }
    pending = []
    return .refusedFilter(errno)
  }

  private func load(_ inputs: [WatcherInput]) {
    for key in questions.keys { questions[key]?.current = [] }
    pending = []
    var question: [UInt8]?
    var answer = Answer(sequence: 0)
    func close() {
      guard let key = question else { return }
      questions[key, default: Answers(newest: answer)].newest = answer
      questions[key]?.current.append(answer)
    }
    for item in inputs {
      switch item {
      case .asked(let bytes):
        close()
        question = Self.key(bytes)
        answer = Answer(sequence: Self.sequence(bytes))
      case .got, .lost, .failed:
        if question == nil { pending.append(item) } else { answer.inputs.append(item) }
      case .hardware(let name, let hardware): self.hardware[name] = hardware
      case .nameservers(let servers): nameservers = servers
      case .refusal(let family): refused.insert(family)
      case .connections(let look): self.look = look
      }
    }
    close()
  }

  // MARK: In place of a socket

  /// Looks up a question; returns the sequence number of its answers.
  func ask(_ bytes: [UInt8]) -> UInt32 {
    let key = Self.key(bytes)
    guard var answers = questions[key] else {
      unanswered += 1
      pending = [.got(Self.refusal)]
      return 0
    }
    let answer = answers.current.isEmpty ? answers.newest : answers.current.removeFirst()
    questions[key] = answers
    pending = answer.inputs[...]
    return answer.sequence
  }

  func receive(_ body: ([UInt8]) -> Void) throws(NetlinkError) -> NetlinkReceipt {
    switch pending.popFirst() {
    case .got(let bytes):
      body(bytes)
      return .datagram
    case .lost: return .lost
    case .failed(let errno): throw NetlinkError(code: errno, attempt: "read from the kernel")
    case nil, .asked, .hardware, .nameservers, .refusal, .connections: return .nothing
    }
  }

  /// An error message like the kernel's: no answer would count as a fault of the socket.
  private static let refusal: [UInt8] = {
    var header = nlmsghdr()
    header.nlmsg_len = UInt32(MemoryLayout<nlmsghdr>.size + MemoryLayout<nlmsgerr>.size)
    header.nlmsg_type = UInt16(NLMSG_ERROR)
    let error = nlmsgerr(error: -ENODATA, msg: nlmsghdr())
    return unsafe withUnsafeBytes(of: header) { unsafe Array($0) } + withUnsafeBytes(of: error) { unsafe Array($0) }
  }()

  /// A message without the fields that libnl fills in on sending: sequence number, port, and the flag of a request.
  private static func key(_ message: [UInt8]) -> [UInt8] {
    var key = message
    for index in 8..<16 where key.indices.contains(index) { key[index] = 0 }
    for (index, byte) in withFlag.enumerated() where key.indices.contains(6 + index) { key[6 + index] |= byte }
    return key
  }

  private static let withFlag: [UInt8] = unsafe withUnsafeBytes(of: UInt16(NLM_F_REQUEST)) { unsafe Array($0) }

  private static func sequence(_ message: [UInt8]) -> UInt32 {
    guard message.count >= 12 else { return 0 }
    return unsafe message.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: 8, as: UInt32.self) }
  }
}

extension TranscriptPlayer: HostInfo {
  func hardware(of interface: String) -> InterfaceHardware { hardware[interface] ?? InterfaceHardware() }
  func currentNameservers() -> [Nameserver] { nameservers }
  func refusesConnections(_ family: AddressFamily) -> Bool { refused.contains(family) }
}
