public import Banner

/// Every setting, with its value in effect. The defaults are the ones of `config/overline.toml`.
public struct Configuration: Hashable, Sendable {
  public var banner = BannerSettings()
  public var path = PathSettings()
  public var tmux = TmuxSettings()

  /// What holds without a file.
  public init() {}

  /// `[banner]` and the tables below it.
  public struct BannerSettings: Hashable, Sendable {
    /// How long the network must be away before the banner shows: longer than a roam, short enough to feel instant.
    public var graceDelay = Duration.milliseconds(250)
    /// How long the banner says that the network is back: time to read two words.
    public var hideDelay = Duration.seconds(2)
    public var motion = Motion.auto
    public var contrast = Contrast.warn
    public var offline = Appearance.offline
    public var restored = Appearance.restored
  }

  public enum Motion: String, Hashable, Sendable, CaseIterable {
    /// Motion where the terminal and the person's settings allow it.
    case auto, on, off
  }

  /// What happens to a text that is hard to read on its background.
  public enum Contrast: String, Hashable, Sendable, CaseIterable {
    /// It is shown as asked, and a warning names the ratio.
    case warn
    /// Its colour is corrected.
    case enforce
  }

  /// `[path]`: interfaces by glob.
  public struct PathSettings: Hashable, Sendable {
    /// Interfaces that never count.
    public var ignore: [InterfaceGlob] = []
    /// Interfaces that cost money by use.
    public var expensive: [InterfaceGlob] = []
    /// Interfaces to be used sparingly.
    public var constrained: [InterfaceGlob] = []
  }

  /// `[tmux]`.
  public struct TmuxSettings: Hashable, Sendable {
    public var reserve = Reserve.auto
  }

  public enum Reserve: String, Hashable, Sendable, CaseIterable {
    /// A status line is added while the banner shows.
    case auto
    /// An empty line is kept for it.
    case always
    /// No line; only `#{OVERLINE_TEXT}` is fed.
    case never
  }
}

/// Something to say about one place of a configuration file: `path:line:column: key: what is wrong and what is allowed`.
public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
  public enum Severity: String, Hashable, Sendable {
    /// The file cannot be used.
    case error
    /// The file is used as it is.
    case warning
  }

  public let severity: Severity
  public let path: String
  /// Counted from 1; a column is one Unicode scalar.
  public let line: Int
  public let column: Int
  /// Dotted: `banner.offline.height`. Empty for an error of syntax.
  public let key: String
  /// What is wrong and what is allowed.
  public let message: String

  public var description: String {
    let place = "\(path):\(line):\(column): "
    let about = key.isEmpty ? "" : "\(key): "
    return place + (severity == .warning ? "warning: " : "") + about + message
  }
}

/// A configuration that cannot be used, and everything that is wrong with it.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// In the order of the file. Empty when it could not be read at all.
  public let diagnostics: [Diagnostic]
  /// Why the file could not be read; nil when it was.
  public let reason: String?

  init(diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
    reason = nil
  }

  init(reason: String) {
    diagnostics = []
    self.reason = reason
  }

  /// One line for each thing that is wrong.
  public var description: String {
    reason ?? diagnostics.map(\.description).joined(separator: "\n")
  }
}
