internal import Banner
internal import PathModel
internal import TOMLKit

extension Configuration {
  /// Reads a whole file's text. Every problem is reported, not only the first; a value that is wrong leaves its default.
  ///
  /// - Parameter path: how the file is called in diagnostics.
  /// - Returns: the configuration, to be used only if no diagnostic is an error.
  public static func parse(
    _ text: String, path: String
  ) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
    var configuration = Configuration()
    let locator = KeyLocator(text)
    if let (place, message) = locator.trap {
      return (
        configuration,
        [
          Diagnostic(
            severity: .error, path: path, line: place.line, column: place.column, key: "",
            message: "not TOML: \(message)")
        ]
      )
    }
    let root: [String: TOMLNode]
    do {
      guard case .table(let table) = try TOMLNode.parse(text) else { return (configuration, []) }
      root = table
    } catch {
      return (configuration, [syntaxDiagnostic(error, path: path)])
    }
    let diagnostics = Diagnostics(path: path, locator: locator)
    var reader = SectionReader(root, path: [], diagnostics: diagnostics)
    reader.section("banner") { configuration.banner.read(&$0) }
    reader.section("path") { configuration.path.read(&$0) }
    reader.section("tmux") { configuration.tmux.read(&$0) }
    reader.section("toast") { configuration.toast.read(&$0) }
    reader.section("hooks") { configuration.hooks.read(&$0) }
    reader.section("history") { configuration.history.read(&$0) }
    reader.section("metrics") { configuration.metrics.read(&$0) }
    reader.reportUnknownKeys()
    return (configuration, diagnostics.all.sorted { ($0.line, $0.column, $0.key) < ($1.line, $1.column, $1.key) })
  }

  private static func syntaxDiagnostic(_ error: TOMLParseError, path: String) -> Diagnostic {
    Diagnostic(
      severity: .error, path: path, line: max(1, error.source.begin.line), column: max(1, error.source.begin.column),
      key: "", message: "not TOML: \(error.description)")
  }
}

extension BannerSettings {
  mutating func read(_ reader: inout SectionReader) {
    reader.duration("grace-delay", in: .zero ... .seconds(60), &graceDelay)
    reader.duration("hide-delay", in: .zero ... .seconds(600), &hideDelay)
    reader.choice("motion", &motion)
    reader.choice("contrast", &self.contrast)
    reader.section("offline") { offline.read(&$0) }
    reader.section("restored") { restored.read(&$0) }
  }
}

extension Appearance {
  mutating func read(_ reader: inout SectionReader) {
    reader.title("title", &title)
    reader.color("background", &backgroundColor)
    reader.color("text", &textColor)
    var isBold = attributes.contains(.bold)
    reader.boolean("bold", &isBold)
    if isBold { attributes.insert(.bold) } else { attributes.remove(.bold) }
    reader.integer("height", in: 1...8, &height)
    reader.integer("title-top-inset", in: 0...7, &titleTopInset)
    if titleTopInset >= height {
      // The key that is written is the one to look at; a default never exceeds a height.
      reader.error(
        "title-top-inset",
        "is \(titleTopInset), but the title must fit into height = \(height); allowed are 0 to \(height - 1)")
    }
    warnOfContrast(reader)
  }

  mutating func readColors(_ reader: inout SectionReader) {
    reader.color("background", &backgroundColor)
    reader.color("text", &textColor)
    warnOfContrast(reader)
  }

  private func warnOfContrast(_ reader: SectionReader) {
    // The built-in pairs are good: one of the two was written.
    if let warning = contrastWarning {
      reader.warning(reader.has("text") ? "text" : "background", warning.description)
    }
  }
}

extension PathOptions {
  mutating func read(_ reader: inout SectionReader) {
    reader.globs("ignore", &ignored)
    reader.globs("expensive", &expensive)
    reader.globs("constrained", &constrained)
    reader.targets("targets", &targets)
  }
}

extension Configuration.TmuxSettings {
  mutating func read(_ reader: inout SectionReader) {
    reader.choice("reserve", &reserve)
  }
}

extension Configuration.Hooks {
  mutating func read(_ reader: inout SectionReader) {
    reader.command("on-offline", &onOffline)
    reader.command("on-online", &onOnline)
    reader.command("on-inset", &onInset)
  }
}

extension Configuration.HistorySettings {
  mutating func read(_ reader: inout SectionReader) {
    reader.integer("keep", in: 0...10_000, &keep)
  }
}

extension Configuration.Metrics {
  mutating func read(_ reader: inout SectionReader) {
    reader.metricsFile("textfile", &textfile)
  }
}

extension Configuration.ToastDefaults {
  mutating func read(_ reader: inout SectionReader) {
    reader.choice("policy", &policy)
    reader.duration("duration", in: .zero ... .seconds(3600), &duration)
    let least = ToastContent.minimumDuration
    if duration != .zero, duration < least {
      let text = DurationText.text(least)
      reader.error(
        "duration", "is less than \"\(text)\"; allowed are \"\(text)\" and more, and \"0s\" for until it is dismissed")
    }
    reader.choice("edge", &edge)
    reader.controlKey("focus-key", &input.focusKey)
    reader.boolean("mouse", &input.mouse)
    for style in ToastStyle.allCases {
      reader.section(style.rawValue) { appearances[style]!.readColors(&$0) }
    }
  }
}
