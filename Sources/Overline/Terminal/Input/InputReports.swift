/// The handling of each report.
extension InputRewriter {
  /// The result of handling a report.
  private enum Outcome {
    case asItIs
    case changed([UInt8])
    case consumed
  }

  mutating func endControlSequence(into output: inout [UInt8]) {
    let sequence = InputSequence(partial)
    if partial.count == 3, sequence.final == 0x4d, hasMouseCharacters {
      state = .mouseCharacters
      return
    }
    let isPasted = sequence.prefix == 0 && sequence.final == 0x7e && sequence.numbers == [200]
    var outcome = outcome(of: sequence, into: &output)
    if isPasted { dropsPaste = context.isCapturing }
    if case .asItIs = outcome, isPasted && dropsPaste || takeKey(partial) { outcome = .consumed }
    finish(outcome, into: &output)
    if isPasted { state = .paste(match: 0) }
  }

  /// Bytes of the sequence that were already sent to the program cannot be taken back. If only ESC was sent, the rest may still change; if
  /// more was sent, the rest must pass unchanged.
  private mutating func finish(_ outcome: Outcome, into output: inout [UInt8]) {
    switch outcome {
    case .asItIs: end(passing: true, into: &output)
    case .consumed: end(passing: sent > 1, into: &output)
    case .changed(let bytes):
      if sent <= 1 {
        output += bytes[sent...]
        sent = partial.count
      }
      end(passing: true, into: &output)
    }
  }

  private mutating func outcome(of sequence: InputSequence, into output: inout [UInt8]) -> Outcome {
    let numbers = sequence.numbers
    switch (sequence.prefix, sequence.final, numbers.count) {
    case (0, 0x52, 2): return position(sequence, into: &output)
    case (0x3f, 0x52, 2...3): return extendedPosition(sequence, into: &output)
    case (0x3f, 0x63, _): return attributes(into: &output)
    case (0x3e, 0x63, _): return name(numbers)
    case (0, 0x74, 3) where numbers[0] == 8:
      if sent < 2, expected.takeOwnSize() {
        reportedSize = (numbers[1], numbers[2])
        return .consumed
      }
      guard case .textAreaSize(let offset)? = takeProgram(.size, into: &output) else { return .asItIs }
      // tmux 3.3a reports the columns first.
      let isSwapped = (numbers[1], numbers[2]) == (context.columns, context.programRows + context.offset)
      let rows = isSwapped ? 2 : 1
      return changing(sequence, [(rows, max(1, numbers[rows] - offset))], if: offset > 0)
    case (0, 0x74, 3) where numbers[0] == 4:
      guard case .textAreaPixels(let offset)? = takeProgram(.pixels, into: &output) else { return .asItIs }
      let rows = context.programRows + context.offset
      return changing(sequence, [(1, pixels(numbers[1], without: offset, of: rows))], if: offset > 0)
    case (0, 0x74, 5) where numbers[0] == 48 && context.reportsResize:
      let offset = context.offset
      // A new size reaches the program once the screen has it: then the window reports it.
      let isCurrent = (numbers[1], numbers[2]) == (context.programRows + offset, context.columns)
      if offset > 0, !isCurrent { return .consumed }
      return changing(
        sequence, [(1, max(1, numbers[1] - offset)), (3, pixels(numbers[3], without: offset, of: numbers[1]))],
        if: offset > 0)
    case (0x3c, 0x4d, 3), (0x3c, 0x6d, 3):
      let report = MouseReport(
        code: numbers[0], row: numbers[2], column: numbers[1], isRelease: sequence.final == 0x6d)
      return mouse(report, isPixels: context.mouseEncoding == .sgrPixels) { sequence.replacing([(2, $0)]) }
    case (0, 0x4d, 3) where numbers[0] >= 32:
      let report = MouseReport(code: numbers[0] - 32, row: numbers[2], column: numbers[1], isRelease: nil)
      return mouse(report) { sequence.replacing([(2, $0)]) }
    default: return .asItIs
    }
  }

  private func changing(
    _ sequence: InputSequence, _ replacements: [(Int, Int)], if isNeeded: Bool
  ) -> Outcome {
    isNeeded ? .changed(sequence.replacing(replacements.map { (parameter: $0.0, number: $0.1) })) : .asItIs
  }

  /// The height in pixels of the program's part of a text area.
  private func pixels(_ height: Int, without offset: Int, of rows: Int) -> Int {
    rows > offset ? height * (rows - offset) / rows : height
  }

