import OverlineCore
import OverlineTestThread
import Testing

/// Which processes a typed key reaches.
@Suite(.ownThread) struct ForegroundProcessesTests {
  private typealias Entry = ForegroundProcesses.Entry

  private static func shell(_ name: String, session: Int32 = 10, foreground: Bool = false) -> Entry {
    Entry(name: name, session: session, hasTerminal: true, isInForeground: foreground)
  }

  private static func names(_ table: [Int32: Entry], _ children: [Int32: [Int32]]) -> Set<String> {
    Set(ForegroundProcesses.members(below: 10, entry: { table[$0] }, children: { children[$0] ?? [] }).map(\.name))
  }

  @Test("a background job reads no keys, and passes none to its own terminal") func jobs() {
    let table: [Int32: Entry] = [
      10: Self.shell("helper"), 11: Self.shell("bash"), 12: Self.shell("ssh", foreground: true),
      13: Self.shell("script"), 14: Self.shell("vi", session: 14, foreground: true),
    ]
    #expect(Self.names(table, [10: [11], 11: [12, 13], 13: [14]]) == ["ssh"])
  }

  @Test("keys pass through a foreground program's own terminal") func nested() {
    let table: [Int32: Entry] = [
      10: Self.shell("helper"), 11: Self.shell("script", foreground: true),
      12: Self.shell("ssh", session: 12, foreground: true),
      13: Entry(name: "agent", session: 13, hasTerminal: false, isInForeground: false),
    ]
    #expect(Self.names(table, [10: [11], 11: [12], 12: [13, 14]]) == ["script", "ssh", "agent"])
  }

  @Test("a table with a circle ends") func circle() {
    let table: [Int32: Entry] = [10: Self.shell("helper"), 11: Self.shell("a", foreground: true)]
    #expect(Self.names(table, [10: [11], 11: [11]]) == ["a"])
    #expect(Self.names([:], [10: [11]]) == [])
  }
}
