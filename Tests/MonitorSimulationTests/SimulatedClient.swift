import OverlineCore

/// A client of the observers' protocol. It reads states and answers, and notes whether they are what the protocol promises.
final class SimulatedClient {
  let number: Int
  /// Nil before the server has admitted it.
  var id: ClientID?
  var isDeaf = false {
    didSet { if isDeaf { wasDeaf = true } }
  }
  /// A client that has not read may miss states, but not get older ones.
  private var wasDeaf = false
  /// Whether it has asked for the state again.
  private var mayRepeat = false
  var isWrittenTo = false
  /// Whether it has asked for another format, in which no number is.
  var readsNumbers = true
  private(set) var lastSequence = 0
  private(set) var unanswered = 0
  private(set) var fault: String?
  private var bytes: [UInt8] = []
  /// What the kernel keeps for a client that does not read.
  private var unread: [UInt8] = []

  private static let socketBuffer = 3000

  init(_ number: Int) { self.number = number }

  func note(_ request: ObserverRequest) {
    unanswered += 1
    guard case .watch(let format) = request else { return }
    if format == .json { mayRepeat = true } else { readsNumbers = false }
  }

  func noteGarbage() { unanswered += 1 }

  /// The kernel accepts as many bytes as it has room for.
  func accept(_ new: ArraySlice<UInt8>) -> Int {
    guard isDeaf else {
      read(new)
      return new.count
    }
    let count = min(new.count, Self.socketBuffer - unread.count)
    unread += new.prefix(count)
    return count
  }

  func listen() {
    isDeaf = false
    read(unread[...])
    unread = []
  }

  private func read(_ new: ArraySlice<UInt8>) {
    bytes += new
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      take(bytes[..<end])
      bytes.removeSubrange(...end)
    }
  }

  private func take(_ line: ArraySlice<UInt8>) {
    if line.starts(with: Self.answer) {
      unanswered -= 1
      if unanswered < 0 { fault = "an answer too many: \(String(decoding: line, as: UTF8.self))" }
    } else if readsNumbers {
      let head = String(decoding: line.prefix(40), as: UTF8.self).split(separator: "\"seq\":")
      let sequence = Int(head.last?.prefix { $0.isNumber } ?? "") ?? 0
      let isNext = sequence == lastSequence + 1 || sequence == lastSequence && mayRepeat
      if lastSequence > 0, !isNext, !wasDeaf || sequence < lastSequence {
        fault = "state \(sequence) after \(lastSequence)"
      }
      lastSequence = sequence
    }
  }

  private static let answer = Array("{\"ok\":".utf8)
}
