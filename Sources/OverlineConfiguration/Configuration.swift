package import NetworkPath
package import Overline
package import OverlineTmux

/// Every setting, with its value in effect. The defaults are the ones of `config/overline.toml`.
package struct Configuration: Hashable, Sendable {
  /// `[banner]` and the tables below it.
  package var banner = BannerSettings()
  /// `[path]`
  package var path = PathOptions()
  /// `[tmux]`
  package var tmux = TmuxSettings()

  /// `[check]`; nil without a URL.
  package var check: CheckSettings?
  /// `[hooks]`
  package var hooks = Hooks()
  /// `[history]`
  package var history = HistorySettings()
  /// `[metrics]`
  package var metrics = Metrics()

  /// `[toast]` and the tables below it.
  package var toast = ToastDefaults()

  /// What holds without a file.
  package init() {}

  package struct TmuxSettings: Hashable, Sendable {
    package var reserve = TmuxReserve.auto
  }

  /// Command lines for `sh`; nil for none.
  package struct Hooks: Hashable, Sendable {
    package var onOffline: String?
    package var onOnline: String?
    package var onInset: String?
  }

  package struct HistorySettings: Hashable, Sendable {
    /// The outages that are remembered; 0 for no history.
    package var keep = 1000
  }

  package struct Metrics: Hashable, Sendable {
    /// The absolute path of a file for Prometheus' node exporter; nil for none.
    package var textfile: String?
  }

  package struct ToastDefaults: Hashable, Sendable {
    package var policy = ToastSettings.Policy.queue
    /// Of a toast that does not say how long; zero until it is dismissed.
    package var duration: Duration = ToastContent.minimumDuration
    /// Of a toast that does not say where.
    package var edge = VerticalEdge.top
    package var input = ToastInputSettings()
    /// Each style's colours.
    package var appearances = Dictionary(
      uniqueKeysWithValues: ToastStyle.allCases.map { ($0, Appearance($0.token)) })
  }

  /// What a window needs to show toasts. How things move, and what is done about colours that are hard to read, is one choice for banners
  /// and toasts.
  package var toastSettings: ToastSettings {
    ToastSettings(
      policy: toast.policy, motion: banner.motion, contrast: banner.contrast, appearances: toast.appearances)
  }
}

/// Something to say about one place of a configuration file: `path:line:column: key: what is wrong and what is allowed`.
package struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
  package enum Severity: String, Hashable, Sendable {
    /// The file cannot be used.
    case error
    /// The file is used as it is.
    case warning
  }

  package let severity: Severity
  package let path: String
  /// Counted from 1; a column is one Unicode scalar.
  package let line: Int
  package let column: Int
  /// Dotted: `banner.offline.height`. Empty for an error of syntax.
  package let key: String
  /// What is wrong and what is allowed.
  package let message: String

  package var description: String {
    let place = "\(path):\(line):\(column): "
    let about = key.isEmpty ? "" : "\(key): "
    return place + (severity == .warning ? "warning: " : "") + about + message
  }
}

/// A configuration that cannot be used, and everything that is wrong with it.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// In the order of the file. Empty when it could not be read at all.
  package let diagnostics: [Diagnostic]
  /// Why the file could not be read; nil when it was.
  package let reason: String?

  init(diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
    reason = nil
  }

  init(reason: String) {
    diagnostics = []
    self.reason = reason
  }

  /// One line for each thing that is wrong.
  package var description: String {
    reason ?? diagnostics.map(\.description).joined(separator: "\n")
  }
}
