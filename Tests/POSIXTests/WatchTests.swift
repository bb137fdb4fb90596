import Dispatch
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

@Suite(.ownThread) struct ClockStepsTests {
  /// A real step requires setting the machine's clock; the timer's settings can be read instead.
  @Test func isArmedForStepsOfTheWallClockAndForNothingElse() throws {
    let steps = try ClockSteps()
    let text = String(decoding: try Files.read("/proc/self/fdinfo/\(steps.rawValue)"), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.contains("clockid: 0"))
    // TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET
    #expect(lines.contains("settime flags: 03"))
    let left = lines.first { $0.hasPrefix("it_value: (") }.flatMap { Int($0.dropFirst(11).prefix { $0 != "," }) }
    // At least a century: the timer wakes no thread.
    #expect(left ?? 0 > 100 * 365 * 86_400)
    #expect(try !steps.take())
    #expect(try !waitUntilReadable(steps.rawValue, timeout: .zero))
  }

  @Test func aDescriptorThatHasEndedIsAnErrorAndNotAStepForEver() throws {
    let pipe = try Pipe()
    let steps = ClockSteps(descriptor: pipe.takeReading())
    #expect(throws: SystemError.self) { try steps.take() }
  }
}

@Suite(.ownThread) struct ChildWatchTests {
  @Test func aChildThatHasEndedIsReportedToo() throws {
    for command in ["exit 3", "sleep 0.05; exit 3"] {
      let pid = try Subprocess.spawn("sh", ["-c", command], newSession: true, descriptors: [])
      if command == "exit 3" {
        #expect(
          eventually {
            (try? String(decoding: Files.read("/proc/\(pid)/stat"), as: UTF8.self))?.contains(" Z ") == true
          })
      }
      let ended = DispatchSemaphore(value: 0)
      let watch = try ProcessWatch.ofChild(pid, queue: .global()) { ended.signal() }
      #expect(ended.wait(timeout: .now() + .seconds(10)) == .success)
      #expect(Subprocess.wait(for: pid) == 3)
      withExtendedLifetime(watch) {}
    }
  }

  /// A killed program has ended even if its init never reaps it.
  @Test func aZombieHasNoStartTime() throws {
    let pid = try Subprocess.spawn("sleep", ["1000"], newSession: true, descriptors: [])
    #expect(ProcessEnvironment.startTime(of: pid) != nil)
    Signal.kill.send(to: pid)
    #expect(eventually { ProcessEnvironment.startTime(of: pid) == nil })
    #expect(Files.exists("/proc/\(pid)/stat"))
    #expect(Subprocess.wait(for: pid) == 137)
  }

  /// In a process of its own, without free descriptors.
  @Test(.ownProcess) func aChildThatCannotBeWatchedIsNotLeftBehind() throws {
    let pid = try Subprocess.spawn("sleep", ["1000"], newSession: true, descriptors: [])
    ResourceLimits.setDescriptors(0)
    let error = #expect(throws: SystemError.self) {
      try ProcessWatch.ofChild(pid, queue: .global()) { Issue.record("it has not ended") }
    }
    #expect(error?.isExhausted == true)
    // It has been reaped already.
    ResourceLimits.setDescriptors(256)
    #expect(ProcessEnvironment.startTime(of: pid) == nil)
  }
}

/// Each test has a folder of its own.
@Suite(.ownThread) struct FileWatchTests {
  private let folder: String

  init() throws {
    folder = try TemporaryFolder.make()
  }

  private func shell(_ script: String) throws {
    let result = try Subprocess.run("sh", ["-ec", "cd \(folder)\n\(script)"])
    #expect(result.status == 0, "\(result.errorText)")
  }

  private func remove() { TemporaryFolder.remove(folder) }

  private func isReady(_ watch: borrowing FileWatch) throws -> Bool {
    try waitUntilReadable(watch.rawValue, timeout: .zero)
  }

