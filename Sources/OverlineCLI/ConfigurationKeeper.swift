internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

/// The configuration in effect. A reload applies the whole file, or nothing.
struct ConfigurationKeeper {
  enum Outcome {
    case unchanged
    /// Warnings about the new file that the old one did not have.
    case changed(warnings: [Diagnostic])
    /// The old configuration stays in effect.
    ///
    /// - Parameter isNews: false if the previous attempt failed with the same error.
    case failed(ConfigurationError, isNews: Bool)
  }

  private(set) var current: Configuration
  private let options: CommonOptions
  private var diagnostics: [Diagnostic]
  private var lastError: ConfigurationError?

  /// Prints warnings on standard error.
  ///
  /// - Parameter orDefaults: if the file cannot be used, reports that and uses the defaults. A program in a window matters more than the
  ///   window's settings. The next ``reload()`` reports the error again: a banner may have moved the message out of sight.
  init(_ options: CommonOptions, orDefaults: Bool = false) throws(ConfigurationError) {
    self.options = options
    do throws(ConfigurationError) {
      (current, diagnostics) = try options.loadConfiguration()
    } catch {
      guard orDefaults else { throw error }
      (current, diagnostics) = (Configuration(), [])
      for line in "\(error)".split(separator: "\n") { Output.warn("\(line)") }
      Output.warn("going on with the defaults")
    }
    for diagnostic in diagnostics { Output.warn("\(diagnostic)") }
  }

  /// The path of the file, even if the file does not exist; nil without a home.
  var file: String? { options.config ?? Configuration.defaultPath }

  mutating func reload() -> Outcome {
    do {
      let (new, diagnostics) = try options.loadConfiguration()
      let old = (current, self.diagnostics)
      (current, self.diagnostics, lastError) = (new, diagnostics, nil)
      return new == old.0 ? .unchanged : .changed(warnings: diagnostics.filter { !old.1.contains($0) })
    } catch {
      defer { lastError = error }
      return .failed(error, isNews: error != lastError)
    }
  }
}
