import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The libraries and code that the library adds to a program.
@Suite(.ownThread) struct LinkTests {
  @Test(
    .disabled(if: Sanitizer.isWatching, "which brings libraries of its own"),
    arguments: ["OverlineReadmeExample", "OverlineClockExample", "OverlinePathsExample"])
  func noFoundationAndNothingFromOutsideButLibnl(_ program: String) throws {
    let result = try Subprocess.run("readelf", ["--dynamic", BuiltProgram.path(program)])
    let libraries = result.outputText.split(separator: "\n").filter { $0.contains("(NEEDED)") }.compactMap {
      $0.split(separator: "[").last?.dropLast()
    }
    let system = ["libc.", "libm.", "libgcc_s.", "libstdc++.", "ld-linux", "libpthread.", "libdl.", "libutil."]
    let swift = ["libswift", "libdispatch.", "libBlocksRuntime."]
    let foreign = libraries.filter { name in
      !(system + swift + ["libnl-3.", "libnl-route-3."]).contains { name.hasPrefix($0) }
    }
    #expect(libraries.count > 2)
    #expect(foreign == [])
    #expect(!libraries.contains { $0.contains("Foundation") || $0.contains("icu") })
  }

  /// The Makefile names the archives: looking for two more libraries costs 0.3 ms at each start.
  @Test("the program contains libnl") func libnlIsStatic() throws {
    let result = try Subprocess.run("readelf", ["--dynamic", BuiltProgram.path("overline")])
    #expect(result.outputText.contains("(NEEDED)") && !result.outputText.contains("libnl"))
  }

  /// `replacing`, `firstRange(of:)`, `contains` of a text and regular expressions add 1.3 MB to a statically linked
  /// program, a third of the library's allowance.
  @Test(arguments: ["OverlineReadmeExample", "OverlinePathsExample"]) func noStringProcessing(_ program: String) throws
  {
    let result = try Subprocess.run("nm", ["--dynamic", "--undefined-only", BuiltProgram.path(program)])
    let symbols = result.outputText.split(separator: "\n")
    #expect(symbols.contains { $0.contains("$sSS") })
    #expect(symbols.filter { $0.contains("17_StringProcessing") } == [])
  }
}
