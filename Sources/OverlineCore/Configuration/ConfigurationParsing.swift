internal import NetworkPath
internal import Overline

extension Configuration {
  /// Parses the text of a file. Reports every problem, not only the first. For a wrong value the default stays.
  ///
  /// - Parameter path: the name of the file in diagnostics.
  /// - Returns: the configuration, usable only if no diagnostic is an error.
  package static func parse(
    _ text: String, path: String
  ) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
    var configuration = Configuration()
    let document: TOMLDocument
    do {
      document = try TOMLReader.read(text)
    } catch {
      return (configuration, [Diagnostic(error, path: path)])
    }
    let report = Report(path: path)
    var reader = SectionReader(document, report: report)
    configuration.read(&reader)
    reader.reportUnknownKeys()
    return (configuration, report.diagnostics.sorted { ($0.line, $0.column, $0.key) < ($1.line, $1.column, $1.key) })
  }

  /// Every key with its value in effect, for `overline config show`. This TOML parses to the same values.
  package var toml: String {
    sections.map { section in
      (["[\(section.name)]"] + section.keys.map { "\($0.name) = \($0.value)" }).joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  /// Each table with its keys.
  var sections: [Report.Section] {
    // Reading an empty file changes nothing and visits every key.
    var copy = self
    let report = Report(path: "")
    var reader = SectionReader(TOMLDocument(), report: report)
    copy.read(&reader)
    return report.sections
  }
}
