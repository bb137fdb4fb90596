import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// What a turn of a window costs in memory. A key and a block of output pass thousands of times.
@Suite(.ownThread) struct AllocationTests {
  /// The largest number of bytes that a turn copies from one place of the window's state to another. Most of the state's types have
  /// kilobytes: see `AddressOnly`.
  private static let maximumOfState = 12 << 10
  /// From the read to the write and to the output that is not drawn yet.
  private static let copiesOfBytes = 2

  @Test(
    "a key, its echo and a block of output allocate nothing, and no turn copies the window's state",
    .disabled(if: Sanitizer.isWatching, "a sanitizer has a malloc and a memcpy of its own"))
  func turns() throws {
    let result = try Subprocess.run(BuiltProgram.path("OverlineMallocProgram"), [])
    #expect(result.status == 0, "\(result.errorText)")
    let lines = result.outputText.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.map { String($0[0]) } == ["key", "echo", "block"])
    for line in lines {
      #expect(line[1] == "0", "\(line[0]) allocates \(line[1]) times")
      let own = line[0] == "block" ? Self.copiesOfBytes * 4000 : 0
      #expect(try #require(Int(line[2])) < own + Self.maximumOfState, "\(line[0]) copies \(line[2]) bytes")
    }
  }
}
