internal import NetworkPath
internal import Overline

// Each key: how it is read, and its words for the documented file, the guide and the manual page.

extension Configuration {
  mutating func read(_ reader: inout SectionReader) {
    reader.section("banner", "When the banner shows, and for how long.") { banner.read(&$0) }
    reader.section(
      "path",
      """
      Which interfaces count, and as what. Names of interfaces may contain * ? and [a-z]: ["docker*", "veth*"].
      """
    ) { path.read(&$0) }
    reader.section("tmux", "The banner in tmux.") { tmux.read(&$0) }
    reader.section("toast", "Short messages: \"overline toast\".") { toast.read(&$0) }
    reader.section(
      "check",
      """
      Asks a server of your choice whether the network leads to the internet, with curl(1), while the kernel has a route. The monitor \
      asks at once after a change, then at the interval, and more often after a failure. A failure is another answer than the expected \
      one, or none. Two failures in a row are a limited connection: a captive portal, or no internet behind the router. "overline wait \
      --check" asks too.
      """
    ) { CheckSettings.read(&$0, into: &check) }
    reader.section("answers", "What the kernel knows about answers.") { answers.read(&$0, &path) }
    reader.section("quality", "How good the connection is.") { quality.read(&$0) }
    reader.section(
      "hooks",
      """
      Commands for sh that the monitor runs. They find what "overline status --format env" prints in their environment, and what they \
      print is in the monitor's log. One of each runs at a time; what happens meanwhile runs it once more (on-target: once for each \
      network), with the newest state. After 30 seconds, 64 KiB or 100 lines of output, it is ended, with its process group. As a service \
      of systemd they get no privileges (sudo): NoNewPrivileges= is set. "" is none.
      """
    ) { hooks.read(&$0) }
    reader.section("history", "What \"overline history\" remembers.") { history.read(&$0) }
    reader.section("quiet", "When no banner and no toast shows; \"overline pause\" is for once.") { quiet.read(&$0) }
    reader.section("metrics", "Figures for Prometheus; \"overline metrics\" prints them too.") { metrics.read(&$0) }
  }
}

extension BannerSettings {
  mutating func read(_ reader: inout SectionReader) {
    reader.duration(
      "grace-delay", in: .zero ... .seconds(60), &graceDelay,
      """
      How long the network must be offline before the banner shows, "0s" to "60s". A quarter of a second hides a roam between access \
      points and still feels instant. The words in bars and the hooks wait too; prompts, "overline status" and "overline wait" do not.
      """)
    reader.duration(
      "hide-delay", in: .zero ... .seconds(600), &hideDelay,
      "How long \"Back online\" stays, \"0s\" to \"600s\".")
    reader.choice(
      "motion", &motion,
      """
      Slides and fades: "on", "off", or "auto" (where the terminal and ACCESSIBLE allow it).
      """)
    reader.choice(
      "contrast", &self.contrast,
      """
      When a text is hard to read on its background (a contrast below 4.5:1): "warn" shows it as asked and prints a warning, "enforce" \
      corrects the colour of the text.
      """)
    reader.section("offline", "The banner while there is no network.") { offline.read(&$0) }
    reader.section("restored", "The banner once the network is back.") { restored.read(&$0) }
    reader.section(
      "limited",
      """
      The banner of a limited connection: the network is online, but connections get no answers, or the server of [check] does not \
      answer as expected.
      """
    ) { limited.read(&$0) }
  }
}

extension BannerAppearance {
  mutating func read(_ reader: inout SectionReader) {
    reader.title("title", &title, "One line of text.")
    reader.color("background", &backgroundColor, "The colour of the banner.")
    reader.color("text", &textColor, "The colour of the text.")
    var isBold = attributes.contains(.bold)
    reader.boolean("bold", &isBold, "Whether the text is bold.")
    if isBold { attributes.insert(.bold) } else { attributes.remove(.bold) }
    reader.integer(
      "height", in: 1...8, &height,
      """
      Rows of the banner, 1 to 8. tmux and terminals of fewer than 16 rows always give it one; in a terminal of fewer than 5 rows \
      "overline run" shows none.
      """)
    reader.integer(
      "title-top-inset", in: 0...7, &titleTopInset,
      "Rows of background above the title, less than height.")
    if titleTopInset >= height {
      // Report the error at the inset, which is in the file: the default inset is below every height.
      reader.error(
        "title-top-inset",
        "is \(titleTopInset), but the title must fit into height = \(height); allowed are 0 to \(height - 1)")
    }
    warnOfContrast(reader)
  }

