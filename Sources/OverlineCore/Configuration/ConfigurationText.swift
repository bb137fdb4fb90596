extension Configuration {
  /// The text of a file.
  ///
  /// - Throws: the place of the first byte that is not UTF-8.
  package static func decode(_ bytes: [UInt8], _ file: String) throws(ConfigurationError) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let before = bytes[..<firstInvalid(bytes)]
    let line = before.count { $0 == 0x0a } + 1
    let lineStart = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    let column = String(decoding: before[lineStart...], as: UTF8.self).unicodeScalars.count + 1
    throw ConfigurationError(diagnostics: [
      Diagnostic(
        severity: .error, path: file, line: line, column: column, key: "",
        message: "not TOML: the text here is not UTF-8; save the file as UTF-8")
    ])
  }

  /// The index of the first byte that changes when invalid sequences are replaced.
  private static func firstInvalid(_ bytes: [UInt8]) -> Int {
    let repaired = String(decoding: bytes, as: UTF8.self).utf8
    // An incomplete sequence at the end may begin with the same bytes as its replacement. Then no byte differs.
    return zip(bytes, repaired).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? bytes.count - 1
  }
}
