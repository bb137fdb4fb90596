import Dispatch
import Glibc
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

@Suite(.ownThread) struct SubprocessTests {
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

  /// The program prints nothing more, and continues.
  @Test func aProgramThatHasClosedItsOutputsIsKilledToo() {
    let error = #expect(throws: SystemError.self) {
      try Subprocess.run("sh", ["-c", "exec sleep 60 >&- 2>&-"], timeout: .milliseconds(50))
    }
    #expect(error?.description == "cannot run sh: Connection timed out")
  }

  @Test func aTimerEndsTheProgramsThatRunAndThoseThatFollow() throws {
    let end = try BootTimer()
    end.arm(BootClock.now + .milliseconds(50))
    for _ in 0..<2 {
      #expect(throws: SystemError.self) { try Subprocess.run("sleep", ["60"], timeout: .seconds(60), until: end) }
    }
  }

  @Test func aProgramThatPrintsForEverIsKilled() {
    let error = #expect(throws: SystemError.self) { try Subprocess.run("yes", [], timeout: .seconds(60)) }
    #expect(error?.description == "cannot run yes: File too large")
  }

  @Test func aMissingProgramIsAnError() {
    let error = #expect(throws: SystemError.self) { try Subprocess.run("no-such-program-here", []) }
    #expect(error?.description == "cannot run no-such-program-here: No such file or directory")
  }
}

@Suite(.ownThread) struct UnixSocketTests {
  /// Files that other threads create meanwhile get their intended modes, and keep them.
  @Test func listeningConcernsNoOtherFile() throws {
    @Sendable func mask() throws -> Substring? {
      String(decoding: try Files.read("/proc/self/status"), as: UTF8.self).split(separator: "\n").first {
        $0.hasPrefix("Umask:")
      }
    }
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let before = try mask()
    let masks = Recorder<Substring?>()
    DispatchQueue.concurrentPerform(iterations: 500) { number in
      let socket = try? UnixSocket.listen(at: "\(folder)/\(number)")
      masks.record(try? mask())
      _ = consume socket
    }
    #expect(Set(masks.values) == [before])
    for number in 0..<500 { #expect(try Files.attributes("\(folder)/\(number)").permissions == 0o600) }
  }
}

@Suite(.ownThread) struct ClockTests {
  @Test func wallTimeIsRFC3339() {
    #expect(WallTime(milliseconds: 1_763_672_645_007).rfc3339 == "2025-11-20T21:04:05.007Z")
    for (milliseconds, text) in [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (951_868_799_999, "2000-02-29T23:59:59.999Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
    ] {
      #expect(WallTime(milliseconds: Int64(milliseconds)).rfc3339 == text)
      #expect(WallTime(rfc3339: text)?.milliseconds == Int64(milliseconds))
    }
    for text in [
      "", "now", "2025-11-20", "2025-11-20T21:04:05Z", "2025-13-20T21:04:05.007Z", "1-2-3-4-5-6-99999999999",
    ] {
      #expect(WallTime(rfc3339: text) == nil, "\(text)")
    }
  }

  /// Infinite durations are allowed: a timer, poll(2) and Dispatch wait as long as they can.
  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min + 1)])
  func anyDurationCanBeWaitedFor(_ duration: Duration) throws {
    #expect(duration.pollTimeout == (duration > .zero ? Int32.max : 0))
    let timer = try BootTimer()
    timer.arm(BootClock.now + duration)
    #expect(try waitUntilReadable(timer.rawValue, timeout: .milliseconds(50)) == (duration < .zero))
    let now = DispatchTime.now()
    #expect(now + max(.zero, duration).dispatchInterval >= now)
  }

  /// A journey to another time zone. In a process of its own, since the zone is process-wide.
  @Test(.ownProcess) func anotherTimeZoneIsTakenOver() throws {
    let noon = WallTime(milliseconds: 1_763_640_000_000)
    setenv("TZ", "UTC0", 1)
    #expect(LocalTime(noon).hour == 12 && noon.timeOfDay == "12:00:00")
    setenv("TZ", "CET-1", 1)
    #expect(LocalTime(noon).hour == 13 && noon.timeOfDay == "13:00:00")
  }
}
