import Overline
@testable import OverlineCore

/// The first byte determines how the rest is cut into reads; the rest is the traffic of an observer's connection, from either side.
enum ObserverTarget {
  static func run(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let stream = Array(bytes.dropFirst())
    let lines = lines(stream, size: stream.count)
    precondition(lines == self.lines(stream, size: Int(first) + 1))
    for case .complete(let line) in lines {
      isReadAgain(line, ObserverRequest.init(line:), \.jsonLine)
      isReadAgain(line, ObserverState.init(jsonLine:), \.jsonLine)
      isReadAgain(line, JSONValue.init(parsing:)) { Array($0.json.utf8) }
      if let response = try? ObserverResponse(line: line) {
        precondition(try! ObserverResponse(line: response.jsonLine.dropLast()) == response)
      }
      if let state = try? ObserverState(jsonLine: line) { isWritten(state) }
      if let request = try? ObserverRequest(line: line) { precondition(try! request.checked() == request) }
    }
    _ = EnvironmentFormat.parse(String(decoding: stream, as: UTF8.self))
  }

  private static func lines(_ stream: [UInt8], size: Int) -> [LineBuffer.Line] {
    var buffer = LineBuffer(maximum: 4096)
    var lines: [LineBuffer.Line] = []
    for start in stride(from: 0, to: stream.count, by: max(1, size)) {
      buffer.append(Array(stream[start..<min(start + size, stream.count)]))
      while let line = buffer.next() { lines.append(line) }
    }
    return lines
  }

  /// A parsed message, written again, parses to the same value.
  private static func isReadAgain<Value: Equatable>(
    _ line: [UInt8], _ read: ([UInt8]) throws -> Value, _ written: (Value) -> [UInt8]
  ) {
    guard let value = try? read(line) else { return }
    precondition(try! read(written(value)) == value)
  }

  /// Written in every format that observers read line by line.
  private static func isWritten(_ state: ObserverState) {
    for format in ObserverFormat.allCases {
      let line = format.line(state)
      precondition(line.last == 0x0a)
      guard format != .env else { continue }
      precondition(!line.dropLast().contains { $0 < 0x20 || $0 == 0x7f }, "\(format) has a control character in it")
    }
    let variables = EnvironmentFormat.parse(EnvironmentFormat.string(state.environment))!
    precondition(Set(variables.keys) == Set(state.environment.map(\.name)))
  }
}
