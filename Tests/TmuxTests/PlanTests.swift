import OverlineTestThread
import Testing
@testable import OverlineCore

@Suite(.ownThread) struct PlanTests {
  private static let defaults = [0: "windows", 1: "panes"]

  @Test(arguments: [
    ("off", "on", 0), ("on", "2", 1), ("2", "3", 2), ("3", "4", 3), ("4", "5", 4), ("5", "5", 4),
  ])
  func aLineIsAddedOrTheLastOfFiveBorrowed(status: String, reserved: String, line: Int) {
    var state = ServerState()
    state.global = StatusOptions(status: status, format: Self.defaults)
    let result = state.reserved([.banner])
    #expect(result.global.status == reserved)
    #expect(result.global.format?[line] == StatusLine.banner.format)
    #expect(result.undoing(state.saving(result)) == state)
  }

  @Test(arguments: [
    ("off", "2", 0), ("on", "3", 1), ("2", "4", 2), ("3", "5", 3), ("4", "5", 3), ("5", "5", 3),
  ])
  func twoLinesAreAddedOrTheLastOfFiveBorrowed(status: String, reserved: String, line: Int) {
    var state = ServerState()
    state.global = StatusOptions(status: status, format: Self.defaults)
    let result = state.reserved([.toast, .banner])
    #expect(result.global.status == reserved)
    #expect(result.global.format?[line] == StatusLine.toast.format)
    #expect(result.global.format?[line + 1] == StatusLine.banner.format)
    #expect(result.ownLineCount == 2)
    #expect(result.undoing(state.saving(result)) == state)
  }

  @Test func anEntryThatWasListedIsSetBackAndOneThatWasNotIsRemoved() {
    var state = ServerState()
    state.global = StatusOptions(status: "on", format: Self.defaults)
    #expect(
      state.reserved([.banner]).commands(to: state) == [
        ["set-option", "-g", "status-format[1]", "panes"], ["set-option", "-g", "status", "on"],
      ])
    state.global.status = "2"
    #expect(
      state.reserved([.banner]).commands(to: state) == [
        ["set-option", "-u", "-g", "status-format[2]"], ["set-option", "-g", "status", "2"],
      ])
  }

  @Test func aSessionWithLinesOfItsOwnNumberGetsACopyAndLosesItAsAWhole() {
    var state = ServerState()
    state.global = StatusOptions(status: "on", format: Self.defaults)
    state.sessions["$3"] = StatusOptions(status: "3", format: nil)
    let reserved = state.reserved([.banner])
    #expect(reserved.sessions["$3"]?.status == "4")
    #expect(reserved.sessions["$3"]?.format == [0: "windows", 1: "panes", 3: StatusLine.banner.format])
    #expect(
      reserved.commands(to: state).suffix(2) == [
        ["set-option", "-u", "-t", "$3:", "status-format"], ["set-option", "-t", "$3:", "status", "3"],
      ])
  }

  @Test func aSessionThatSharesTheServersLineNeedsNoCopy() {
    var state = ServerState()
    state.global = StatusOptions(status: "on", format: Self.defaults)
    state.sessions = ["$1": StatusOptions(status: "on", format: nil), "$2": StatusOptions(status: nil, format: nil)]
    let reserved = state.reserved([.banner])
    #expect(reserved.sessions["$1"] == StatusOptions(status: "2", format: nil))
    #expect(reserved.sessions["$2"] == StatusOptions(status: nil, format: nil))
  }

  @Test func whatAPersonChangedStays() {
    var state = ServerState()
    state.global = StatusOptions(status: "on", format: Self.defaults)
    let saved = state.saving(state.reserved([.banner]))
    var changed = state.reserved([.banner])
    changed.global.status = "off"
    changed.global.format?[0] = "new"
    let undone = changed.undoing(saved)
    #expect(undone.global == StatusOptions(status: "off", format: [0: "new", 1: "panes"]))
    changed.global.format?[1] = "mine"
    #expect(changed.undoing(saved).global.format == [0: "new", 1: "mine"])
  }

  /// The session has what tmux would have made of the user's change without our copy of the server's array.
  @Test func ofASessionsCopyOnlyTheUsersChangeStays() {
    var state = ServerState()
    state.global = StatusOptions(status: "4", format: Self.defaults)
    state.sessions["$3"] = StatusOptions(status: "on", format: nil)
    let saved = state.saving(state.reserved([.banner]))
    var changed = state.reserved([.banner])
    changed.sessions["$3"]?.format?[0] = "new"
    #expect(changed.undoing(saved).sessions["$3"] == StatusOptions(status: "on", format: [0: "new"]))
    // The user has removed our line.
    changed = state.reserved([.banner])
    changed.sessions["$3"]?.format?[1] = nil
    #expect(changed.undoing(saved).sessions["$3"] == StatusOptions(status: "on", format: nil))
  }

  @Test func aLineOfOursIsNeverSavedAsTheUsers() {
    var state = ServerState()
    state.global = StatusOptions(
      status: "2", format: [0: "windows", 1: "#[bg=red]#{OVERLINE_LINE} of a version before"])
    let original = state.undoing(nil)
    #expect(original.global.format == [0: "windows"])
    #expect(!original.saving(original.reserved([.banner])).encodedText.contains("a version before"))
  }

  /// Any mixture of sessions is restored exactly.
  @Test func reservingAndUndoingChangesNothing() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var state = ServerState()
      state.global = Self.options(using: &random, inherits: false)
      for id in 0..<4 { state.sessions["$\(id)"] = Self.options(using: &random, inherits: true) }
      var current = state
      var saved: SavedState?
      for _ in 0..<4 {
        let added: [StatusLine] = [[.banner], [.toast], [.toast, .banner]].randomElement(using: &random)!
        let original = current.undoing(saved)
        #expect(original == state)
        current = original.reserved(added)
        saved = original.saving(current)
        #expect(SavedState(encoded: saved!.encoded) == saved)
        for session in current.sessions.values {
          let lines = StatusOptions.lines(session.status ?? current.global.status!)
          let format = session.format ?? current.global.format!
          // Its last lines are ours, and no other line is.
          #expect((0..<lines).suffix(added.count).map { format[$0] } == added.map(\.format))
          #expect(format.filter { $0.key < lines && StatusLine.isOurs($0.value) }.count == added.count)
        }
      }
      #expect(current.undoing(saved) == state)
    }
  }

  private static func options(using random: inout SystemRandomNumberGenerator, inherits: Bool) -> StatusOptions {
    var options = StatusOptions(status: StatusOptions.status(lines: .random(in: 0...5, using: &random)), format: [:])
    for index in 0...4 where Bool.random(using: &random) { options.format?[index] = "#{x}\n'\(index)" }
    if inherits, Bool.random(using: &random) { options.status = nil }
    if inherits, Bool.random(using: &random) { options.format = nil }
    return options
  }
}