  /// Removes the program's request that the terminal answers now. Terminals answer in order, so a cursor report that is held back answers
  /// an earlier request of the program, and passes on.
  private mutating func takeProgram(_ kind: ExpectedReplies.Kind, into output: inout [UInt8]) -> TerminalQuery? {
    let query = expected.takeProgram(kind)
    if query != nil { passCandidate(into: &output) }
    return query
  }

  // MARK: Where the cursor is

  /// `CSI 1 ; 2 R` is also a key (F3 with Shift): it counts as a report only when one is expected.
  private mutating func position(_ sequence: InputSequence, into output: inout [UInt8]) -> Outcome {
    if answer == .awaited {
      // The terminal may first answer requests of the program that the window has not seen: the last answer is the window's.
      guard sent < 2 else { return .asItIs }
      passCandidate(into: &output)
      candidate = sequence
      expected.concludeBeforeOwnPosition()
      return .consumed
    }
    switch expected.first(.position) {
    case .ownPosition:
      expected.takeOwnPosition()
      return .consumed
    case .program:
      return .changed(programs(sequence, expected.takeProgram(.position)))
    default:
      // Row 1 with a column from 2 to 16 is more likely the key.
      let isKey = sequence.numbers[0] == 1 && (2...16).contains(sequence.numbers[1])
      guard isReportLate, !isKey else { return .asItIs }
      isReportLate = false
      return .consumed
    }
  }

  private mutating func extendedPosition(_ sequence: InputSequence, into output: inout [UInt8]) -> Outcome {
    guard let query = takeProgram(.extendedPosition, into: &output) else { return .asItIs }
    return .changed(programs(sequence, query))
  }

  private func programs(_ report: InputSequence, _ query: TerminalQuery?) -> [UInt8] {
    switch query {
    case .cursorPosition(let offset) where offset > 0, .extendedCursorPosition(let offset) where offset > 0:
      report.replacing([(0, max(1, report.numbers[0] - offset))])
    default: report.bytes
    }
  }

  private mutating func passCandidate(into output: inout [UInt8]) {
    guard let report = candidate else { return }
    candidate = nil
    passPosition(report, into: &output)
  }

  /// Sends the program a report that turned out to be the program's.
  mutating func passPosition(_ report: InputSequence, into output: inout [UInt8]) {
    output += programs(report, expected.takeProgram(.position))
  }

  private mutating func attributes(into output: inout [UInt8]) -> Outcome {
    switch expected.first(.attributes) {
    case nil: return .asItIs
    case .program:
      passCandidate(into: &output)
      expected.takeAttributes()
      return .asItIs
    default:
      expected.takeAttributes()
    }
    // After abandoned requests, only the answer to the last one counts.
    if answer == .awaited, !expected.owesOwn {
      answer = candidate.map { .position(row: $0.numbers[0], column: $0.numbers[1]) } ?? Answer.none
      isReportLate = candidate == nil
    } else if answer == .awaited {
      reportedSize = nil
    }
    candidate = nil
    return .consumed
  }

  /// If the program has asked too, it gets the other answer, which is the same.
  private mutating func name(_ numbers: [Int]) -> Outcome {
    guard expected.takeName() else { return .asItIs }
    name = numbers
    return .consumed
  }

  // MARK: Settings

  mutating func endSettingReply(into output: inout [UInt8]) {
    // The reply ends with ST, and before it the second character of DECSNLS.
    let end = partial.suffix(partial[partial.count - 3] == 0x7c ? 3 : 2)
    let reply = InputSequence(partial.dropLast(end.count), start: 5)
    let query: TerminalQuery? =
      switch (reply.final, reply.numbers.count) {
      case (0x72, 2): takeProgram(.margins, into: &output)
      case (0x74, 1), (0x2a, 1): takeProgram(.rowCount, into: &output)
      default: nil
      }
    let offset =
      switch query {
      case .margins(let rows), .rowCount(let rows): rows
      default: 0
      }
    guard offset > 0 else { return self.end(passing: true, into: &output) }
    let replacements = reply.numbers.enumerated().map { (parameter: $0.offset, number: max(1, $0.element - offset)) }
    finish(.changed(reply.replacing(replacements) + end), into: &output)
  }

  // MARK: Mouse

