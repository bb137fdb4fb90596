@testable import Overline
import OverlineSystem
import OverlineTestThread
import Testing

/// Collects the commands of a stream.
private struct Commands: VTHandler {
  var commands: [TerminalCommand] = []
  var escapes: [EscapeCommand] = []
  var controls: [ControlCharacter] = []
  /// The modes of DECSET and DECRST.
  var modes: [PrivateMode] = []

  init(_ text: String) {
    var parser = VTParser()
    _ = parser.parse(Array(text.utf8).span, &self)
  }

  mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>) {}

  mutating func control(_ byte: UInt8, _ range: Range<Int>) { controls.append(ControlCharacter(byte)) }

  mutating func escape(_ intermediate: UInt8, _ final: UInt8, _ range: Range<Int>) {
    escapes.append(EscapeCommand(intermediate, final))
  }

  mutating func controlSequence(_ sequence: borrowing ControlSequence, _ range: Range<Int>) {
    commands.append(sequence.command)
    guard [.setPrivateMode, .resetPrivateMode].contains(sequence.command) else { return }
    for index in 0..<sequence.count { if let mode = PrivateMode(number: sequence[index]) { modes.append(mode) } }
  }

  mutating func string(
    _ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>, isStart: Bool, isEnd: Bool
  ) {}
}

@Suite(.ownThread) struct TerminalCommandTests {
  private static let sequences: [(String, TerminalCommand)] = [
    ("A", .cursorUp(1)), ("0A", .cursorUp(1)), ("7A", .cursorUp(7)), ("2B", .cursorDown(2)), ("3C", .cursorForward(3)),
    ("4D", .cursorBackward(4)), ("5E", .cursorNextLine(5)), ("6F", .cursorPrecedingLine(6)),
    ("7G", .cursorCharacterAbsolute(7)), ("H", .cursorPosition(row: 1, column: 1)),
    ("5;9H", .cursorPosition(row: 5, column: 9)), (";9H", .cursorPosition(row: 1, column: 9)),
    ("99999;0H", .cursorPosition(row: 65535, column: 1)),
    ("3;4f", .horizontalAndVerticalPosition(row: 3, column: 4)), ("8`", .characterPositionAbsolute(8)),
    ("9a", .characterPositionForward(9)), ("2d", .linePositionAbsolute(2)), ("3e", .linePositionForward(3)),
    ("u", .restoreCursor), ("2I", .cursorForwardTabulation(2)), ("3Z", .cursorBackwardTabulation(3)),
    ("W", .cursorTabulationControl(0)), ("2W", .cursorTabulationControl(2)), ("3g", .tabulationClear(3)),
    ("?5W", .setTabStopEveryEightColumns), ("J", .eraseInDisplay(.fromCursor)), ("1J", .eraseInDisplay(.toCursor)),
    ("2J", .eraseInDisplay(.all)), ("3J", .eraseInDisplay(.scrollback)), ("4J", .eraseInDisplay(.unknown)),
    ("?1J", .selectiveEraseInDisplay(.toCursor)), ("2K", .eraseInLine(.all)),
    ("?K", .selectiveEraseInLine(.fromCursor)),
    ("4X", .eraseCharacter(4)), ("2@", .insertCharacter(2)), ("3P", .deleteCharacter(3)), ("4L", .insertLine(4)),
    ("5M", .deleteLine(5)), ("2'}", .insertColumn(2)), ("3'~", .deleteColumn(3)), ("4S", .scrollUp(4)),
    ("T", .scrollDown(1)), ("5T", .scrollDown(5)), ("1;2;3;4;5T", .initiateHighlightTracking),
    ("6^", .misprintedScrollDown(6)), ("2 @", .scrollLeft(2)), ("3 A", .scrollRight(3)), ("4b", .repeatCharacter(4)),
    ("m", .selectGraphicRendition), ("1;38:2::1:2:3m", .selectGraphicRendition),
    ("\"q", .selectCharacterProtection(isProtected: false)), ("1\"q", .selectCharacterProtection(isProtected: true)),
    ("1;1;2;2;7$r", .changeAttributesInRectangle), ("1;1;2;2;7$t", .reverseAttributesInRectangle),
    ("*x", .selectAttributeChangeExtent(isRectangle: false)), ("2*x", .selectAttributeChangeExtent(isRectangle: true)),
    ("1;1;2;2;1;3;3;1$v", .copyRectangle), ("88;1;1;2;2$x", .fillRectangle), ("$z", .eraseRectangle),
    ("${", .selectiveEraseRectangle), ("1;1;1;1;2;2*y", .requestChecksumOfRectangle), ("4h", .setMode),
    ("4l", .resetMode), ("?6;1049h", .setPrivateMode), ("?25l", .resetPrivateMode), ("?6s", .savePrivateMode),
    ("?6r", .restorePrivateMode), ("r", .setTopAndBottomMargins(top: 1, bottom: 0)),
    ("2;5r", .setTopAndBottomMargins(top: 2, bottom: 5)),
    ("s", .setLeftAndRightMarginsOrSaveCursor(left: 1, right: 0)),
    ("2;9s", .setLeftAndRightMarginsOrSaveCursor(left: 2, right: 9)), ("!p", .softReset),
    ("61\"p", .setConformanceLevel), ("!x", .otherReset), ("\"v", .otherReset), ("8;24;80t", .manipulateWindow),
    ("*|", .selectNumberOfLines(nil)), ("30*|", .selectNumberOfLines(30)), ("6n", .requestCursorPosition),
    ("?6n", .requestExtendedCursorPosition), ("c", .requestDeviceAttributes), ("0c", .requestDeviceAttributes),
    ("q", .unknown),
  ]

