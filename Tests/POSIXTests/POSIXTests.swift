import POSIX
import Testing

@Suite struct SubprocessTests {
  @Test func passesInputAndTellsOutputErrorsAndStatus() throws {
    let result = try Subprocess.run("sh", ["-c", "cat; echo oops >&2; exit 3"], input: Array("hello".utf8))
    #expect(result.outputText == "hello")
    #expect(result.errorText == "oops\n")
    #expect(result.status == 3)
  }

  @Test func anInputLargerThanAPipeArrivesWhole() throws {
    let input = [UInt8](repeating: 120, count: 1_000_000)
    #expect(try Subprocess.run("wc", ["-c"], input: input).outputText == "1000000\n")
  }

  @Test func aProgramThatHangsIsKilled() {
    #expect(throws: SystemError.self) {
      try Subprocess.run("tail", ["-f", "/dev/null"], timeout: .milliseconds(50))
    }
  }

  @Test func aMissingProgramIsAnError() {
    let error = #expect(throws: SystemError.self) { try Subprocess.run("no-such-program-here", []) }
    #expect(error?.description == "cannot run no-such-program-here: No such file or directory")
  }
}

@Suite struct ClockTests {
  @Test func wallTimeIsRFC3339() {
    #expect(WallTime(milliseconds: 1_763_672_645_007).rfc3339 == "2025-11-20T21:04:05.007Z")
  }
}
