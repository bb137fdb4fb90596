internal import OverlineSystem

/// A program that the build has made beside the tests.
package enum BuiltProgram {
  /// The folder of the build's products.
  package static let folder = ProcessEnvironment.executable.split(separator: "/").dropLast().reduce("") {
    "\($0)/\($1)"
  }

  package static func path(_ name: String) -> String { "\(folder)/\(name)" }
}
