internal import NetworkPath
internal import Overline

extension Configuration {
  /// Parses the text of a file. Reports every problem, not only the first. For a wrong value the default stays.
  ///
  /// - Parameter path: the name of the file in diagnostics.
  /// - Returns: the configuration, usable only if no diagnostic is an error.
  package static func parse(
    _ text: String, path: String
  ) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
    var configuration = Configuration()
    let document: TOMLDocument
    do {
      document = try TOMLReader.read(text)
    } catch {
      return (configuration, [Diagnostic(error, path: path)])
    }
    let report = Report(path: path)
    var reader = SectionReader(document, report: report)
    configuration.read(&reader)
    reader.reportUnknownKeys()
    return (configuration, report.diagnostics.sorted { ($0.line, $0.column, $0.key) < ($1.line, $1.column, $1.key) })
  }

  /// Every key with its value in effect, for `overline config show`. This TOML parses to the same values.
  package var toml: String {
    sections.map { section in
      (["[\(section.name)]"] + section.values.map { "\($0.key) = \($0.value)" }).joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  /// Each table with its keys and their values as TOML.
  var sections: [(name: String, values: [(key: String, value: String)])] {
    // Reading an empty file changes nothing and visits every key.
    var copy = self
    let report = Report(path: "")
    var reader = SectionReader(TOMLDocument(), report: report)
    copy.read(&reader)
    return report.sections
  }

  private mutating func read(_ reader: inout SectionReader) {
    reader.section("banner") { banner.read(&$0) }
    reader.section("path") { path.read(&$0) }
    reader.section("tmux") { tmux.read(&$0) }
    reader.section("toast") { toast.read(&$0) }
    reader.section("check") { CheckSettings.read(&$0, into: &check) }
    reader.section("answers") { answers.read(&$0, &path) }
    reader.section("hooks") { hooks.read(&$0) }
    reader.section("history") { history.read(&$0) }
    reader.section("metrics") { metrics.read(&$0) }
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
    reader.section("limited") { limited.read(&$0) }
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
      // Report the error at the inset, which is in the file: the default inset is below every height.
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
    // The built-in colour pairs are readable, so the user must have set one of the two.
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

extension Configuration.Answers {
  mutating func read(_ reader: inout SectionReader, _ path: inout PathOptions) {
    reader.boolean("router", &path.detectsSilence)
    reader.boolean("connections", &path.detectsNoAnswers)
    reader.boolean("sent", &path.detectsNotSent)
    reader.boolean("kick", &path.mayKick)
    reader.boolean("ask", &path.mayAsk)
    reader.boolean("classic", &path.isClassic)
    reader.duration("program", in: .zero ... .seconds(600), &program)
  }
}

extension Configuration.Hooks {
  mutating func read(_ reader: inout SectionReader) {
    reader.command("on-offline", &onOffline)
    reader.command("on-online", &onOnline)
    reader.command("on-limited", &onLimited)
    reader.command("on-inset", &onInset)
    reader.command("on-target", &onTarget)
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

extension CheckSettings {
  /// The defaults of the keys that the file does not contain. There is no default URL.
  static let standard = CheckSettings(url: CheckURL("http://localhost")!)

  /// Nil without a server. The other keys are still checked.
  static func read(_ reader: inout SectionReader, into value: inout CheckSettings?) {
    // The settings of a known server are shown as its name, so that the shown file parses.
    var server = CheckServer.allCases.first { $0.settings?.hasSameAnswer(as: value) == true } ?? .own
    var url = server == .own ? value?.url : nil
    var settings = server == .own ? value ?? .standard : .standard
    reader.choice("use", &server)
    reader.checkURL("url", &url)
    reader.integer("expect-status", in: 200...599, &settings.expectedStatus)
    reader.expectedBody("expect-body", &settings.expectedBody)
    if settings.expectedBody != nil, [204, 205, 304].contains(settings.expectedStatus) {
      reader.error(
        "expect-body", "is a text, but an answer with status \(settings.expectedStatus) has none; allowed is \"\"")
    }
    settings.interval = value?.interval ?? settings.interval
    settings.timeout = value?.timeout ?? settings.timeout
    reader.duration("interval", in: .seconds(1) ... .seconds(86400), &settings.interval)
    reader.duration("timeout", in: .milliseconds(100) ... .seconds(60), &settings.timeout)
    if let known = server.settings {
      let use = "use = \"\(server.rawValue)\""
      if url != nil { reader.error("url", "is a server, but \(use) names another; remove one of the two") }
      if settings.expectedStatus != standard.expectedStatus {
        reader.error("expect-status", "is set, but \(use) decides which answer is expected; remove one of the two")
      }
      if settings.expectedBody != nil {
        reader.error("expect-body", "is set, but \(use) decides which answer is expected; remove one of the two")
      }
      url = known.url
      settings.expectedStatus = known.expectedStatus
      settings.expectedBody = known.expectedBody
    }
    if let url { settings.url = url }
    value = url == nil ? nil : settings
  }

  private func hasSameAnswer(as other: CheckSettings?) -> Bool {
    url == other?.url && expectedStatus == other?.expectedStatus && expectedBody == other?.expectedBody
  }
}

extension Configuration.ToastDefaults {
  mutating func read(_ reader: inout SectionReader) {
    reader.choice("policy", &policy)
    reader.duration("duration", in: .zero ... .seconds(3600), &duration)
    let minimum = ToastContent.minimumDuration
    if duration != .zero, duration < minimum {
      let text = DurationText.text(minimum)
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
