import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Where proc(5) is missing, Dispatch ends a process at some moment by an illegal instruction.
@Suite(.ownThread) struct RequiredFilesystemTests {
  @Test(arguments: [("OverlinePathsExample", "NetworkPath"), ("OverlineReadmeExample", "Overline")])
  func aProgramWithTheLibraryEndsWithASentence(_ program: String, _ module: String) throws {
    let script = "mount -t tmpfs none /proc && exec \"$0\""
    let result = try Subprocess.run(
      "unshare", ["--map-root-user", "--mount", "sh", "-c", script, "\(BuiltProgram.folder)/\(program)"],
      timeout: .seconds(20))
    #expect(result.status == 71)
    // A sanitizer complains first.
    #expect(
      result.errorText.split(separator: "\n").contains {
        $0.hasPrefix("\(module) needs /proc, which is not mounted here")
      },
      "\(result.errorText)")
    #expect(result.outputText.isEmpty)
  }
}
