public import Banner
public import PathModel
public import Tmux

/// Every setting, with its value in effect. The defaults are the ones of `config/overline.toml`.
public struct Configuration: Hashable, Sendable {
  /// `[banner]` and the tables below it.
  public var banner = BannerSettings()
  /// `[path]`
  public var path = PathOptions()
  /// `[tmux]`
  public var tmux = TmuxSettings()

  /// `[hooks]`
  public var hooks = Hooks()
  /// `[history]`
  public var history = HistorySettings()
  /// `[metrics]`
  public var metrics = Metrics()

  /// `[toast]` and the tables below it.
  public var toast = ToastDefaults()

  /// What holds without a file.
  public init() {}

  public struct TmuxSettings: Hashable, Sendable {
    public var reserve = TmuxReserve.auto
  }

  /// Command lines for `sh`; nil for none.
  public struct Hooks: Hashable, Sendable {
    public var onOffline: String?
    public var onOnline: String?
    public var onInset: String?
  }

  public struct HistorySettings: Hashable, Sendable {
    /// The outages that are remembered; 0 for no history.
    public var keep = 1000
  }

  public struct Metrics: Hashable, Sendable {
    /// The absolute path of a file for Prometheus' node exporter; nil for none.
    public var textfile: String?
  }

  public struct ToastDefaults: Hashable, Sendable {
    public var policy = ToastSettings.Policy.queue
    /// Of a toast that does not say how long; zero until it is dismissed.
    public var duration: Duration = ToastContent.minimumDuration
    /// Of a toast that does not say where.
    public var edge = WindowTraits.Edge.top
    public var input = ToastInputSettings()
    /// Each style's colours.
    public var appearances = Dictionary(
      uniqueKeysWithValues: ToastStyle.allCases.map { ($0, Appearance($0.token)) })
  }

  /// What a window needs to show toasts. How things move, and what is done about colours that are hard to read, is one choice for banners
  /// and toasts.
  public var toastSettings: ToastSettings {
    ToastSettings(
      policy: toast.policy, motion: banner.motion, contrast: banner.contrast, appearances: toast.appearances)
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
