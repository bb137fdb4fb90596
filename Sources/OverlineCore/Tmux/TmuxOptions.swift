package import Overline

/// When the banner and toasts get their own status lines.
package enum TmuxReserve: String, Equatable, Sendable, CaseIterable {
  /// A line for each while it shows.
  case auto
  /// One line at all times, empty while nothing shows. The panes move only when a toast and a banner show together.
  case always
  /// Never. Banner and toasts show only where the user's own status line contains `#{OVERLINE_TEXT}` and `#{OVERLINE_TOAST}`.
  case never
}

/// The options that a server's owner sets in `.tmux.conf`: `set -g @overline_offline_title "No net"`.
package struct TmuxOptions: Equatable, Sendable {
  /// `@overline_offline_title`
  package var offlineTitle: String?
  /// `@overline_restored_title`
  package var restoredTitle: String?
  /// `@overline_limited_title`
  package var limitedTitle: String?
  /// `@overline_reserve`; nil when unset or set to an unknown value.
  package var reserve: TmuxReserve?
  /// `@overline_offline_style`
  package var offlineStyle: TmuxStyle?
  /// `@overline_restored_style`
  package var restoredStyle: TmuxStyle?
  /// `@overline_limited_style`
  package var limitedStyle: TmuxStyle?
  /// Messages for the user about invalid values.
  package var warnings: [String] = []

  package init() {}

  /// One option: what its value does, and an example of it for the documents.
  private struct Option {
    let name: String
    /// As tmux's configuration has it, in single quotes.
    let example: String
    /// What the example leaves open; often empty.
    let words: String
    let set: @Sendable (inout TmuxOptions, String) -> Void

    static func title(
      _ name: String, _ path: any WritableKeyPath<TmuxOptions, String?> & Sendable, _ example: String,
      _ words: String = ""
    ) -> Option {
      Option(name: name, example: example, words: words) { $0[keyPath: path] = $1 }
    }

    static func style(
      _ name: String, _ path: any WritableKeyPath<TmuxOptions, TmuxStyle?> & Sendable, _ example: String
    ) -> Option {
      Option(name: name, example: example, words: "") { options, value in
        let style = TmuxStyle(value)
        options[keyPath: path] = style
        for part in style.unknown { options.warnings.append("\(name): \(part) means nothing to a banner") }
      }
    }
  }

  /// All the options that we request from tmux and read.
  private static let all: [Option] = [
    .title("@overline_offline_title", \.offlineTitle, "No connection"),
    .title("@overline_restored_title", \.restoredTitle, "Back online"),
    .title(
      "@overline_limited_title", \.limitedTitle, "Limited connection", "nothing answers, or a portal wants a log-in"),
    .style("@overline_offline_style", \.offlineStyle, "bg=#b3261e,fg=white,bold"),
    .style("@overline_restored_style", \.restoredStyle, "bg=#00695c,fg=white,bold"),
    .style("@overline_limited_style", \.limitedStyle, "bg=#f9c72c,fg=black,bold"),
    Option(
      name: "@overline_reserve", example: "auto",
      words: "always: an empty line while online; never: only #{OVERLINE_TEXT}, #{OVERLINE_TOAST}"
    ) { options, value in
      options.reserve = TmuxReserve(rawValue: value)
      if options.reserve == nil { options.warnings.append("@overline_reserve: \(value) is not auto, always or never") }
    },
  ]

  /// Each option with an example, in words for a document.
  package static var examples: [(name: String, value: String, words: String)] {
    all.map { ($0.name, $0.example, $0.words) }
  }

  static var names: [String] { all.map(\.name) }

  /// Reads the values by option name; an empty value counts as unset.
  init(values: [String: String]) {
    for option in Self.all {
      if let value = values[option.name], !value.isEmpty { option.set(&self, value) }
    }
  }

  /// The offline banner's appearance in this server.
  package func offline(_ appearance: BannerAppearance) -> BannerAppearance {
    Self.overridden(appearance, title: offlineTitle, style: offlineStyle)
  }

  /// The appearance of *Back online* in this server.
  package func restored(_ appearance: BannerAppearance) -> BannerAppearance {
    Self.overridden(appearance, title: restoredTitle, style: restoredStyle)
  }

  /// The appearance of a limited connection's banner in this server.
  package func limited(_ appearance: BannerAppearance) -> BannerAppearance {
    Self.overridden(appearance, title: limitedTitle, style: limitedStyle)
  }

  private static func overridden(_ appearance: BannerAppearance, title: String?, style: TmuxStyle?) -> BannerAppearance
  {
    var result = style?.applied(to: appearance) ?? appearance
    result.title = title ?? result.title
    return result
  }
}
