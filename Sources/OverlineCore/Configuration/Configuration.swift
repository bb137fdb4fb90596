package import NetworkPath
package import Overline

/// Every setting with its value in effect. The defaults equal those of `config/overline.toml`.
package struct Configuration: Equatable, Sendable {
  /// `[banner]` and the tables below it.
  package var banner = BannerSettings()
  /// `[path]`
  package var path = PathOptions()
  /// `[tmux]`
  package var tmux = TmuxSettings()

  /// `[check]`; nil without a URL.
  package var check: CheckSettings?
  /// `[answers]`
  package var answers = Answers()
  /// `[quality]`
  package var quality = Quality()
  /// `[hooks]`
  package var hooks = Hooks()
  /// `[history]`
  package var history = HistorySettings()
  /// `[metrics]`
  package var metrics = Metrics()
  /// `[quiet]`
  package var quiet = Quiet()

  /// `[toast]` and the tables below it.
  package var toast = ToastDefaults()

  /// The pause between a change of the file and the reload. An editor replaces a file in several steps, and a moment without a file must
  /// not load the defaults.
  package static let debounceInterval = Duration.milliseconds(100)

  /// The configuration without a file.
  package init() {}

  package struct TmuxSettings: Equatable, Sendable {
    package var reserve = TmuxReserve.auto
  }

  /// What the kernel knows about answers.
  package struct Answers: Equatable, Sendable {
    /// The time after which a window shows that its program has no answer; zero for never.
    package var program: Duration = .seconds(3)
    /// The round trip from which on a window shows that its program's connection is slow; zero for never.
    package var lag: Duration = .milliseconds(500)
  }

  package struct Quality: Equatable, Sendable {
    package var banner = Banner.off

    package enum Banner: String, Equatable, Sendable, CaseIterable {
      case off, poor
    }
  }

  /// What the monitor watches. It measures the quality for windows too.
  package var monitorPath: PathOptions {
    var options = path
    options.quality =
      switch quality.banner {
      case .off: .unmeasured
      case .poor: .limiting
      }
    return options
  }

  /// Command lines for `sh`; nil for none.
  package struct Hooks: Equatable, Sendable {
    package var onOffline: String?
    package var onOnline: String?
    package var onLimited: String?
    package var onInset: String?
    package var onTarget: String?
  }

  package struct HistorySettings: Equatable, Sendable {
    /// The number of outages to keep; 0 for no history.
    package var keep = 1000
  }

  package struct Metrics: Equatable, Sendable {
    /// The absolute path of a file for Prometheus' node exporter; nil for none.
    package var textfile: String?
  }

  package struct Quiet: Equatable, Sendable {
    /// Nil for none.
    package var hours: QuietHours?
  }

  package struct ToastDefaults: Equatable, Sendable {
    package var policy = ToastSettings.Policy.queue
    /// The duration for toasts without one; zero means until dismissed.
    package var duration: Duration = ToastContent.minimumDuration
    /// The edge for toasts without one.
    package var edge = ToastEdge.top
    package var input = ToastInputSettings()
    /// Each style's colours.
    package var appearances = Dictionary(
      uniqueKeysWithValues: ToastStyle.allCases.map { ($0, BannerAppearance($0.token)) })
  }

  /// The settings for a window's toasts. Toasts use the banner's settings for motion and for colours that are hard to read.
  package var toastSettings: ToastSettings {
    ToastSettings(
      policy: toast.policy, motion: banner.motion, contrast: banner.contrast, appearances: toast.appearances)
  }
}

/// A message about one place of a configuration file: `path:line:column: key:`, the fault and the allowed values.
package struct Diagnostic: Equatable, Sendable, CustomStringConvertible {
  package enum Severity: String, Equatable, Sendable {
    /// The file cannot be used.
    case error
    /// The file is used all the same.
    case warning
  }

  package let severity: Severity
  package let path: String
  /// Counted from 1; a column is one Unicode scalar.
  package let line: Int
  package let column: Int
  /// The dotted key: `banner.offline.height`. Empty for a syntax error.
  package let key: String
  /// The fault and the allowed values.
  package let message: String

  package var description: String {
    let place = "\(path):\(line):\(column): "
    let about = key.isEmpty ? "" : "\(key): "
    return place + (severity == .warning ? "warning: " : "") + about + message
  }
}

/// A configuration that cannot be used, with all its faults.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// In the order of the file. Empty when the file could not be read at all.
  package let diagnostics: [Diagnostic]
  /// The reason why the file could not be read; nil if it was read.
  package let reason: String?

  package init(diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
    reason = nil
  }

  package init(reason: String) {
    diagnostics = []
    self.reason = reason
  }

  /// One line for each fault.
  package var description: String {
    reason ?? diagnostics.map(\.description).joined(separator: "\n")
  }
}
