package import Overline

/// When banner and toasts get status lines of their own.
package enum TmuxReserve: String, Hashable, Sendable, CaseIterable {
  /// Each while it is there.
  case auto
  /// One line all the time, empty while there is nothing: only a toast beside a banner moves anything.
  case always
  /// Never: they show only where the user's own status line says `#{OVERLINE_TEXT}` and `#{OVERLINE_TOAST}`.
  case never
}

/// What a server's owner set for us in `.tmux.conf`: `set -g @overline_offline_title "No net"`.
package struct TmuxOptions: Hashable, Sendable {
  /// `@overline_offline_title`
  package var offlineTitle: String?
  /// `@overline_restored_title`
  package var restoredTitle: String?
  /// `@overline_limited_title`
  package var limitedTitle: String?
  /// `@overline_reserve`; nil when it is not set, or to something we do not know.
  package var reserve: TmuxReserve?
  /// `@overline_offline_style`
  package var offlineStyle: TmuxStyle?
  /// `@overline_restored_style`
  package var restoredStyle: TmuxStyle?
  /// `@overline_limited_style`
  package var limitedStyle: TmuxStyle?
  /// What was set and cannot be understood, in words for the user.
  package var warnings: [String] = []

  package init() {}

  /// From the options' values, by their names; an empty one counts as not set.
  init(values: [String: String]) {
    func value(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
    func style(_ name: String) -> TmuxStyle? { value(name).map { TmuxStyle($0) } }
    offlineTitle = value("@overline_offline_title")
    restoredTitle = value("@overline_restored_title")
    limitedTitle = value("@overline_limited_title")
    offlineStyle = style("@overline_offline_style")
    restoredStyle = style("@overline_restored_style")
    limitedStyle = style("@overline_limited_style")
    if let text = value("@overline_reserve") {
      reserve = TmuxReserve(rawValue: text)
      if reserve == nil { warnings.append("@overline_reserve: \(text) is not auto, always or never") }
    }
    let styles = [
      ("@overline_offline_style", offlineStyle), ("@overline_restored_style", restoredStyle),
      ("@overline_limited_style", limitedStyle),
    ]
    for (name, style) in styles {
      for part in style?.unknown ?? [] { warnings.append("\(name): \(part) means nothing to a banner") }
    }
  }

  static let names = [
    "@overline_offline_title", "@overline_restored_title", "@overline_reserve", "@overline_offline_style",
    "@overline_restored_style", "@overline_limited_title", "@overline_limited_style",
  ]

  /// The offline banner's appearance in this server.
  package func offline(_ appearance: Appearance) -> Appearance {
    Self.overridden(appearance, title: offlineTitle, style: offlineStyle)
  }

  /// The appearance of *Back online* in this server.
  package func restored(_ appearance: Appearance) -> Appearance {
    Self.overridden(appearance, title: restoredTitle, style: restoredStyle)
  }

  /// The appearance of a limited connection's banner in this server.
  package func limited(_ appearance: Appearance) -> Appearance {
    Self.overridden(appearance, title: limitedTitle, style: limitedStyle)
  }

  private static func overridden(_ appearance: Appearance, title: String?, style: TmuxStyle?) -> Appearance {
    var result = style?.applied(to: appearance) ?? appearance
    result.title = title ?? result.title
    return result
  }
}
