extension TerminalFamily {
  /// foot 1.13.1.
  package static let foot = {
    var family = TerminalFamily(
      name: "foot", resizing: .foot,
      answers: AnswerRules(
        version: "foot(1.13.1)", primary: "?62;4;22", secondary: ">1;011301;0", size: .rowsFirst, reportsModes: true,
        synchronizedMode: 2))
    family.alternateResizing = .footAlternate
    family.erasing = EraseRules(
      lineEnd: .last, displayEnd: .last, start: .last, all: .last, characters: .last, lines: .column1)
    family.pending.backspaceMoves = false
    family.pending.isSaved = true
    family.pending.isSavedByAlternateScreen = true
    family.pending.survivesAutowrapChange = false
    family.wrapEnders = [.printing, .lineFeed]
    family.widths.newEmoji = 0
    family.keepsLeftHalf = true
    family.marks = MarkRules(prompt: true, erasureSparesLastRow: true)
    family.scrolling = ScrollRules(savesFromAnyRow: true, deletionSaves: true, reverseScrollTakesHistory: true)
    // While its edge is dragged. The kernel learns the size with the signal.
    family.arrival = ArrivalRules(
      waitingBytesSeeNewSize: false, sizeBeforeAnswer: false, sizeAfterAnswer: .max, signalDelay: 100)
    return family
  }()

  /// Konsole 22.12.3.
  package static let konsole = {
    var family = TerminalFamily(
      name: "konsole", resizing: .konsole,
      answers: AnswerRules(version: "Konsole 22.12.3", primary: "?62;1;4", secondary: ">1;115;0"))
    family.erasing = EraseRules(lineEnd: .kept, displayEnd: .kept, characters: .kept, lines: .hole)
    family.pending.columnPosition = .kept
    family.pending.rowPosition = .kept
    family.pending.lineFeed = .kept
    family.wrapEnders = [.eraseLineEnd, .eraseLineStart, .eraseLine, .eraseCharacters]
    family.widths = WidthRules(
      modifiersJoin: true, flagsPair: true, joinsAfterJoiner: true, loneJamo: 2, newEmoji: 2, hexagrams: 1)
    family.keepsLeftHalf = true
    family.arrival = ArrivalRules(waitingBytesSeeNewSize: false, sizeBeforeAnswer: false, sizeAfterAnswer: 8)
    return family
  }()

  /// mlterm 3.9.0.
  package static let mlterm = {
    var family = TerminalFamily(
      name: "mlterm", resizing: .mlterm,
      answers: AnswerRules(version: nil, primary: "?63;1;2;3;4;6;7;15;18;22;29", secondary: ">24;279;0"))
    family.erasing = EraseRules(
      lineEnd: .last, displayEnd: .last, start: .last, all: .last, characters: .last, lines: .last)
    family.pending.tab = .nextRow
    family.pending.withoutAutowrap = .isDropped
    family.pending.joinerJoins = false
    family.wrapEnders = [.eraseLineEnd, .eraseLine]
    family.widths = WidthRules(joiner: 1, spacingMarks: 0, zeroWidthSpaces: 1, hexagrams: 1)
    family.controls = [.nextLineIsPrinted]
    family.scrolling.savesFromAnyRow = true
    return family
  }()

  /// tmux 3.3a, a pane.
  package static let tmux = {
    var family = TerminalFamily(
      name: "tmux", resizing: .tmux,
      answers: AnswerRules(
        version: "tmux 3.3a", primary: "?1;2", secondary: ">84;0;0", size: .columnsFirst, background: nil))
    family.erasing = EraseRules(lineEnd: .kept, displayEnd: .kept, characters: .kept, lines: .hole)
    family.pending.rowPosition = .kept
    family.pending.lineFeed = .kept
    family.pending.backspaceMoves = false
    family.pending.withoutAutowrap = .isDropped
    family.pending.isSetWithoutAutowrap = false
    family.pending.report = .beyond
    family.wrapEnders = [.eraseLine, .eraseFromFirstColumn]
    family.widths = WidthRules(joinsAfterJoiner: true, newEmoji: 0)
    family.repetition = .staysInRow
    family.erasedCellsCount = true
    family.erasedColorsCount = false
    family.hasLinks = false
    family.scrolling = ScrollRules(savesFromAnyRow: true, erasure: .used, eraseBelowFromHomeIsErasure: true)
    family.arrival = ArrivalRules(waitingBytesSeeNewSize: false, answersWhileStopped: true)
    return family
  }()

  /// GNU screen 4.9.0, a window.
  package static let screen = {
    var family = TerminalFamily(
      name: "screen", resizing: .screen,
      answers: AnswerRules(version: nil, primary: "?1;2", secondary: ">83;40900;0", background: nil))
    family.pending.rowPosition = .kept
    family.pending.forward = .nextRow
    family.pending.vertical = .kept
    family.pending.lineFeed = .kept
    family.pending.tab = .nextRow
    family.pending.backspaceMoves = false
    family.pending.isSaved = true
    family.pending.isSavedByAlternateScreen = true
    family.pending.withoutAutowrap = .wraps
    family.pending.report = .beyond
    family.wrapEnders = [.eraseLineEnd, .eraseLine]
    family.controls = [.nextLine]
    family.erasesWithBackground = false
    family.hasLinks = false
    family.arrival = ArrivalRules(waitingBytesSeeNewSize: false, answersWhileStopped: true)
    return family
  }()
}
