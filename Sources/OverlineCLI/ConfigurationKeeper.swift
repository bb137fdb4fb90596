internal import OverlineConfiguration
internal import OverlineSystem

/// The configuration in effect, and what a new look at its file brings: all of it, or nothing.
struct ConfigurationKeeper {
  enum Outcome {
    case unchanged
    /// Warnings about the new file that were not about the old one.
    case changed(warnings: [Diagnostic])
    /// What was in effect stays so.
    ///
    /// - Parameter isNews: false for what is wrong since an earlier look already.
    case failed(ConfigurationError, isNews: Bool)
  }

  /// An editor replaces a file in several steps, and a moment without a file is not a wish for the defaults.
  static let patience = Duration.milliseconds(100)

  private(set) var current: Configuration
  private let options: CommonOptions
  private var diagnostics: [Diagnostic]
  private var complaint: ConfigurationError?

  /// Says on standard error what is doubtful.
  ///
  /// - Parameter orDefaults: where the file cannot be used, says so and goes on with the defaults: a program in a window matters more than
  ///   the window's settings.
  init(_ options: CommonOptions, orDefaults: Bool = false) throws(ConfigurationError) {
    self.options = options
    do throws(ConfigurationError) {
      (current, diagnostics) = try options.loadConfiguration()
    } catch {
      guard orDefaults else { throw error }
      (current, diagnostics, complaint) = (Configuration(), [], error)
      Output.complain("\(error); going on with the defaults")
    }
    for diagnostic in diagnostics { Output.complain("\(diagnostic)") }
  }

  /// The file that is read, also while there is none; nil without a home.
  var file: String? { options.config ?? Configuration.defaultPath }

  mutating func reload() -> Outcome {
    do {
      let (new, diagnostics) = try options.loadConfiguration()
      let old = (current, self.diagnostics)
      (current, self.diagnostics, complaint) = (new, diagnostics, nil)
      return new == old.0 ? .unchanged : .changed(warnings: diagnostics.filter { !old.1.contains($0) })
    } catch {
      defer { complaint = error }
      return .failed(error, isNews: error != complaint)
    }
  }
}
