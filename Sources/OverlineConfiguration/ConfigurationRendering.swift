internal import NetworkPath
internal import Overline
internal import OverlineTmux

extension Configuration {
  /// Every key with its value in effect, as TOML that reads back to the same values: `overline config show`.
  package var toml: String {
    var lines: [String] = []
    func section(_ name: String, _ entries: [(key: String, value: String)]) {
      if !lines.isEmpty { lines.append("") }
      lines.append("[\(name)]")
      for (key, value) in entries { lines.append("\(key) = \(value)") }
    }
    section(
      "banner",
      [
        ("grace-delay", Self.quoted(DurationText.text(banner.graceDelay))),
        ("hide-delay", Self.quoted(DurationText.text(banner.hideDelay))),
        ("motion", Self.quoted(banner.motion.rawValue)),
        ("contrast", Self.quoted(banner.contrast.rawValue)),
      ])
    section("banner.offline", Self.entries(banner.offline))
    section("banner.restored", Self.entries(banner.restored))
    section("banner.limited", Self.entries(banner.limited))
    section(
      "path",
      [
        ("ignore", Self.list(path.ignored)),
        ("expensive", Self.list(path.expensive)),
        ("constrained", Self.list(path.constrained)),
        ("targets", Self.table(path.targets)),
      ])
    section("tmux", [("reserve", Self.quoted(tmux.reserve.rawValue))])
    section(
      "toast",
      [
        ("policy", Self.quoted(toast.policy.rawValue)),
        ("duration", Self.quoted(DurationText.text(toast.duration))),
        ("edge", Self.quoted(toast.edge.rawValue)),
        ("focus-key", Self.quoted(ControlKey.text(toast.input.focusKey))),
        ("mouse", toast.input.mouse ? "true" : "false"),
      ])
    for style in ToastStyle.allCases {
      let colors = toast.appearances[style].map(Self.entries)?.filter { ["background", "text"].contains($0.key) }
      section("toast.\(style.rawValue)", colors ?? [])
    }
    let check = check ?? .standard
    section(
      "check",
      [
        ("url", Self.quoted(self.check?.url.text ?? "")),
        ("expect-status", String(check.expectedStatus)),
        ("expect-body", Self.quoted(check.expectedBody ?? "")),
        ("interval", Self.quoted(DurationText.text(check.interval))),
        ("timeout", Self.quoted(DurationText.text(check.timeout))),
      ])
    section(
      "hooks",
      [
        ("on-offline", Self.quoted(hooks.onOffline ?? "")), ("on-online", Self.quoted(hooks.onOnline ?? "")),
        ("on-inset", Self.quoted(hooks.onInset ?? "")),
      ])
    section("history", [("keep", String(history.keep))])
    section("metrics", [("textfile", Self.quoted(metrics.textfile ?? ""))])
    return lines.joined(separator: "\n") + "\n"
  }

  private static func entries(_ appearance: Appearance) -> [(key: String, value: String)] {
    [
      ("title", quoted(appearance.title)),
      ("background", quoted(appearance.backgroundColor.description)),
      ("text", quoted(appearance.textColor.description)),
      ("bold", appearance.attributes.contains(.bold) ? "true" : "false"),
      ("height", String(appearance.height)),
      ("title-top-inset", String(appearance.titleTopInset)),
    ]
  }

  private static func list(_ globs: [InterfaceGlob]) -> String {
    "[" + globs.map { quoted($0.pattern) }.joined(separator: ", ") + "]"
  }

  private static func table(_ targets: [PathTarget]) -> String {
    let members = targets.map { "\($0.name) = \(quoted($0.network.description))" }
    return members.isEmpty ? "{}" : "{ " + members.joined(separator: ", ") + " }"
  }

  /// A basic string (TOML 1.0.0): the quote, the backslash and the three control characters escaped that an expected text may have.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\"", "\\": result += "\\" + String(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