  @Test func controlSequencesAreDecoded() {
    for (sequence, command) in Self.sequences {
      #expect(Commands("\u{1b}[" + sequence).commands == [command], "CSI \(sequence)")
    }
  }

  @Test(arguments: [
    "q", "N", "?A", "?u", "?2W", "?5n", "5n", "1c", ">c", "=c", ">4;2m", "<1u", ">u", "?1$p", "4$p", "2 q", "$q", "*z",
    "'|", " B", "#{", "?!p", ">1J", "!!p", "$!r", "1?2h",
  ])
  func othersAreUnknown(sequence: String) {
    #expect(Commands("\u{1b}[" + sequence).commands == [.unknown])
  }

  /// A case that no sequence stands for would be dead, and one that the table lacks is not tested.
  @Test(arguments: ["TerminalCommand", "EscapeCommand", "ControlCharacter"])
  func everyCaseIsProduced(file: String) throws {
    let produced = Set(try #require(Self.produced[file]).map(Self.name))
    let root = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
    let source = String(
      decoding: try Files.read(root + "/Sources/Overline/Terminal/Parser/\(file).swift"), as: UTF8.self)
    let lines = source.split(separator: "\n").drop { !$0.hasPrefix("package enum") }.prefix { $0 != "}" }
    let cases = lines.filter { $0.hasPrefix("  case ") }.map { Self.name(String($0.dropFirst(7))) }
    #expect(cases.count > 5)
    #expect(produced.symmetricDifference(cases).sorted() == [])
  }

  @Test(arguments: PrivateMode.allCases) func eachModeIsProduced(_ mode: PrivateMode) {
    #expect(Commands("\u{1b}[?\(mode.rawValue)h\u{1b}[?\(mode.rawValue)l").modes == [mode, mode])
  }

  /// The compiler asks for the facts of a new mode, and not for its effect.
  @Test(arguments: PrivateMode.allCases) func eachModeHasAnEffect(_ mode: PrivateMode) {
    func state(_ letters: String...) -> [String] {
      var screen = Screen(rows: 4, columns: 20)
      screen.write(Array("\u{1b}[H\u{1b}[2Jx\u{1b}[?40h".utf8))
      for letter in letters { screen.write(Array("\u{1b}[?\(mode.rawValue)\(letter)".utf8)) }
      let cursor = screen.savedCursor.map { "\($0.cursor)" } ?? ""
      return ["\(screen.modes)", "\(screen.isAlternate)", cursor, screen.cell(row: 0, column: 0).text]
    }
    // DECCOLM erases the screen, set or reset.
    if mode == .column { return #expect(state("h").last != "x") }
    #expect(state("h") != state("l"))
    // XTSAVE and XTRESTORE. Nothing is to save of a saved cursor.
    if mode != .savedCursor { #expect(state("h", "s", "l", "r") == state("h")) }
  }

  /// Random programs compare the screen with libvterm's (`ReferenceTests`), and a window with a bare terminal (`EquivalenceTests`, and the
  /// cases of `HazardTests`). Without them nothing notices a wrong effect. These are in none: libvterm lacks them, or the terminal answers
  /// them. A new one here needs a test of its own.
  private static let uncompared: Set = [
    "changeAttributesInRectangle", "copyRectangle", "cursorTabulationControl", "eraseRectangle", "fillRectangle",
    "initiateHighlightTracking", "manipulateWindow", "misprintedScrollDown", "otherReset", "repeatCharacter",
    "requestChecksumOfRectangle", "requestCursorPosition", "requestDeviceAttributes", "requestExtendedCursorPosition",
    "restoreCursor", "restorePrivateMode", "reverseAttributesInRectangle", "savePrivateMode", "scrollLeft",
    "scrollRight",
    "selectAttributeChangeExtent", "selectNumberOfLines", "selectiveEraseRectangle", "setConformanceLevel",
    "setTabStopEveryEightColumns", "softReset", "unknown",
  ]
  /// These address no row, so `ReferenceTests` alone compares them.
  private static let comparedOnTheScreen: Set = [
    "cursorBackwardTabulation", "cursorForwardTabulation", "deleteColumn", "insertColumn", "selectCharacterProtection",
    "selectiveEraseInDisplay", "selectiveEraseInLine", "tabulationClear",
  ]
  /// Escape sequences and modes in none of them, only in those of screens, and only in those of windows.
  private static let uncomparedOthers: Set = [
    "ESC backIndex", "ESC endOfGuardedArea", "ESC forwardIndex", "ESC lineAttributes", "ESC lockingShift",
    "ESC requestIdentification", "ESC sendControls", "ESC singleShift", "ESC startOfGuardedArea", "ESC unknown",
    "mode allowsColumn", "mode alternateScreen",
    "mode anyEventMouse", "mode column", "mode extendedReverseWrap", "mode inBandResize", "mode keepsScreen",
    "mode reverseWrap",
    "mode savedCursor", "mode sgrMouse", "mode sgrPixelMouse", "mode tabWraps", "mode urxvtMouse", "mode utf8Mouse",
    "mode x10Mouse",
  ]
  private static let othersOnTheScreen: Set = [
    "ESC characterTabulationSet", "mode bracketedPaste", "mode buttonEventMouse", "mode normalMouse",
    "mode textCursor",
  ]
  private static let othersInWindows: Set = [
    "mode alternateScreenAndCursor", "mode synchronizedOutput",
  ]

  @Test("each command, escape sequence and mode is in the random programs, or in a list above")
  func everyCommandIsCompared() {
    func commands(_ text: String) -> Set<String> {
      let found = Commands(text)
      let commands = Set(found.commands.map { Self.name("\($0)") })
      return commands.union(found.escapes.map { "ESC " + Self.name("\($0)") }).union(found.modes.map { "mode \($0)" })
    }
    var ofScreens: Set<String> = []
    var ofWindows = HazardTests.cases.reduce(into: Set()) { $0.formUnion(commands($1.stream)) }
    for seed in 1...100 {
      var output = RandomOutput(seed: UInt64(seed), rows: 7, columns: 20)
      for _ in 0..<100 { ofScreens.formUnion(commands(output.next())) }
      var stream = ProgramStream(seed: UInt64(seed), rows: 10, columns: 30)
      for item in stream.items(100) { ofWindows.formUnion(commands(String(decoding: item, as: UTF8.self))) }
    }
    let all = Set(Self.sequences.map { Self.name("\($0.1)") })
      .union(Self.escapes.map { "ESC " + Self.name("\($0.1)") }).union(PrivateMode.allCases.map { "mode \($0)" })
    let uncompared = Self.uncompared.union(Self.uncomparedOthers)
    let onScreens = Self.comparedOnTheScreen.union(Self.othersOnTheScreen)
    #expect(
      all.subtracting(ofScreens).symmetricDifference(uncompared.union(Self.othersInWindows)).sorted() == [],
      "add it to Tests/TerminalTests/Screen/RandomOutput.swift")
    #expect(
      all.subtracting(ofWindows).symmetricDifference(uncompared.union(onScreens)).sorted() == [],
      "add it to Tests/TerminalTests/Output/Streams.swift, or a case to HazardTests")
  }

  private static let produced = [
    "TerminalCommand": sequences.map { "\($0.1)" }, "EscapeCommand": escapes.map { "\($0.1)" },
    "ControlCharacter": controls.map { "\($0.1)" },
  ]

  private static func name(_ description: String) -> String {
    String(description.prefix { $0.isLetter || $0.isNumber })
  }

  private static let escapes: [(String, EscapeCommand)] = [
    ("D", .index), ("E", .nextLine), ("M", .reverseIndex), ("6", .backIndex), ("9", .forwardIndex),
    ("7", .saveCursor), ("8", .restoreCursor), ("H", .characterTabulationSet), ("V", .startOfGuardedArea),
    ("W", .endOfGuardedArea), ("N", .singleShift(2)), ("O", .singleShift(3)), ("n", .lockingShift(2)),
    ("o", .lockingShift(3)), ("(0", .selectCharacterSet(0, .graphics)), (")A", .selectCharacterSet(1, .british)),
    ("*B", .selectCharacterSet(2, .ascii)), ("+0", .selectCharacterSet(3, .graphics)),
    ("-0", .selectCharacterSet(1, .ascii)), (".0", .selectCharacterSet(2, .ascii)),
    ("/0", .selectCharacterSet(3, .ascii)), ("#3", .lineAttributes), ("#6", .lineAttributes),
    ("#8", .screenAlignmentPattern), ("c", .resetToInitialState), ("Z", .requestIdentification),
    (" F", .sendControls(isEightBit: false)), (" G", .sendControls(isEightBit: true)),
    ("=", .unknown), ("l", .unknown), ("%G", .unknown), ("#7", .unknown), (" L", .unknown), ("((0", .unknown),
  ]

  @Test func escapeSequencesAreDecoded() {
    for (sequence, command) in Self.escapes {
      #expect(Commands("\u{1b}" + sequence).escapes == [command], "ESC \(sequence)")
    }
  }

  private static let controls: [(String, ControlCharacter)] = [
    ("\u{8}", .backspace), ("\t", .characterTabulation), ("\n", .lineFeed), ("\u{b}", .lineTabulation),
    ("\u{c}", .formFeed), ("\r", .carriageReturn), ("\u{e}", .shiftOut), ("\u{f}", .shiftIn), ("\u{7}", .unknown),
    ("\0", .unknown), ("\u{7f}", .unknown),
  ]

  @Test func controlCharactersAreDecoded() {
    for (character, command) in Self.controls {
      #expect(Commands(character).controls == [command], "\(character.utf8.first!)")
    }
  }

  /// The skimmer finds the usual final bytes without decoding: they must be those of commands that it leaves out.
  @Test func finalBytesThatAreNotDecodedAreLeftOut() {
    let finals = (0x40...0x7e).map { UInt8($0) }
    let block = ByteBlock(finals.span, at: 0)
    for (place, final) in finals.enumerated() {
      let command = ControlSequence(final: final).command
      let bit: UInt64 = 1 << UInt64(place)
      if block.motion & bit != 0 { #expect(command.traits.isSkimmed, "CSI \(UnicodeScalar(final))") }
      #expect((block.rendition & bit != 0) == (command == .selectGraphicRendition), "CSI \(UnicodeScalar(final))")
    }
  }
}
