internal import OverlineSystem

extension Configuration {
  /// A usable configuration, its source, and the warnings about it.
  package struct Loaded: Hashable, Sendable {
    package let configuration: Configuration
    /// The file that was read; nil when there is none and the defaults apply.
    package let path: String?
    /// Warnings only.
    package let diagnostics: [Diagnostic]
  }

  /// The size limit of the file: a thousand times the size of a file with every key and comment.
  private static let maximumSize = 1 << 20

  /// `$XDG_CONFIG_HOME/overline/config.toml`, by default `~/.config/overline/config.toml` (XDG Base Directory Specification 0.8: relative
  /// paths are ignored). Nil without a home.
  package static var defaultPath: String? {
    defaultPath(configurationHome: ProcessEnvironment["XDG_CONFIG_HOME"], home: ProcessEnvironment["HOME"])
  }

  static func defaultPath(configurationHome: String?, home: String?) -> String? {
    if let configurationHome, configurationHome.hasPrefix("/") { return "\(configurationHome)/overline/config.toml" }
    return home.map { "\($0)/.config/overline/config.toml" }
  }

  /// Reads the file at `path`, or at ``defaultPath`` when nil. Only the default file may be missing. A file that another user could have
  /// written is refused, because the monitor runs its hooks.
  package static func load(path: String? = nil) throws(ConfigurationError) -> Loaded {
    guard let file = path ?? defaultPath else {
      return Loaded(configuration: Configuration(), path: nil, diagnostics: [])
    }
    return try load(file, mayBeMissing: path == nil)
  }

  static func load(
    _ file: String, mayBeMissing: Bool
  ) throws(ConfigurationError) -> Loaded {
    let bytes: [UInt8]
    do {
      bytes = try Files.read(file, limit: maximumSize, isTrusted: true)
    } catch {
      if mayBeMissing, error.isNoSuchFile { return Loaded(configuration: Configuration(), path: nil, diagnostics: []) }
      if error.isOwnRefusal { throw ConfigurationError(reason: "\(file): \(error.reason)") }
      let remedy =
        if error.isTooLarge { "keep it below 1 MiB" } else if error.isNoSuchFile { "create it" } else {
          "make it a readable file"
        }
      throw ConfigurationError(reason: "\(error); \(remedy), or name another with --config")
    }
    let text = try decode(bytes, file)
    let (configuration, diagnostics) = parse(text, path: file)
    if diagnostics.contains(where: { $0.severity == .error }) { throw ConfigurationError(diagnostics: diagnostics) }
    return Loaded(configuration: configuration, path: file, diagnostics: diagnostics)
  }

  static func decode(_ bytes: [UInt8], _ file: String) throws(ConfigurationError) -> String {
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