  /// The initial file, the change, and whether the watch reports it.
  @Test(arguments: [
    ("echo 1 >file", "echo 2 >file", true),
    ("echo 1 >file", "echo 2 >>file", true),
    ("echo 1 >file", "echo 2 >new; mv new file", true),
    ("echo 1 >file", "rm file", true),
    ("echo 1 >file", "mv file old", true),
    ("echo 1 >file", "ln -s other new; mv -T new file", true),
    ("mkdir away; echo 1 >away/file; ln -s away/file file", "echo 2 >away/file", true),
    ("mkdir away; echo 1 >away/file; ln -s away/file file", "echo 2 >away/new; mv away/new away/file", true),
    ("mkdir away; echo 1 >away/file; ln -s away/file file", "ln -s other new; mv -T new file", true),
    ("echo 1 >a; ln -s a b; ln -s b file", "ln -sfn c new; mv -T new b", true),
    // A link to a folder in the middle of a path, also below another link.
    (
      "mkdir one two; echo 1 >one/f; echo 2 >two/f; ln -s one now; ln -s now/f file", "ln -s two new; mv -T new now",
      true
    ),
    (
      "mkdir a a/one a/two; echo 1 >a/one/f; echo 2 >a/two/f; ln -s one a/now; ln -s a/now b; ln -s b/../now/f c; ln -s c file",
      "ln -s two a/new; mv -T a/new a/now", true
    ),
    ("mkdir one; echo 1 >one/f; ln -s one now; ln -s now/f file", "rm now", true),
    ("ln -s now/f file; ln -s one now", "mkdir one", true),
    ("mkdir one; echo 1 >one/f; ln -s one now; ln -s now/f file", "echo 2 >one/other; ln -s one other", false),
    ("true", "echo 1 >file", true),
    ("true", "echo 1 >new; mv new file", true),
    ("ln -s away/file file; mkdir away", "echo 1 >away/file", true),
    ("ln -s away/file file", "mkdir away", true),
    // Neither other files' changes nor reading wake the watch.
    ("echo 1 >file", "cat file; stat file", false),
    ("echo 1 >file", "echo 1 >other; rm other; mkdir x; mv x y; touch z", false),
    ("mkdir away; echo 1 >away/file; ln -s away/file file", "echo 1 >away/other; echo 1 >other", false),
    // All programs write to it.
    ("ln -s /dev/null file", "echo 1 >/dev/null", false),
  ])
  func tellsWhatIsBehindTheNameAndNothingElse(_ before: String, _ change: String, _ isTold: Bool) throws {
    defer { remove() }
    try shell(before)
    var watch = try FileWatch()
    try watch.watch(["\(folder)/file"])
    #expect(try !isReady(watch))
    try shell(change)
    #expect(try isReady(watch) == isTold)
  }

  /// The watch moves to the file that now has the name, and is silent once nothing changes.
  @Test func followsTheNameThroughReplacements() throws {
    defer { remove() }
    var watch = try FileWatch()
    for change in [
      "echo 1 >file", "echo 2 >new; mv new file", "rm file", "mkdir a; ln -s a/b file", "echo >a/b", "rm a/b",
    ] {
      try watch.watch(["\(folder)/file"])
      // Releasing old files is reported once too.
      try watch.drain()
      #expect(try !isReady(watch))
      try shell(change)
      #expect(try isReady(watch), "\(change)")
      try watch.drain()
    }
  }

  /// A loop of links is no file, and does not loop here.
  @Test func aLoopOfLinksEnds() throws {
    defer { remove() }
    try shell("ln -s a b; ln -s b a")
    var watch = try FileWatch()
    try watch.watch(["\(folder)/a"])
    #expect(try !isReady(watch))
    try shell("rm b; echo x > b")
    #expect(try isReady(watch))
  }

  @Test func aFileIsMadeForItsOwnerAloneAndReplacesNothing() throws {
    defer { remove() }
    try Files.create("\(folder)/file").writeAll([1])
    #expect(try Files.attributes("\(folder)/file").permissions == 0o600)
    #expect(throws: SystemError.self) { _ = try Files.create("\(folder)/file") }
    #expect(try Files.read("\(folder)/file") == [1])
    try shell("ln -s target link")
    #expect(throws: SystemError.self) { _ = try Files.create("\(folder)/link") }
    #expect(!Files.exists("\(folder)/target"))
  }
}

@Suite(.ownThread) struct ProcessWatchTests {
  @Test func theEndOfAProcessIsReported() throws {
    let pid = try Subprocess.spawn("sleep", ["60"], newSession: false, descriptors: [])
    let ended = DispatchSemaphore(value: 0)
    let watch = try ProcessWatch(pid, queue: .global()) { ended.signal() }
    #expect(ended.wait(timeout: .now()) == .timedOut)
    Signal.kill.send(to: pid)
    // Before the process has been reaped.
    #expect(ended.wait(timeout: .now() + 10) == .success)
    // A zombie has ended too.
    let error = #expect(throws: SystemError.self) { _ = try ProcessEnd(of: pid) }
    #expect(error?.isNoSuchProcess == true)
    _ = Subprocess.wait(for: pid)
    #expect(#expect(throws: SystemError.self) { _ = try ProcessEnd(of: pid) }?.isNoSuchProcess == true)
    withExtendedLifetime(watch) {}
  }

  @Test(arguments: [Int32(0), -1, .max]) func aPidWithoutAProcessIsAnError(_ pid: Int32) {
    #expect(#expect(throws: SystemError.self) { _ = try ProcessEnd(of: pid) }?.isNoSuchProcess == true)
  }

  @Test func aProcessOfAnotherUserCanBeWatched() throws {
    let first = try ProcessEnd(of: 1)
    #expect(try !waitUntilReadable(first.rawValue, timeout: .zero))
  }

  @Test func aFileThatWasUsedIsNewer() throws {
    let path = String(try Subprocess.run("mktemp", []).outputText.dropLast())
    _ = try Subprocess.run("touch", ["-d", "2001-01-01", path])
    let before = try Files.attributes(path).changed
    Files.touch(path)
    #expect(try Files.attributes(path).changed > before + .seconds(86_400))
    try Files.remove(path)
    Files.touch(path)
    #expect(!Files.exists(path))
  }
}