  mutating func readColors(_ reader: inout SectionReader) {
    reader.color("background", &backgroundColor, "The colour of the toast.")
    reader.color("text", &textColor, "The colour of its text.")
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
    reader.globs("ignore", &ignored, "Interfaces that Overline ignores.")
    reader.globs(
      "expensive", &expensive,
      """
      Interfaces that cost money by use. Cellular ones and Bluetooth tethers are expensive without being named.
      """)
    reader.globs("constrained", &constrained, "Interfaces to be used sparingly.")
    reader.targets(
      "targets", &targets,
      """
      Networks that must be reachable, each by a name of yours: { office = "10.20.0.0/16", nas = "192.0.2.7" }. "overline path" prints \
      the kernel's route to the first address of each; "overline wait --target office" waits for one. At most 32. A private network is \
      not reachable by the default route alone, because that route also exists without the VPN. On a machine inside the network write \
      office = { network = "10.20.0.0/16", by-route = "any" }.
      """)
    reader.networks(
      "online-means", &onlineMeans,
      """
      For a network without the internet, such as a laboratory's: the machine is online if a route leads to the first address of any of \
      these networks, or to a server by its address: ["10.3.4.0/24", "10.9.0.1"]. An empty list means the internet. At most 8.
      """)
    reader.choice(
      "assume", &assumption,
      """
      "online" for a machine on which everything else fails: no outage is ever noticed, and every answer says so. "nothing" decides by the \
      kernel's routes.
      """)
  }
}

extension Configuration.TmuxSettings {
  mutating func read(_ reader: inout SectionReader) {
    reader.choice(
      "reserve", &reserve,
      """
      The line for the banner: "auto" adds a status line while the banner shows, "always" keeps an empty one, "never" adds none and \
      only sets #{OVERLINE_TEXT} for your own status line.
      """)
  }
}

extension Configuration.Answers {
  mutating func read(_ reader: inout SectionReader, _ path: inout PathOptions) {
    reader.boolean("router", &path.detectsSilence, "Whether a router that does not answer the kernel is an outage.")
    reader.boolean(
      "connections", &path.detectsNoAnswers,
      """
      Whether a connection is limited when TCP connections to several hosts beyond the router are not acknowledged, and nothing else \
      comes.
      """)
    reader.boolean(
      "sent", &path.detectsNotSent,
      """
      Whether a connection is limited when this machine itself stops what TCP connections to several hosts beyond the router send (a kill \
      switch, a firewall, an IPsec policy), and nothing else leaves it. The banner shows for a minute.
      """)
    reader.boolean(
      "kick", &path.mayKick,
      """
      Whether the monitor, a window, "overline wait" and "overline path --record" may send empty UDP datagrams: to a router that stopped \
      answering, at most every 5 seconds, so that the end of the outage is noticed at once; four in 45 seconds to each other router, which \
      may be silent too; one after an outage, which lasts until the router answers; and one to a router behind which nothing answers. Without \
      them the next packet of another program shows what the router does, and no outage waits for a router.
      """)
    reader.boolean(
      "ask", &path.mayAsk,
      """
      Whether the monitor, a window, "overline wait" and "overline path --record" may each open a TCP connection to a host that stopped \
      answering, at most every 5 seconds and one at a time, while nothing else answers. TCP itself tries again more and more rarely; with \
      these connections the end of a long outage is noticed within seconds. Each is to the address and port of a connection that a \
      program of any user has open, carries no data, and is closed at once; the server may log it.
      """)
    reader.boolean(
      "classic", &path.isClassic,
      """
      Whether Overline claims only what 0.2 claimed. Then an outage ends when a route is back, whether the router answers or not; a \
      router counts as silent only if it has answered before; and refused connections, unsent data and a tunnel that leads into itself are no claims. \
      A claim that 0.2 made without proof does not come back.
      """)
    reader.duration(
      "program", in: .zero ... .seconds(600), &program,
      """
      "overline run" shows "ssh: last answer 14 s ago" when a key was typed, the program printed nothing, and the program's server has \
      acknowledged nothing for this time: "0s" to "600s"; "0s" is never. It shows "ssh: cannot send" when this machine does not send what \
      the program writes.
      """)
    reader.duration(
      "lag", in: .zero ... .seconds(60), &lag,
      """
      "overline run" shows "ssh: slow, 0.8 s round trip" while keys are typed and the round trip to the program's server takes at least this \
      long: "0s" to "60s"; "0s" is never. It shows after a few keys.
      """)
  }
}

extension Configuration.Quality {
  mutating func read(_ reader: inout SectionReader) {
    reader.choice(
      "banner", &banner,
      """
      "poor" shows the banner of a limited connection while the quality is poor: a round trip takes a second or longer, or a tenth of the \
      data is sent again ("overline quality"). The monitor then looks at the TCP connections every 5 seconds, as long as the machine is online. \
      "off" never looks.
      """)
  }
}

