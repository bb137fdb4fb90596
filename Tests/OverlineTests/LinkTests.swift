import OverlineTestKit
import POSIX
import Testing

/// What comes with the library into a program.
@Suite struct LinkTests {
  @Test(arguments: ["ReadmeExample", "ClockExample", "PathsExample"])
  func noFoundationAndNothingFromOutsideButLibnl(_ program: String) throws {
    let result = try Subprocess.run("readelf", ["--dynamic", LibraryWorld.executable(program)])
    let libraries = result.outputText.split(separator: "\n").filter { $0.contains("(NEEDED)") }.compactMap {
      $0.split(separator: "[").last?.dropLast()
    }
    let system = ["libc.", "libm.", "libgcc_s.", "libstdc++.", "ld-linux", "libpthread.", "libdl.", "libutil."]
    let swift = ["libswift", "libdispatch.", "libBlocksRuntime."]
    let foreign = libraries.filter { name in !(system + swift + ["libnl-3."]).contains { name.hasPrefix($0) } }
    #expect(libraries.count > 2)
    #expect(foreign == [])
    #expect(!libraries.contains { $0.contains("Foundation") || $0.contains("icu") })
  }
}
