package import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

extension Configuration {
  /// A usable configuration, its source, and the warnings about it.
  package struct Loaded: Equatable, Sendable {
    package let configuration: Configuration
    /// The file that was read; nil when there is none and the defaults apply.
    package let path: String?
    /// Warnings only.
    package let diagnostics: [Diagnostic]
  }

  /// The size limit of the file: a thousand times the size of a file with every key and comment.
  private static let maximumSize = 1 << 20

  /// `$XDG_CONFIG_HOME/overline/config.toml`, by default `~/.config/overline/config.toml`. Nil without a home.
  package static var defaultPath: String? { UserFolders().configuration.map { "\($0)/overline/config.toml" } }

  /// Reads the file at `path`, or at ``defaultPath`` when nil. Only the default file may be missing, or the home, as in a container. A home
  /// that is a relative path is an error: the user has a file, and it would be ignored. A file that another user could have written is
  /// refused, because the monitor runs its hooks.
  package static func load(path: String? = nil) throws(ConfigurationError) -> Loaded {
    guard let file = path ?? defaultPath else {
      let folders = UserFolders()
      if folders.hasRelativeHome {
        throw ConfigurationError(
          reason: "no configuration can be found: \(folders.homeFault), or name a file with --config")
      }
      return Loaded(configuration: Configuration(), path: nil, diagnostics: [])
    }
    return try load(file, mayBeMissing: path == nil)
  }

  static func load(
    _ file: String, mayBeMissing: Bool
  ) throws(ConfigurationError) -> Loaded {
    let bytes: [UInt8]
    do {
      bytes = try Files.readTrusted(file, limit: maximumSize)
    } catch {
      if mayBeMissing, error.isNoSuchFile { return Loaded(configuration: Configuration(), path: nil, diagnostics: []) }
      if error.isOwnRefusal { throw ConfigurationError(reason: "\(file): \(error.reason)") }
      if error.isPermissionDenied, let fault = Files.foreignPart(of: file) {
        throw ConfigurationError(reason: "\(error): \(fault)")
      }
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
}
