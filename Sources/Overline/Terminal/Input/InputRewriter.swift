/// Rewrites the outer terminal's input for the program. Rows in mouse reports and answers are counted from below the banner. Input for the
/// banner and answers to the window's own request do not reach the program. Everything else passes unchanged and at once.
///
/// While no banner shows and no answer is expected, the output equals the input, byte for byte, and nothing is held back.
package struct InputRewriter: Sendable {
  /// The state of the window's own request (``ask()``).
  package enum Answer: Equatable, Sendable {
    case awaited
    /// The cursor's place on the outer terminal, from 1.
    case position(row: Int, column: Int)
    /// The terminal does not report it.
    case none
  }

  /// The place of the next byte in the syntax of the input.
  enum State {
    case ground
    /// After ESC.
    case escape
    /// After `ESC [`.
    case controlSequence
    /// In the characters after `CSI M`.
    case mouseCharacters
    /// After `ESC P`, in what may be the answer to a request for the margins or the number of rows.
    case settingReply
    /// In bracketed paste, which is not interpreted. `match` bytes of its end sequence have come.
    case paste(match: Int)
    /// While keys are captured: after `ESC O`.
    case singleShift
    /// While keys are captured: in a control string, an answer to the program.
    case answer
  }

  /// The maximum length of a report, in bytes. A longer sequence is not a report.
  static let maximumLength = 256

  var state = State.ground
  /// The unfinished sequence from its ESC on; `sent` of its bytes have already gone to the program.
  var partial: [UInt8] = []
  var sent = 0
  /// True when the unfinished sequence came in parts with a pause between them, while keys are captured.
  var isTorn = false
  var expected = ExpectedReplies()
  var mouse = MouseOwnership()
  var context = InputContext()
  /// The newest cursor report since the window asked. The last report before the answer to device attributes is the window's.
  var candidate: InputSequence?
  /// True after an answer to device attributes without a cursor report before it. The program had sent that request unseen, so the window's
  /// cursor report is still to come.
  var isReportLate = false

  public internal(set) var answer: Answer?

  /// The rows and columns that the terminal had when it answered the window's last request; nil without such an answer.
  package internal(set) var reportedSize: (rows: Int, columns: Int)?
  /// The numbers of the terminal's secondary device attributes.
  var name: [Int]?
  var overlayInput: [OverlayInput] = []
  /// True after the toast's chord was pressed.
  var isToastFocused = false
  /// True for a paste that began while keys were captured.
  var dropsPaste = false

  package init() {}

  /// Notes a request of the program that was passed on to the terminal.
  package mutating func expect(_ query: TerminalQuery) { expected.expect(query) }

  /// Notes the window's own requests: `CSI 6 n`, and `CSI c` as the last one, sent after all of the program's output so far. Further
  /// output of the program must wait until there is an ``answer`` or the window's timeout ends (``stopWaiting()``).
  ///
  /// - Parameters:
  ///   - withName: `CSI > c` was sent in between.
  ///   - withSize: `CSI 18 t` was sent before.
  package mutating func ask(withName: Bool = false, withSize: Bool = false) {
    expected.ask(withName: withName, withSize: withSize)
    reportedSize = nil
    answer = .awaited
    isReportLate = false
  }

  /// The terminal's answer to `CSI > c`, once.
  package mutating func takeName() -> [Int]? {
    defer { name = nil }
    return name
  }

  /// Ends the window's wait for its answer. A late answer still does not reach the program.
  package mutating func stopWaiting(into output: inout [UInt8]) {
    guard answer == .awaited else { return }
    answer = Answer.none
    guard let report = candidate else { return }
    candidate = nil
    if expected.first(.position) == .ownPosition {
      expected.takeOwnPosition()
      answer = .position(row: report.numbers[0], column: report.numbers[1])
    } else {
      passPosition(report, into: &output)
    }
  }

  /// Whether a late answer to the window's own request may still come. Left unread, it would reach the terminal's next reader.
  package var isAnswerOwed: Bool { expected.owesOwn }

  /// Whether part of a sequence is held back: call ``release(into:)`` when no input has come for 25 ms.
  package var isHolding: Bool { isTorn ? endsInEscape : sent < partial.count }

  /// True when a sequence that began as an answer has reached an ESC. Either the answer's terminator begins, or the sequence was a key with
  /// Alt and ESC is the next key.
  private var endsInEscape: Bool {
    guard case .answer = state, partial.count > 2 else { return false }
    return partial.last == 0x1b
  }

  /// Sends the held bytes to the program: they were no report, or an incomplete one. While an answer to the window is owed, bytes that look
  /// like its beginning stay held, but for a single ESC: after the pause that is the Esc key. If the rest of an answer still follows, it is
  /// dropped.
  package mutating func release(into output: inout [UInt8]) {
    let mayBeAnswer = partial.count == 2 || partial.count > 2 && (0x3e...0x3f ~= partial[2] || partial[2] <= 0x39)
    if isAnswerOwed, sent == 0, mayBeAnswer { return }
    if case .escape = state, takeEscape() { return end(passing: false, into: &output) }
    if context.isCapturing { return tear(into: &output) }
    send(into: &output)
  }

  /// A report can arrive in parts, because a program asked for more reports than it reads. The rest must not count as keys of an alert,
  /// however late it comes. A complete control sequence goes to the program. A sequence of ESC and a character may be a typed key with Alt,
  /// and does not go to the program.
  private mutating func tear(into output: inout [UInt8]) {
    if !isTorn {
      isTorn = true
      capture(.other)
    } else if endsInEscape, takeEscape() {
      end(passing: false, into: &output)
    }
  }

  /// Ends a sequence that was invalid, or that the next byte cuts off.
  private mutating func breakOff(into output: inout [UInt8]) {
    if context.isCapturing { capture(.other) }
    // Drop half of a key.
    end(passing: !context.isCapturing, into: &output)
  }

  /// Whether the next bytes pass as they are if no ESC is among them. The caller knows whether a toast or an alert takes keys.
  package var passesText: Bool { if case .ground = state { !isToastFocused } else { false } }

  /// Rewrites the bytes that the terminal sent.
  package mutating func rewrite(_ bytes: [UInt8], _ context: InputContext, into output: inout [UInt8]) {
    self.context = context
    if case .off = context.mouseTracking { mouse.forget() }
    if context.focusKey == nil { isToastFocused = false }
    var index = 0
    while index < bytes.count {
      switch state {
      case .ground:
        let escape = bytes[index...].firstIndex(of: 0x1b)
        let text = bytes[index..<(escape ?? bytes.count)]
        if looksAtText { takeText(text, into: &output) } else { output += text }
        guard let escape else { return }
        begin()
        index = escape + 1
      case .paste(let match):
        index = passPaste(bytes, from: index, match: match, into: &output)
      case .escape, .controlSequence, .mouseCharacters, .settingReply, .singleShift, .answer:
        // A byte that does not belong to the sequence is read again, in the ground state.
        if read(bytes[index], into: &output) { index += 1 }
      }
    }
    // The beginning of an answer alone may be a key with Alt.
    if case .answer = state, partial.count > 2, !isTorn { send(into: &output) }
    let isWholeNeeded =
      context.offset > 0 || !expected.isEmpty || isReportLate || looksAtText || context.toast != nil
    // A single ESC is the Esc key, and the program may wait for it. While an answer to the window is owed it may be the first byte of that
    // answer. For an overlay it can wait: it may be the first byte of an arrow key.
    let isKey = bytes.count == 1 && partial.count == 1 && !isAnswerOwed && !takesEscape
    if !isWholeNeeded || isKey { send(into: &output) }
  }

  private mutating func begin() {
    partial = [0x1b]
    sent = 0
    isTorn = false
    state = .escape
  }

  /// Sends the program the unsent part of the sequence, and goes on reading the sequence.
  mutating func send(into output: inout [UInt8]) {
    output += partial[sent...]
    sent = partial.count
  }

  /// Ends the sequence; `passing` decides whether the program receives the unsent part.
  mutating func end(passing: Bool, into output: inout [UInt8]) {
    if passing { send(into: &output) }
    partial = []
    sent = 0
    isTorn = false
    state = .ground
  }

  /// Reads a byte of a sequence. Returns false when the byte does not belong to the sequence, which is then over.
  private mutating func read(_ byte: UInt8, into output: inout [UInt8]) -> Bool {
    switch state {
    case .escape:
      if byte == 0x5b {
        state = .controlSequence
      } else if byte == 0x50, expected.first(.margins) ?? expected.first(.rowCount) != nil {
        state = .settingReply
      } else if context.isCapturing {
        captureEscape(byte, into: &output)
        return true
      } else {
        end(passing: true, into: &output)
        return false
      }
      partial.append(byte)
    case .controlSequence:
      guard (0x20...0x7e).contains(byte), partial.count < Self.maximumLength else {
        breakOff(into: &output)
        return false
      }
      partial.append(byte)
      if byte >= 0x40 { endControlSequence(into: &output) }
    case .mouseCharacters:
      guard byte >= 0x20 || byte == 0 else {
        breakOff(into: &output)
        return false
      }
      partial.append(byte)
      readMouseCharacters(into: &output)
    case .settingReply:
      guard Self.isSettingReply(partial, byte), partial.count < Self.maximumLength else {
        breakOff(into: &output)
        return false
      }
      partial.append(byte)
      if byte == 0x5c { endSettingReply(into: &output) }
    case .singleShift:
      // `ESC O M` is Enter of the keypad.
      capture(isTorn ? .other : byte == 0x4d ? .confirm : AlertKey(final: byte) ?? .other)
      end(passing: false, into: &output)
    case .answer:
      // The answer was cut off or was none: this byte does not belong to it.
      guard partial.last == 0x1b ? byte == 0x5c : byte >= 0x20 || byte == 0x1b || byte == 0x07 else {
        if context.isCapturing { capture(.other) }
        end(passing: sent > 0, into: &output)
        return false
      }
      let isEnd = byte == 0x07 || byte == 0x5c && partial.last == 0x1b
      partial.append(byte)
      if partial.count > Self.maximumLength {
        if isTorn { partial.removeSubrange(2..<partial.count - 1) } else { send(into: &output) }
      }
      if isEnd { end(passing: !isTorn, into: &output) }
    case .ground, .paste: return false
    }
    return true
  }

  /// Handles ESC and a character other than `[`, while keys are captured.
  private mutating func captureEscape(_ byte: UInt8, into output: inout [UInt8]) {
    partial.append(byte)
    switch byte {
    case UInt8(ascii: "O"): state = .singleShift
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"): state = .answer
    // A key with Alt.
    default:
      capture(.other)
      end(passing: false, into: &output)
    }
  }

  /// Whether `byte` continues `partial` as `DCS 1 $ r t ; b r ST`, or as its forms with `n t` or `n * |`.
  private static func isSettingReply(_ partial: [UInt8], _ byte: UInt8) -> Bool {
    let head: [UInt8] = [0x1b, 0x50, 0x31, 0x24, 0x72]
    if partial.count < head.count { return byte == head[partial.count] }
    switch partial[partial.count - 1] {
    case 0x1b: return byte == 0x5c
    case 0x72 where partial.count > head.count, 0x74, 0x7c: return byte == 0x1b
    case 0x2a: return byte == 0x7c
    default: return (0x30...0x39).contains(byte) || [0x3b, 0x72, 0x74, 0x2a].contains(byte)
    }
  }

  /// Passes pasted text up to and including its end, `CSI 201 ~`. Returns the index at which reading continues.
  private mutating func passPaste(_ bytes: [UInt8], from start: Int, match: Int, into output: inout [UInt8]) -> Int {
    let end: [UInt8] = [0x1b, 0x5b, 0x32, 0x30, 0x31, 0x7e]
    var match = match
    var index = start
    while index < bytes.count, match < end.count {
      if bytes[index] == end[match] { match += 1 } else { match = bytes[index] == 0x1b ? 1 : 0 }
      index += 1
    }
    if !dropsPaste { output += bytes[start..<index] }
    state = match == end.count ? .ground : .paste(match: match)
    return index
  }
}
