/// Makes the outer terminal's input the program's: rows of mouse reports and of answers are counted from below the banner, and what is
/// meant for the banner or answers the window's own request does not reach the program. Everything else passes as it is, and at once.
///
/// While no banner shows and nothing is expected, output is input, byte for byte, and nothing is ever held.
package struct InputRewriter: Sendable {
  /// What became of the window's own request (``ask()``).
  package enum Answer: Hashable, Sendable {
    case awaited
    /// Where the cursor is on the outer terminal, from 1.
    case position(row: Int, column: Int)
    /// The terminal does not say.
    case none
  }

  /// Where in the input we are.
  enum State {
    case ground
    /// Behind ESC.
    case escape
    /// Behind `ESC [`.
    case controlSequence
    /// In the characters behind `CSI M`.
    case mouseCharacters
    /// In what may be the answer to a request for the margins or the number of rows, behind `ESC P`.
    case settingReply
    /// In bracketed paste: nothing in it means anything. `match` bytes of its end have been seen.
    case paste(match: Int)
    /// While keys are captured: behind `ESC O`.
    case singleShift
    /// While keys are captured: in a control string, which is an answer to the program.
    case answer
  }

  /// Longer than any report; whatever is longer is none.
  static let longest = 256

  var state = State.ground
  /// The sequence that is being read, from its ESC on, and how many of its bytes have gone to the program already.
  var partial: [UInt8] = []
  var sent = 0
  /// What is read came in parts, with a pause between them, while keys are captured.
  var isTorn = false
  var expected = ExpectedReplies()
  var mouse = MouseOwnership()
  var surroundings = InputContext()
  /// The newest cursor report since the window asked. The one right before the answer to device attributes is the window's.
  var candidate: InputSequence?
  /// The terminal answered device attributes and no cursor report yet: that answer was the program's, asked while we did not listen.
  var isReportLate = false

  public internal(set) var answer: Answer?

  var overlayInput: [OverlayInput] = []
  /// The toast's chord was pressed.
  var isToastFocused = false
  /// The paste began while keys were captured.
  var dropsPaste = false

  package init() {}

  /// The program asked the terminal something, and the request was passed on.
  package mutating func expect(_ query: TerminalQuery) { expected.expect(query) }

  /// The window sent its own request, `CSI 6 n` and `CSI c`, behind all that the program has sent. What the program sends must wait
  /// until there is an ``answer`` or the window's timeout ends (``stopWaiting()``).
  package mutating func ask() {
    expected.ask()
    answer = .awaited
    isReportLate = false
  }

  /// The window waits no longer. An answer that comes late still does not reach the program.
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

  /// Whether an answer to the window's own request may still come, late: the terminal's next reader would get it.
  package var isAnswerOwed: Bool { expected.owesOwn }

  /// Whether part of a sequence is held back: call ``release(into:)`` when nothing has come for 25 ms.
  package var isHolding: Bool { isTorn ? endsInEscape : sent < partial.count }

  /// What begins as an answer has come to an ESC: its end does, or it was a key with Alt, and this is the next key.
  private var endsInEscape: Bool {
    guard case .answer = state, partial.count > 2 else { return false }
    return partial.last == 0x1b
  }

  /// Gives the program what was held back: it was no report, or one that is torn. Only what looks like the window's own answer is held
  /// on while the window waits for it.
  package mutating func release(into output: inout [UInt8]) {
    if answer == .awaited, expected.owesOwn, partial.count > 2, partial[2] == 0x3f || partial[2] <= 0x39 { return }
    if case .escape = state, takeEscape() { return end(passing: false, into: &output) }
    if surroundings.isCapturing { return tear(into: &output) }
    send(into: &output)
  }

  /// A program can have a report torn: it asks for more of them than it reads. The rest must not be an alert's keys, however late it
  /// comes. A control sequence is the program's once it is whole; what began with two characters may be typed, and is not.
  private mutating func tear(into output: inout [UInt8]) {
    if !isTorn {
      isTorn = true
      capture(.other)
    } else if endsInEscape, takeEscape() {
      end(passing: false, into: &output)
    }
  }

  /// The sequence is none, or was cut off by what comes now.
  private mutating func breakOff(into output: inout [UInt8]) {
    if surroundings.isCapturing { capture(.other) }
    // Drop half of a key.
    end(passing: !surroundings.isCapturing, into: &output)
  }

  /// Reads what the terminal sent.
  package mutating func rewrite(_ bytes: [UInt8], _ surroundings: InputContext, into output: inout [UInt8]) {
    self.surroundings = surroundings
    if surroundings.mouseTracking == .off { mouse.forget() }
    if surroundings.focusKey == nil { isToastFocused = false }
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
        // A byte that does not belong is looked at again, in the ground state.
        if read(bytes[index], into: &output) { index += 1 }
      }
    }
    // What is nothing but its beginning may be a key with Alt.
    if case .answer = state, partial.count > 2, !isTorn { send(into: &output) }
    let isWholeNeeded =
      surroundings.offset > 0 || !expected.isEmpty || isReportLate || looksAtText || surroundings.toast != nil
    // The user pressed Esc, and the program may wait for it. Right behind a request of ours the terminal may have.
    // What an overlay makes of it can wait: it may be the first byte of an arrow key.
    let isKey = bytes.count == 1 && partial.count == 1 && answer != .awaited && !takesEscape
    if !isWholeNeeded || isKey { send(into: &output) }
  }

  private mutating func begin() {
    partial = [0x1b]
    sent = 0
    isTorn = false
    state = .escape
  }

  /// Gives the program the part of the sequence that it has not got, and reads on.
  mutating func send(into output: inout [UInt8]) {
    output += partial[sent...]
    sent = partial.count
  }

  /// The sequence is over; what the program has not got of it is given or not.
  mutating func end(passing: Bool, into output: inout [UInt8]) {
    if passing { send(into: &output) }
    partial = []
    sent = 0
    isTorn = false
    state = .ground
  }

  /// Reads a byte of a sequence; false when it does not belong to it, and the sequence is over.
  private mutating func read(_ byte: UInt8, into output: inout [UInt8]) -> Bool {
    switch state {
    case .escape:
      if byte == 0x5b {
        state = .controlSequence
      } else if byte == 0x50, expected.first(.margins) ?? expected.first(.rowCount) != nil {
        state = .settingReply
      } else if surroundings.isCapturing {
        captureEscape(byte, into: &output)
        return true
      } else {
        end(passing: true, into: &output)
        return false
      }
      partial.append(byte)
    case .controlSequence:
      guard (0x20...0x7e).contains(byte), partial.count < Self.longest else {
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
      guard Self.isSettingReply(partial, byte), partial.count < Self.longest else {
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
      // Cut off, or none: whatever this is, it is no part of it.
      guard partial.last == 0x1b ? byte == 0x5c : byte >= 0x20 || byte == 0x1b || byte == 0x07 else {
        if surroundings.isCapturing { capture(.other) }
        end(passing: sent > 0, into: &output)
        return false
      }
      let isEnd = byte == 0x07 || byte == 0x5c && partial.last == 0x1b
      partial.append(byte)
      if partial.count > Self.longest {
        if isTorn { partial.removeSubrange(2..<partial.count - 1) } else { send(into: &output) }
      }
      if isEnd { end(passing: !isTorn, into: &output) }
    case .ground, .paste: return false
    }
    return true
  }

  /// ESC and another character than `[`, while keys are captured.
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

  /// Whether `byte` goes on with `DCS 1 $ r t ; b r ST`, or `n t` or `n * |` in it, of which there is `partial`.
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

  /// Passes pasted text up to and with its end, `CSI 201 ~`; where to read on.
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
