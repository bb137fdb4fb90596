import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import Testing
import OverlineWindowTestKit

/// Runs a program twice with the same keys: alone in a pane, and in a window in a pane that is higher by the banner's rows.
struct Equivalence {
  let world: WindowWorld
  let alone: TmuxPane
  let window: TmuxPane
  let inset: Int

  /// - Parameters:
  ///   - command: makes the `/bin/sh` command for a world.
  ///   - inset: the banner's rows; 0 while online, without a banner.
  init(
    inset: Int, rows: Int = 24, columns: Int = 80, _ command: (WindowWorld) throws -> String
  ) throws {
    self.inset = inset
    world = try WindowWorld(height: max(1, inset), isOnline: inset == 0)
    let command = try command(world)
    alone = try TmuxPane(command, isInWindow: false, in: world, rows: rows, columns: columns)
    window = try TmuxPane(command, isInWindow: true, in: world, rows: rows + inset, programRows: rows, columns: columns)
    if inset > 0 { try window.wait(for: "No connection") }
  }

  /// Presses keys in both, and waits until both show the same.
  ///
  /// - Parameter text: waits until this text shows. Without it both may be equal only because neither has reacted yet.
  func press(_ keys: String..., until text: String? = nil) throws {
    for key in keys {
      try alone.press([key])
      try window.press([key])
    }
    if let text {
      try alone.wait(for: text)
      try window.wait(for: text)
    }
    try expectTheSame("after \(keys)")
  }

  /// Presses a key when both programs wait for one, and waits until they have drawn and wait for the next one. The picture may be the same
  /// as before.
  ///
  /// - Parameter exception: a text on screens that are not compared.
  func pressForNextKey(_ key: String, except exception: String) throws {
    for pane in [alone, window] {
      let before = try pane.waitForNextKey()
      try pane.press([key])
      try pane.waitForNextKey(after: before)
    }
    if try alone.rows().contains(where: { $0.contains(exception) }) { return }
    try expectTheSame("after another \(key)")
  }

  /// Presses the keys that end the program. The banner disappears with it: the rows below it move to the top.
  func end(_ keys: String..., status: Int = 0) throws {
    for pane in [alone, window] {
      try pane.press(keys)
      try pane.wait(for: "status \(status)")
    }
    var expected = try alone.picture()
    var found = expected
    let isSame = try eventually {
      expected = try alone.picture()
      found = try window.picture()
      // The banner's rows are blank, at the bottom.
      let rest = found.rows.dropFirst(expected.rows.count)
      guard rest.allSatisfy({ $0.text.isEmpty }) else { return false }
      found.rows.removeLast(rest.count)
      return found == expected
    }
    guard !isSame else { return }
    throw TestKitError("not the same at the end, alone and in the window:\n\(expected.difference(from: found))")
  }

  /// Waits until both show the same picture and keep showing it.
  func expectTheSame(_ when: String) throws {
    var looks = 0
    var expected = try alone.picture()
    var found = expected
    let isSame = try eventually {
      let last = expected
      expected = try alone.picture()
      found = try window.picture(below: inset)
      looks = found == expected && expected == last ? looks + 1 : 0
      return looks >= 3
    }
    guard isSame else {
      throw TestKitError(
        "not the same \(when), inset \(inset), alone and in the window:\n\(expected.difference(from: found))")
    }
    if inset > 0 { #expect(try window.rows().prefix(inset).contains { $0.contains("No connection") }, "\(when)") }
  }
}