  /// In the encodings without parameters, the numbers follow `CSI M` as characters.
  private var hasMouseCharacters: Bool {
    context.mouseTracking != .off
      && (context.mouseEncoding == .x10 || context.mouseEncoding == .utf8)
  }

  /// `CSI M` and three characters, each a number + 32. A number too large for the encoding is NUL.
  mutating func readMouseCharacters(into output: inout [UInt8]) {
    let characters = partial[3...]
    var values: [Int] = []
    var places: [Int] = []
    if context.mouseEncoding == .utf8 {
      var index = characters.startIndex
      while index < characters.endIndex {
        places.append(index)
        let byte = characters[index]
        if byte < 0x80 {
          values.append(Int(byte))
          index += 1
          continue
        }
        // At most 2047: two bytes.
        guard byte & 0xe0 == 0xc0 else { return end(passing: true, into: &output) }
        guard index + 1 < characters.endIndex else { return }
        values.append(Int(byte & 0x1f) << 6 | Int(characters[index + 1] & 0x3f))
        index += 2
      }
    } else {
      values = characters.map(Int.init)
      places = Array(characters.indices)
    }
    guard values.count == 3 else { return }
    guard values[0] >= 32 else { return end(passing: true, into: &output) }
    let report = MouseReport(
      code: values[0] - 32, row: max(0, values[2] - 32), column: max(0, values[1] - 32), isRelease: nil)
    let isUTF8 = context.mouseEncoding == .utf8
    let head = partial[..<places[2]]
    let outcome = mouse(report) { row in
      head + (isUTF8 ? Array(String(Unicode.Scalar(UInt32(row + 32))!).utf8) : [UInt8(row + 32)])
    }
    finish(outcome, into: &output)
  }

  private mutating func mouse(
    _ report: MouseReport, isPixels: Bool = false, _ replacing: (Int) -> [UInt8]
  ) -> Outcome {
    // If the height of a row is unknown, the banner's place in pixels is unknown too.
    let height = isPixels ? context.offset * (context.cellHeight ?? 0) : context.offset
    let owner = mouse.owner(
      of: report, under: target(of: report, isPixels: isPixels),
      reportsReleases: ![.off, .press].contains(context.mouseTracking), mustPass: sent > 0)
    switch owner {
    case .program:
      if context.isMouseOwn { return .consumed }
      return height > 0 && report.row > 0 ? .changed(replacing(max(1, report.row - height))) : .asItIs
    case .banner: return .consumed
    case .toast, .alert:
      if let place = cell(of: report, isPixels: isPixels) {
        note(report.kind, at: place, for: owner)
      } else if owner == .toast, case .release = report.kind {
        overlayInput.append(.toastReleased(row: nil))
      }
      return .consumed
    }
  }

  /// The terminal's cell under the mouse, from 0.
  private func cell(of report: MouseReport, isPixels: Bool) -> (row: Int, column: Int)? {
    guard report.row > 0, report.column > 0 else { return nil }
    guard isPixels else { return (report.row - 1, report.column - 1) }
    guard let height = context.cellHeight, let width = context.cellWidth, height > 0, width > 0 else {
      return nil
    }
    return ((report.row - 1) / height, (report.column - 1) / width)
  }

  private func target(of report: MouseReport, isPixels: Bool) -> MouseTarget {
    let place = cell(of: report, isPixels: isPixels)
    if let place, let toast = context.toast, toast.contains(row: place.row, column: place.column) {
      return .toast
    }
    if context.isCapturing { return .alert }
    let height = isPixels ? context.offset * (context.cellHeight ?? 0) : context.offset
    return report.row <= height && report.row > 0 ? .banner : .program
  }

  private mutating func note(_ kind: MouseReport.Kind, at place: (row: Int, column: Int), for owner: MouseTarget) {
    switch (kind, owner) {
    case (.press(0), .alert): overlayInput.append(.alertPressed(row: place.row, column: place.column))
    case (.press(0), .toast):
      overlayInput.append(.toastPressed(row: place.row))
      // Mode 9 reports nothing but presses.
      if context.mouseTracking == .press { overlayInput.append(.toastReleased(row: place.row)) }
    case (.motion(0), .toast): overlayInput.append(.toastDragged(row: place.row))
    case (.release(0), .toast), (.release(nil), .toast): overlayInput.append(.toastReleased(row: place.row))
    case (.press, _), (.release, _), (.motion, _), (.wheel, _): break
    }
  }
}
