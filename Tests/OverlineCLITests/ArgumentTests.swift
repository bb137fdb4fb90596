import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Scripts rely on the arguments: `overline wait … && git push` must not push because the arguments were lost.
@Suite(.ownThread) struct ArgumentTests {
  private static func expectArguments(after prepare: String) throws {
    let world = try World()
    func run(_ words: String) throws -> Subprocess.Result {
      try world.namespace.inside {
        try Subprocess.run(
          "unshare", ["--mount", "sh", "-c", "\(prepare); exec \"$0\" \(words)", World.executable],
          environment: world.environment)
      }
    }
    let wrong = try run("wait --for nonsense")
    #expect(wrong.status == 64)
    #expect(wrong.outputText == "" && wrong.errorText.contains("nonsense"), "\(wrong)")
    let status = try run("status")
    #expect(status.status == 0)
    #expect(status.outputText.hasPrefix("online via eth0"), "\(status)")
    #expect(try run("banner present one two").errorText.contains("put it in quotes"))
  }

  @Test func theyArriveWithoutProc() throws {
    try Self.expectArguments(after: "mount -t tmpfs none /proc")
  }

  /// setenv(3) moves the environment away from the arguments, beside which Swift's runtime looks for them.
  @Test func theyArriveAfterAPreloadedLibraryHasSetAVariable() throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let source = """
      #include <stdlib.h>
      __attribute__((constructor)) static void set(void) { setenv("OVERLINE_TEST_SET", "1", 1); }
      """
    let library = "\(folder)/set.so"
    let compiled = try Subprocess.run(
      "clang", ["-shared", "-fPIC", "-x", "c", "-", "-o", library], input: Array(source.utf8))
    try #require(compiled.status == 0, "\(compiled.errorText)")
    try Self.expectArguments(after: "export LD_PRELOAD=\(library)")
  }
}
