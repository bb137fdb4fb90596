/// The explanation of each table and key, for the documented file and the manual page.
enum ConfigurationWords {
  static let head = """
    Overline's configuration: every key with its default. It lies at $XDG_CONFIG_HOME/overline/config.toml \
    (~/.config/overline/config.toml). A key that is missing there keeps its default.

    Durations are strings with a unit, "250ms", "1.5s", "1m" or "2h", or numbers of seconds: 2, 0.5. Colours are "#rrggbb" or the name \
    of one of the terminal's colours: "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", and each as "bright-red".

    The monitor and windows follow the file; other commands read it when they start. "overline config check" prints what is wrong in a \
    file, "overline config show" what is in effect.
    """

  /// The text of a table (`banner`) or a key (`banner.motion`). A key without a text has that of the key of the same name in the
  /// first table beside its own.
  static func text(_ name: String) -> String? { texts.first { $0.name == name }?.text }

  private static let texts: [(name: String, text: String)] = [
    ("banner", "When the banner shows, and for how long."),
    (
      "banner.grace-delay",
      """
      How long the network must be offline before the banner shows, "0s" to "60s". A quarter of a second hides a roam between access \
      points and still feels instant. The words in bars and the hooks wait too; prompts, "overline status" and "overline wait" do not.
      """
    ),
    ("banner.hide-delay", "How long \"Back online\" stays, \"0s\" to \"600s\"."),
    ("banner.motion", "Slides and fades: \"on\", \"off\", or \"auto\" (where the terminal and ACCESSIBLE allow it)."),
    (
      "banner.contrast",
      """
      When a text is hard to read on its background (a contrast below 4.5:1): "warn" shows it as asked and prints a warning, "enforce" \
      corrects the colour of the text.
      """
    ),
    ("banner.offline", "The banner while there is no network."),
    ("banner.offline.title", "One line of text."),
    ("banner.offline.background", "The colour of the banner."),
    ("banner.offline.text", "The colour of the text."),
    ("banner.offline.bold", "Whether the text is bold."),
    (
      "banner.offline.height",
      """
      Rows of the banner, 1 to 8. tmux and terminals of fewer than 16 rows always give it one; in a terminal of fewer than 5 rows \
      "overline run" shows none.
      """
    ),
    ("banner.offline.title-top-inset", "Rows of background above the title, less than height."),
    ("banner.restored", "The banner once the network is back."),
    (
      "banner.limited",
      "The banner of a limited connection: the network is online, but connections get no answers, or the server of [check] does not answer as expected."
    ),
    (
      "path",
      "Which interfaces count, and as what. Names of interfaces may contain * ? and [a-z]: [\"docker*\", \"veth*\"]."
    ),
    ("path.ignore", "Interfaces that Overline ignores."),
    (
      "path.expensive",
      "Interfaces that cost money by use. Cellular ones and Bluetooth tethers are expensive without being named."
    ),
    ("path.constrained", "Interfaces to be used sparingly."),
    (
      "path.targets",
      """
      Networks that must be reachable, each by a name of yours: { office = "10.20.0.0/16", nas = "192.0.2.7" }. "overline path" prints \
      the kernel's route to the first address of each; "overline wait --target office" waits for one. At most 32. A private network is \
      not reachable by the default route alone, because that route also exists without the VPN. On a machine inside the network write \
      office = { network = "10.20.0.0/16", by-route = "any" }.
      """
    ),
    ("tmux", "The banner in tmux."),
    (
      "tmux.reserve",
      """
      The line for the banner: "auto" adds a status line while the banner shows, "always" keeps an empty one, "never" adds none and \
      only sets #{OVERLINE_TEXT} for your own status line.
      """
    ),
    ("toast", "Short messages: \"overline toast\"."),
    (
      "toast.policy",
      """
      A toast that is posted while another one shows: "queue" shows it after the other one, "replace" instead of it, "ignore" drops it.
      """
    ),
    (
      "toast.duration",
      "The duration of a toast without --duration: \"3s\" to \"3600s\", or \"0s\" for until it is dismissed."
    ),
    ("toast.edge", "The edge for a toast without --edge: \"top\" or \"bottom\"."),
    (
      "toast.focus-key",
      """
      The key after which Escape dismisses a toast, such as "ctrl-t" (but not c, h, i, j, m, q, s or z, which are keys already), or "" \
      for none: then Overline looks at no key, and Escape belongs to the program.
      """
    ),
    (
      "toast.mouse",
      """
      Whether toasts can be clicked away and dragged with the mouse also in programs that do not use it. While a toast shows, the mouse \
      then selects no text.
      """
    ),
    ("toast.info", "The colours of each style."),
    ("toast.info.background", "The colour of the toast."),
    ("toast.info.text", "The colour of its text."),
    (
      "check",
      """
      Asks a server of your choice whether the network leads to the internet, with curl(1), while the kernel has a route. The monitor \
      asks at once after a change, then at the interval, and more often after a failure. A failure is another answer than the expected \
      one, or none. Two failures in a row are a limited connection: a captive portal, or no internet behind the router. "overline wait \
      --check" asks too.
      """
    ),
    (
      "check.use",
      "A public server with the answer that it gives: \"mozilla\", \"gnome\" or \"ubuntu\"; \"\" asks the server of url."
    ),
    (
      "check.url",
      """
      The server to ask, such as "http://detectportal.firefox.com/success.txt"; "" is no check. https also detects a portal that poses \
      as the server. Redirects are not followed: a portal sends them.
      """
    ),
    ("check.expect-status", "The status of the answer, 200 to 599."),
    (
      "check.expect-body",
      """
      The text of the answer without the white space around it; "" accepts any. Only a text such as "success", or a server that answers \
      204, detects a portal that answers 200 to everything.
      """
    ),
    ("check.interval", "From one answer to the next question, \"1s\" to \"86400s\"."),
    ("check.timeout", "How long an answer may take, \"100ms\" to \"60s\"."),
    ("answers", "What the kernel knows about answers."),
    ("answers.router", "Whether a router that does not answer the kernel is an outage."),
    (
      "answers.connections",
      """
      Whether a connection is limited when TCP connections to several hosts beyond the router are not acknowledged, and nothing else \
      comes.
      """
    ),
    (
      "answers.sent",
      """
      Whether a connection is limited when this machine itself stops what TCP connections to several hosts beyond the router send (a kill \
      switch, a firewall, an IPsec policy), and nothing else leaves it. The banner shows for a minute.
      """
    ),
    (
      "answers.kick",
      """
      Whether the monitor, a window, "overline wait" and "overline path --record" may send empty UDP datagrams: to a router that stopped \
      answering, at most every 5 seconds, so that the end of the outage is noticed at once; four in 45 seconds to each other router, which \
      may be silent too; one after an outage, which lasts until the router answers; and one to a router behind which nothing answers. Without \
      them the next packet of another program shows what the router does, and no outage waits for a router.
      """
    ),
    (
      "answers.ask",
      """
      Whether the monitor, a window, "overline wait" and "overline path --record" may each open a TCP connection to a host that stopped \
      answering, at most every 5 seconds and one at a time, while nothing else answers. TCP itself tries again more and more rarely; with \
      these connections the end of a long outage is noticed within seconds. Each is to the address and port of a connection that a \
      program of any user has open, carries no data, and is closed at once; the server may log it.
      """
    ),
    (
      "answers.classic",
      """
      Whether only the claims of Overline 0.2 are made. Then an outage ends when a route is back, whether the router answers or not; a \
      router counts as silent only if it has answered before; and refused connections, unsent data and a tunnel that leads into itself are no claims. \
      A claim that 0.2 made without proof does not come back.
      """
    ),
    (
      "answers.program",
      """
      "overline run" shows "ssh: last answer 14 s ago" when a key was typed, the program printed nothing, and the program's server has \
      acknowledged nothing for this time: "0s" to "600s"; "0s" is never. It shows "ssh: cannot send" when this machine does not send what \
      the program writes.
      """
    ),
    (
      "hooks",
      """
      Commands for sh that the monitor runs. They find what "overline status --format env" prints in their environment, and what they \
      print is in the monitor's log. One of each runs at a time; what happens meanwhile runs it once more (on-target: once for each \
      network), with the newest state. After 30 seconds, 64 KiB or 100 lines of output, it is ended, with its process group. As a service \
      of systemd they get no privileges (sudo): NoNewPrivileges= is set. "" is none.
      """
    ),
    ("hooks.on-offline", "Runs when the network is offline for longer than grace-delay."),
    (
      "hooks.on-online",
      "Runs when an outage ends, also if the connection is limited then, and when a limited connection ends."
    ),
    ("hooks.on-limited", "Runs when the connection is limited for longer than grace-delay."),
    ("hooks.on-inset", "Runs when the banner takes its rows or gives them back."),
    (
      "hooks.on-target",
      """
      Runs when a network of [path] targets becomes reachable, or has been unreachable for longer than grace-delay; once for each such \
      network. OVERLINE_TARGET is its name, OVERLINE_TARGET_STATE is "reachable", "unreachable", or "default-route" for a private \
      network that only the default route covers, as after the end of its VPN.
      """
    ),
    ("history", "What \"overline history\" remembers."),
    ("history.keep", "The number of outages, 0 to 10000; 0 for no history."),
    ("metrics", "Figures for Prometheus; \"overline metrics\" prints them too."),
    (
      "metrics.textfile",
      """
      A file for the textfile collector of Prometheus' node exporter, such as \
      "/var/lib/prometheus/node-exporter-overline/overline.prom": an absolute path that ends in ".prom", in a folder of yours. "" is \
      none. It is written at changes, and removed when the monitor ends.
      """
    ),
  ]
}
