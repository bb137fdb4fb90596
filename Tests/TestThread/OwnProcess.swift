internal import OverlineSystem
public import Testing

/// Runs a test in a process of its own, which it may change or break: this program again, with only this test.
///
/// Not Swift Testing's exit tests: their monitor polls without a pause while any other child of this process is a zombie, and does not see
/// the ends of its own children meanwhile.
public struct OwnProcess: TestTrait, TestScoping {
  /// Set in the test's own process.
  private static let variable = "OVERLINE_TEST_PROCESS"

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    if ProcessEnvironment[Self.variable] != nil { return try await body() }
    let function = String(test.name.prefix { $0 != "(" })
    let result = try Subprocess.run(
      "env",
      [
        "\(Self.variable)=1", ProcessEnvironment.executable, "--testing-library", "swift-testing", "--filter",
        "/\(function)\\(",
      ], timeout: .seconds(60))
    let report = result.outputText + result.errorText
    // A filter that matches no test passes, and one that matches two runs a test that did not ask for it.
    if result.status != 0 || !report.contains("Test run with 1 test ") {
      Issue.record("its process ended with \(result.status): \(report)")
    }
  }
}

extension Trait where Self == OwnProcess {
  public static var ownProcess: Self { Self() }
}
