internal import OverlineSystem

/// Folders for one test each, with names that no other test has.
package enum TemporaryFolder {
  /// Makes an empty folder that only the user of the tests can read.
  ///
  /// - Returns: its path. The caller calls ``remove(_:)``.
  package static func make(in parent: String = "/tmp") throws -> String {
    String(try Subprocess.run("mktemp", ["-d", "\(parent)/overline-XXXXXX"]).outputText.dropLast())
  }

  /// Removes folders with everything in them.
  package static func remove(_ paths: String...) { _ = try? Subprocess.run("rm", ["-rf"] + paths) }
}
