extension SimulatedTerminal {
  private mutating func answer(_ text: String) { answers += text.utf8 }

  /// DSR 5 and 6.
  mutating func answerStatus(isPrivate: Bool) {
    switch parser.parameter(0, or: 0) {
    case 5 where !isPrivate: answer("\u{1B}[0n")
    case 6 where !isPrivate || family.answers.reportsPrivateCursor:
      var row = position.row - (position.isOrigin ? top : 0) + 1
      var column = position.column + 1
      if position.isWrapPending {
        switch family.pending.report {
        case .lastColumn: break
        case .beyond: column += 1
        case .nextRow:
          if position.row < rows - 1 {
            row += 1
            column = 1
          }
        }
      }
      answer("\u{1B}[\(isPrivate ? "?" : "")\(row);\(column)R")
    default: break
    }
  }

  /// XTWINOPS 18.
  mutating func answerSize() {
    switch family.answers.size {
    case .none: break
    case .rowsFirst: answer("\u{1B}[8;\(rows);\(columns)t")
    case .columnsFirst: answer("\u{1B}[8;\(columns);\(rows)t")
    }
  }

  /// DA1 (`CSI c`), DA2 (`CSI > c`), XTVERSION (`CSI > q`).
  mutating func answerDevice(_ final: UInt8) {
    switch (parser.prefix, final) {
    case (0, UInt8(ascii: "c")): answer("\u{1B}[\(family.answers.primary)c")
    case (0x3E, UInt8(ascii: "c")): if let text = family.answers.secondary { answer("\u{1B}[\(text)c") }
    case (0x3E, UInt8(ascii: "q")): if let text = family.answers.version { answer("\u{1B}P>|\(text)\u{1B}\\") }
    default: break
    }
  }

  /// DECRQM for a private mode.
  mutating func answerMode(_ mode: Int) {
    guard family.answers.reportsModes else { return }
    answer("\u{1B}[?\(mode);\(value(of: mode))$y")
  }

  private func value(of mode: Int) -> Int {
    let isSet: Bool
    switch mode {
    case 1: isSet = modes.hasApplicationCursorKeys
    case 6: isSet = position.isOrigin
    case 7: isSet = modes.autowraps
    case 25: isSet = modes.isCursorVisible
    case 47, 1047, 1049: isSet = isAlternate
    case 1000, 1002, 1003: isSet = modes.mouse == mode
    case 1004: isSet = modes.reportsFocus
    case 1006: isSet = modes.isMouseSGR
    case 2004: isSet = modes.bracketsPaste
    case 2026: return modes.isSynchronized && family.answers.synchronizedMode == 2 ? 1 : family.answers.synchronizedMode
    default: return 0
    }
    return isSet ? 1 : 2
  }

  /// OSC.
  mutating func runCommand(terminator: [UInt8]) {
    let command = parser.command
    let end = command.firstIndex(of: 0x3B) ?? command.count
    let body = command.dropFirst(end + 1)
    switch String(decoding: command[..<end], as: UTF8.self) {
    case "0", "2": title = String(decoding: body, as: UTF8.self)
    case "8": if family.hasLinks { setLink(body) }
    case "11":
      if body.elementsEqual([0x3F]), let color = family.answers.background {
        answers += "\u{1B}]11;\(color)".utf8 + terminator
      }
    case "133": setMark(body)
    default: break
    }
  }

  private mutating func setLink(_ body: ArraySlice<UInt8>) {
    let address = body.drop { $0 != 0x3B }.dropFirst()
    guard !address.isEmpty else {
      link = 0
      return
    }
    let text = String(decoding: address, as: UTF8.self)
    link = links[text] ?? UInt16(clamping: links.count + 1)
    links[text] = link
  }

  private mutating func setMark(_ body: ArraySlice<UInt8>) {
    let text = String(decoding: body, as: UTF8.self)
    let words = text.split(separator: ";")
    if words.contains("redraw=0") { redrawsPrompt = false }
    if words.contains("redraw=1") { redrawsPrompt = true }
    let isOutput = words.first == "C" || words.contains("k=s")
    if words.first == "A", !isOutput, family.marks.prompt {
      screen.rows[position.row].mark = UInt8(ascii: "A")
    } else if isOutput, family.marks.output {
      screen.rows[position.row].mark = UInt8(ascii: "C")
    }
  }
}