extension SavedState {
  fileprivate var encodedText: String { String(decoding: Base64.decode(encoded)!, as: UTF8.self) }
}

@Suite(.ownThread) struct SavedStateTests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
  ])
  func base64IsThatOfRFC4648(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(text.utf8))
  }

  @Test(arguments: ["", "x", "Zg=", "Zg==Zg==", "!!!!", "Zm9v", Base64.encode(Array("1:1=9;".utf8))])
  func stateInAnotherFormIsIgnored(text: String) {
    #expect(SavedState(encoded: text) == nil)
  }

  @Test func truncatedStateIsIgnored() {
    let saved = SavedState(
      global: StatusChange(original: StatusOptions(), reserved: StatusOptions(status: "2", format: [:])))
    let whole = Base64.decode(saved.encoded)!
    for length in 0..<whole.count {
      #expect(SavedState(encoded: Base64.encode(Array(whole.prefix(length)))) == nil)
    }
  }
}

@Suite(.ownThread) struct WindowLayoutTests {
  @Test func theFirstPaneThatCanGivesUpTheRow() {
    let before = WindowLayout("0000,80x23,0,0[80x1,0,0,0,80x10,0,2,1,80x10,0,13,2]")
    let after = WindowLayout("0000,80x22,0,0[80x1,0,0,0,80x9,0,2,1,80x10,0,12,2]")
    #expect(before?.withoutRows(1, border: "off") == after)
  }

  @Test func panesSideBySideEachGiveUpTheRow() {
    let before = WindowLayout("0000,80x23,0,0{40x23,0,0,0,39x23,41,0[39x11,41,0,1,39x11,41,12,2]}")
    let after = WindowLayout("0000,80x22,0,0{40x22,0,0,0,39x22,41,0[39x10,41,0,1,39x11,41,11,2]}")
    #expect(before?.withoutRows(1, border: "off") == after)
  }

  @Test func twoRowsAtOnceComeFromTwoPanes() {
    let before = WindowLayout("0000,80x23,0,0[80x10,0,0,0,80x1,0,11,1,80x10,0,13,2]")
    let after = WindowLayout("0000,80x21,0,0[80x9,0,0,0,80x1,0,10,1,80x9,0,12,2]")
    let oneByOne = WindowLayout("0000,80x21,0,0[80x8,0,0,0,80x1,0,9,1,80x10,0,11,2]")
    #expect(before?.withoutRows(2, border: "off") == after)
    #expect(before?.squeezed(border: "off").contains(oneByOne!) == true)
    #expect(before?.squeezed(border: "off").contains(after!) == true)
  }

  @Test func aTitlesBorderKeepsItsRow() {
    let before = WindowLayout("0000,80x7,0,0[80x2,0,0,0,80x4,0,3,1]")
    #expect(
      before?.withoutRows(2, border: "top") == WindowLayout("0000,80x5,0,0[80x2,0,0,0,80x2,0,3,1]"))
    #expect(
      before?.withoutRows(2, border: "bottom") == WindowLayout("0000,80x5,0,0[80x1,0,0,0,80x3,0,2,1]"))
  }

  @Test func whatCannotShrinkStays() {
    let full = WindowLayout("0000,80x3,0,0[80x1,0,0,0,80x1,0,2,1]")
    #expect(full?.withoutRows(1, border: "off") == full)
  }

  @Test(arguments: ["", "x", "0000,", "0000,80x23,0,0", "0000,80x23,0,0[80x1,0,0,0", "0000,80x23,0,0,0,1"])
  func nonsenseIsNoLayout(text: String) {
    #expect(WindowLayout(text) == nil)
  }
}