extension Configuration.Quiet {
  mutating func read(_ reader: inout SectionReader) {
    reader.hours(
      "hours", &hours,
      """
      The hours of each day, such as "22:00-07:00", by this machine's clock and time zone. The monitor follows them. "" is none.
      """)
  }
}

extension Configuration.Hooks {
  mutating func read(_ reader: inout SectionReader) {
    reader.command("on-offline", &onOffline, "Runs when the network is offline for longer than grace-delay.")
    reader.command(
      "on-online", &onOnline,
      """
      Runs when an outage ends, also if the connection is limited then, and when a limited connection ends.
      """)
    reader.command("on-limited", &onLimited, "Runs when the connection is limited for longer than grace-delay.")
    reader.command("on-inset", &onInset, "Runs when the banner takes its rows or gives them back.")
    reader.command(
      "on-target", &onTarget,
      """
      Runs when a network of [path] targets becomes reachable, or has been unreachable for longer than grace-delay; once for each such \
      network. OVERLINE_TARGET is its name, OVERLINE_TARGET_STATE is "reachable", "unreachable", or "default-route" for a private \
      network that only the default route covers, as after the end of its VPN.
      """)
  }
}

extension Configuration.HistorySettings {
  mutating func read(_ reader: inout SectionReader) {
    reader.integer("keep", in: 0...10_000, &keep, "The number of outages, 0 to 10000; 0 for no history.")
  }
}

extension Configuration.Metrics {
  mutating func read(_ reader: inout SectionReader) {
    reader.metricsFile(
      "textfile", &textfile,
      """
      A file for the textfile collector of Prometheus' node exporter, such as \
      "/var/lib/prometheus/node-exporter-overline/overline.prom": an absolute path that ends in ".prom", in a folder of yours. "" is \
      none. It is written at changes, and removed when the monitor ends.
      """)
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
    reader.choice(
      "use", &server,
      """
      A public server with the answer that it gives: "mozilla", "gnome" or "ubuntu"; "" asks the server of url.
      """)
    reader.checkURL(
      "url", &url,
      """
      The server to ask, such as "http://detectportal.firefox.com/success.txt"; "" is no check. https also detects a portal that poses \
      as the server. Redirects are not followed: a portal sends them.
      """)
    reader.integer("expect-status", in: 200...599, &settings.expectedStatus, "The status of the answer, 200 to 599.")
    reader.expectedBody(
      "expect-body", &settings.expectedBody,
      """
      The text of the answer without the white space around it; "" accepts any. Only a text such as "success", or a server that answers \
      204, detects a portal that answers 200 to everything.
      """)
    if settings.expectedBody != nil, [204, 205, 304].contains(settings.expectedStatus) {
      reader.error(
        "expect-body", "is a text, but an answer with status \(settings.expectedStatus) has none; allowed is \"\"")
    }
    settings.interval = value?.interval ?? settings.interval
    settings.timeout = value?.timeout ?? settings.timeout
    reader.duration(
      "interval", in: .seconds(1) ... .seconds(86400), &settings.interval,
      "From one answer to the next question, \"1s\" to \"86400s\".")
    reader.duration(
      "timeout", in: .milliseconds(100) ... .seconds(60), &settings.timeout,
      "How long an answer may take, \"100ms\" to \"60s\".")
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
    reader.choice(
      "policy", &policy,
      """
      A toast that is posted while another one shows: "queue" shows it after the other one, "replace" instead of it, "ignore" drops it.
      """)
    reader.duration(
      "duration", in: .zero ... .seconds(3600), &duration,
      """
      The duration of a toast without --duration: "3s" to "3600s", or "0s" for until it is dismissed.
      """)
    let minimum = ToastContent.minimumDuration
    if duration != .zero, duration < minimum {
      let text = DurationText.text(minimum)
      reader.error(
        "duration", "is less than \"\(text)\"; allowed are \"\(text)\" and more, and \"0s\" for until it is dismissed")
    }
    reader.choice("edge", &edge, "The edge for a toast without --edge: \"top\" or \"bottom\".")
    reader.controlKey(
      "focus-key", &input.focusKey,
      """
      The key after which Escape dismisses a toast, such as "ctrl-t" (but not c, h, i, j, m, q, s or z, which are keys already), or "" \
      for none: then Overline looks at no key, and Escape belongs to the program.
      """)
    reader.boolean(
      "mouse", &input.mouse,
      """
      Whether toasts can be clicked away and dragged with the mouse also in programs that do not use it. While a toast shows, the mouse \
      then selects no text.
      """)
    for style in ToastStyle.allCases {
      reader.section(style.rawValue, style == .info ? "The colours of each style." : "") {
        appearances[style]!.readColors(&$0)
      }
    }
  }
}
