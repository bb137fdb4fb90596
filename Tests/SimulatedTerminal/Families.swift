// What the real terminals do with a pending wrap, columns, marks and questions was measured; what they do at a new size is from their sources.

extension TerminalFamily {
  package static let all = [xterm, urxvt, st, kitty, vte, alacritty, foot, konsole, mlterm, tmux, screen]

  /// xterm 379.
  package static let xterm = {
    var family = TerminalFamily(
      name: "xterm", resizing: .xterm,
      answers: AnswerRules(
        version: "XTerm(379)", primary: "?64;1;2;6;9;15;16;17;18;21;22;28", secondary: ">41;379;0",
        reportsPrivateCursor: true, reportsModes: true))
    family.alternateResizing = .xterm
    family.erasing = EraseRules(
      lineEnd: .last, displayEnd: .last, start: .last, all: .last, characters: .last, lines: .column1)
    family.pending.isSaved = true
    family.pending.isSavedByAlternateScreen = true
    family.wrapEnders = [.eraseLineEnd, .eraseCharacters, .shiftCharacters]
    return family
  }()

  /// urxvt 9.30.
  package static let urxvt = {
    var family = TerminalFamily(
      name: "urxvt", resizing: .urxvt,
      answers: AnswerRules(version: nil, primary: "?1;2", secondary: ">85;95;0", size: .rowsFirst))
    family.alternateResizing = .cutAtTop
    family.erasedColorsCount = false
    family.erasing.characters = .nextRow
    family.erasing.lines = .nextRow
    family.pending.backspaceMoves = false
    family.pending.survivesAutowrapChange = false
    family.pending.isSetWithoutAutowrap = false
    family.pending.marksJoin = false
    family.pending.joinerJoins = false
    family.wrapEnders = [.eraseLineEnd, .eraseLineStart, .eraseLine, .eraseCharacters, .shiftCharacters]
    family.widths.deleteIsPrinted = true
    family.repetition = nil
    family.scrolling.erasesHistory = false
    return family
  }()

  /// st 0.9, without a scrollback.
  package static let st = {
    var family = TerminalFamily(
      name: "st", resizing: .st, answers: AnswerRules(version: nil, primary: "?6", secondary: nil))
    family.alternateResizing = .st
    family.pending.marksJoin = false
    family.pending.joinerJoins = false
    family.wrapEnders = [.lastCell]
    family.controls = [.nextLine]
    family.arrival = ArrivalRules(waitingBytesSeeNewSize: false)
    return family
  }()

  /// kitty 0.26.5.
  package static let kitty = {
    var family = TerminalFamily(
      name: "kitty", resizing: .kitty,
      answers: AnswerRules(
        version: "kitty(0.26.5)", primary: "?62;", secondary: ">1;4000;26", reportsPrivateCursor: true,
        size: .rowsFirst, reportsModes: true, synchronizedMode: 2))
    family.alternateResizing = .kitty
    family.erasing = EraseRules(lineEnd: .kept, displayEnd: .kept, characters: .kept, lines: .column1)
    family.pending.tab = .cancelled
    family.pending.backspaceMoves = false
    family.pending.report = .nextRow
    family.wrapEnders = [.lineFeed]
    family.widths = WidthRules(
      modifiersJoin: true, flagsPair: true, emojiSelectorWidens: true, textSelectorNarrows: true, spacingMarks: 0,
      jamoParts: 1, loneJamo: 1, softHyphen: 0, newEmoji: 2, hexagrams: 1)
    family.controls = .all
    family.keepsLeftHalf = true
    family.showsMovedGaps = true
    family.marks = MarkRules(prompt: true, output: true, resizeBlanksPrompt: true)
    family.scrolling.historyErasureErasesScreen = true
    family.arrival = ArrivalRules(
      waitingBytesSeeNewSize: false, sizeBeforeAnswer: false, sizeAfterAnswer: 124, signalsPerDrag: 2)
    return family
  }()

  /// VTE 0.70.6.
  package static let vte = {
    var family = TerminalFamily(
      name: "vte", resizing: .vte,
      answers: AnswerRules(
        version: nil, primary: "?65;1;9", secondary: ">65;7006;1", reportsPrivateCursor: true, size: .rowsFirst,
        reportsModes: true, synchronizedMode: 4))
    // VTE 0.70 reads what waits before it handles a size. A program printed while the edges of a real one were dragged: 40 of 40 runs were right,
    // and 32 of 40 when the window lifted its banner before batches that do not fit into one read.
    family.arrival.takesSizeBetweenReads = false
    family.alternateResizing = .vteAlternate
    family.erasing = EraseRules(
      lineEnd: .kept, displayEnd: .last, start: .last, characters: .last, lines: .column1)
    family.wrapEnders = [.eraseLineEnd, .eraseLine, .shiftCharacters, .marginScroll]
    family.widths = WidthRules(newEmoji: 2, hexagrams: 1)
    family.controls = .all
    family.scrolling.erasure = .existing
    family.repetition = .onceBeyondRow
    return family
  }()

  /// Alacritty 0.11.
  package static let alacritty = {
    var family = TerminalFamily(
      name: "alacritty", resizing: .alacritty,
      answers: AnswerRules(version: nil, primary: "?6", secondary: ">0;1700;1", size: .rowsFirst))
    family.alternateResizing = .cut
    family.pending.lineFeed = .kept
    family.pending.tab = .nextRow
    family.pending.isSaved = true
    family.pending.isSavedByAlternateScreen = true
    family.wrapEnders = [.lastCell]
    family.widths = WidthRules(newEmoji: 2, hexagrams: 1)
    family.scrolling = ScrollRules(savesFromAnyRow: true, deletionSaves: true, erasure: .used)
    family.arrival = ArrivalRules(waitingBytesSeeNewSize: false)
    return family
  }()
}
