import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The metrics for Prometheus, checked by Prometheus's own tools.
@Suite(.ownThread) struct MetricsTests {
  private static let configuration =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/config/prometheus"

  private func promtool(_ arguments: [String], input: String = "") throws -> Subprocess.Result {
    try Subprocess.run(
      "promtool", arguments, input: Array(input.utf8), environment: TmuxTestServer.environment, timeout: .seconds(60))
  }

  private func read(_ path: String) -> String { String(decoding: (try? Files.read(path)) ?? [], as: UTF8.self) }

  @Test func theFileIsKeptUpToDateAndRemovedAtTheEnd() throws {
    let world = try World()
    let file = "\(world.folder)/overline.prom"
    try world.configure("[metrics]\ntextfile = \"\(file)\"\n")
    let monitor = try world.startMonitor()
    #expect(eventually { read(file).contains("overline_state{state=\"online\"} 1\n") })
    try world.pullTheCable()
    #expect(eventually { read(file).contains("overline_state{state=\"offline\"} 1\n") })
    #expect(read(file).contains("overline_outages_total 1\n"))
    // The exporter is another user.
    #expect(try Files.attributes(file).permissions == 0o644)
    let checked = try promtool(["check", "metrics"], input: read(file))
    #expect(checked.status == 0)
    #expect(checked.outputText + checked.errorText == "")
    try world.plugTheCable()
    #expect(eventually { read(file).contains("overline_state{state=\"online\"} 1\n") })
    #expect(!read(file).contains("overline_offline_seconds_total 0.000\n"))

    let other = "\(world.folder)/other.prom"
    try world.configure("[metrics]\ntextfile = \"\(other)\"\n")
    #expect(eventually { read(other).contains("overline_state") && !Files.exists(file) })
    #expect(monitor.end(.terminate) == 0)
    #expect(!Files.exists(other))
  }

  /// A network that requires a hotel's log-in is not lost.
  @Test func aLimitedConnectionIsAStateAndNoOutage() throws {
    let world = try World()
    let server = try PortalServer(world, .redirect)
    let file = "\(world.folder)/overline.prom"
    try world.configure(
      "[check]\nurl = \"\(PortalServer.url)\"\ninterval = \"1s\"\n[metrics]\ntextfile = \"\(file)\"\n")
    let monitor = try world.startMonitor()
    func waitForState(_ state: String) throws {
      if !eventually({ read(file).contains("overline_state{state=\"\(state)\"} 1\n") }) {
        throw TestKitError("waited in vain for \(state); there was: \(read(file))")
      }
    }
    try waitForState("limited")
    #expect(read(file).contains("overline_state{state=\"online\"} 0\n"))
    #expect(try world.overline("metrics").outputText.contains("overline_state{state=\"limited\"} 1\n"))
    try world.pullTheCable()
    try waitForState("offline")
    try world.plugTheCable()
    try waitForState("limited")
    try server.answer(.good)
    try waitForState("online")
    #expect(read(file).contains("overline_outages_total 1\n"))
    #expect(!read(file).contains("overline_limited_seconds_total 0.000\n"))
    #expect(monitor.end(.terminate) == 0)
    let history = try world.overline("history", "--json").outputText
    // A limited connection is no outage, and an outage ends it.
    #expect(history.ranges(of: "\"reason\":\"no-carrier\"").count == 1)
    #expect(history.ranges(of: "\"reason\":\"captive-portal\"").count == 2)
    let text = try world.overline("history").outputText
    #expect(text.contains("limited via eth0: log in: http://127.0.0.1:8000/login"))
    #expect(text.contains("▒ limited") || text.contains("~ limited"))
  }

  @Test func aKilledMonitorsFileIsRemovedOrReplaced() throws {
    let world = try World()
    let file = "\(world.folder)/overline.prom"
    try world.configure("[metrics]\ntextfile = \"\(file)\"\n")
    for nextStep in ["clean-up", "monitor"] {
      let monitor = try world.startMonitor()
      try world.pullTheCable()
      #expect(eventually { read(file).contains("overline_state{state=\"offline\"} 1\n") })
      try world.plugTheCable()
      #expect(eventually { read(file).contains("overline_state{state=\"online\"} 1\n") })
      // The monitor runs, so its file must stay.
      #expect(try world.overline("clean-up").status == 0)
      #expect(Files.exists(file))
      monitor.end(.kill)
      #expect(read(file).contains("overline_outages_total 1\n"))
      if nextStep == "clean-up" {
        #expect(try world.overline("clean-up").status == 0)
        #expect(!Files.exists(file))
      } else {
        let next = try world.startMonitor()
        #expect(eventually { read(file).contains("overline_outages_total 0\n") })
        #expect(next.end(.terminate) == 0)
      }
    }
  }

  @Test func theCommandPrintsOpenMetrics() throws {
    let world = try World()
    #expect(try world.overline("metrics").status == 69)
    let monitor = try world.startMonitor()
    let text = try world.overline("metrics").outputText
    #expect(text.hasSuffix("# EOF\n"))
    #expect(text.contains("# TYPE overline_outages counter\noverline_outages_total 0\n"))
    // A database needs time stamps; otherwise it is as strict as a scrape.
    let stamped = text.split(separator: "\n").map { $0.hasPrefix("#") ? "\($0)\n" : "\($0) 1795132800\n" }.joined()
    let file = "\(world.folder)/metrics"
    try Files.replace(file, with: Array(stamped.utf8))
    let read = try promtool(["tsdb", "create-blocks-from", "openmetrics", file, "\(world.folder)/blocks"])
    #expect(read.status == 0, "\(read.outputText)\(read.errorText)")
    // It checks: the same text without its end is refused.
    try Files.replace(file, with: Array(stamped.dropLast("# EOF\n".count).utf8))
    #expect(try promtool(["tsdb", "create-blocks-from", "openmetrics", file, "\(world.folder)/blocks"]).status != 0)
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func aFileThatCannotBeWrittenIsOneSentence() throws {
    let world = try World()
    try world.configure("[metrics]\ntextfile = \"/nonexistent/overline.prom\"\n")
    let monitor = try world.startMonitor()
    try monitor.errors.first("why") {
      $0.contains("the metrics cannot be written: cannot write /nonexistent/overline.prom")
    }
    try world.pullTheCable()
    try monitor.lines.first("the outage") { $0.contains("no carrier") }
    #expect(monitor.end(.terminate) == 0)
    #expect(monitor.errors.values.count == 1)
  }

  /// Debian's exporter, the guide's lines, and an ordinary user's monitor. The exporter's unit reads `/etc/default`, and runs as another
  /// user.
  @Test(
    "the guide's path to the node exporter works on Debian",
    .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can become the exporter's user and the monitor's"))
  func theGuidesLines() throws {
    let world = try World()
    let guide = try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/History.md")
    let lines = try #require(guide.blocks.first { $0.language == "console" && $0.text.contains("node-exporter") }?.text)
    let settings = try #require(guide.blocks.first { $0.language == "toml" && $0.text.contains("textfile") }?.text)
    let (home, bin) = ("\(world.folder)/me", "\(world.folder)/bin")
    for folder in [home, bin, "\(home)/overline"] { try Files.makePrivateDirectory(folder) }
    try Files.replace("\(home)/overline/config.toml", with: Array("\(settings)\n".utf8))
    // sudo runs its command; the test starts the exporter itself.
    try Files.replace("\(bin)/sudo", with: Array("#!/bin/sh\nexec \"$@\"\n".utf8), permissions: 0o755)
    try Files.replace("\(bin)/systemctl", with: Array("#!/bin/sh\necho \"$@\"\n".utf8), permissions: 0o755)
    // The folders and the file as the package installs them.
    let script = """
      chmod 711 \(world.folder) && chmod 755 \(bin) && cp \(World.executable) "$(command -v prometheus-node-exporter)" \(bin) && chown -R 65534:65534 \(home) || exit
      mount -t tmpfs -o mode=755 tmpfs /var/lib && mount -t tmpfs -o mode=755 tmpfs /etc/default || exit
      mkdir -p /var/lib/prometheus/node-exporter
      echo 'apt_upgrades_pending 7' >/var/lib/prometheus/node-exporter/apt.prom
      printf '# Set the command-line arguments.\\nARGS=""\\n' >/etc/default/prometheus-node-exporter
      user="setpriv --reuid 65534 --regid 65534 --clear-groups"
      prometheus="setpriv --reuid 65533 --regid 65533 --clear-groups"
      export XDG_RUNTIME_DIR=\(home) XDG_CONFIG_HOME=\(home) XDG_STATE_HOME=\(home)
      $user \(bin)/overline doctor | grep ' metrics '
      PATH=\(bin):$PATH USER=65534 sh -euc "$1" || exit
      $user \(bin)/overline doctor | grep ' metrics '
      . /etc/default/prometheus-node-exporter
      $prometheus \(bin)/prometheus-node-exporter --collector.disable-defaults --collector.textfile $ARGS --web.listen-address=127.0.0.1:9100 &
      exporter=$!
      $user \(bin)/overline monitor >/dev/null &
      monitor=$!
      for state in online offline; do
        [ $state = online ] || ip link set eth0p down
        count=0
        until curl -s http://127.0.0.1:9100/metrics | grep '^overline_state{state="'$state'"} 1'; do
          count=$((count + 1)); [ $count -lt 300 ] || exit; sleep 0.1
        done
      done
      curl -s http://127.0.0.1:9100/metrics | grep -E '^(apt_upgrades_pending|node_textfile_scrape_error) '
      ls -l /var/lib/prometheus/node-exporter
      kill $monitor; wait $monitor; ls /var/lib/prometheus/node-exporter-overline; kill $exporter
      """
    let result = try world.namespace.inside {
      try Subprocess.run(
        "unshare", ["--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", script, "sh", lines],
        environment: world.environment, timeout: .seconds(90))
    }
    let printed = result.outputText.split(separator: "\n").map(String.init)
    #expect(printed.contains("restart prometheus-node-exporter"), "\(result.errorText)")
    #expect(printed.first?.hasPrefix("problem  metrics ") == true, "\(printed)")
    #expect(
      printed.contains(
        "ok       metrics        the figures are written to /var/lib/prometheus/node-exporter-overline/overline.prom"),
      "\(printed)")
    for line in [
      "overline_state{state=\"online\"} 1", "overline_state{state=\"offline\"} 1", "apt_upgrades_pending 7",
      "node_textfile_scrape_error 0",
    ] { #expect(printed.contains(line), "\(printed)\n\(result.errorText)") }
    // Root's folder stays root's, and the monitor's end leaves its own empty.
    #expect(printed.last?.hasSuffix(" apt.prom") == true, "\(printed)")
  }

  @Test func theAlertsAreAsTheirTestsWantThem() throws {
    #expect(try promtool(["check", "rules", "\(Self.configuration)/alerts.yml"]).status == 0)
    let tested = try promtool(["test", "rules", "\(Self.configuration)/alerts.test.yml"])
    #expect(tested.status == 0, "\(tested.outputText)\(tested.errorText)")
  }

  /// A real Prometheus scrapes a real node exporter, in a namespace; its alert waits a second instead of a minute.
  @Test func anOutageRaisesTheAlertAndItsEndTakesItBack() throws {
    let world = try World()
    try Files.makePrivateDirectory("\(world.folder)/text")
    try world.configure("[metrics]\ntextfile = \"\(world.folder)/text/overline.prom\"\n")
    let rules = read("\(Self.configuration)/alerts.yml")
    try Files.replace("\(world.folder)/alerts.yml", with: Array(rules.replacing("for: 1m", with: "for: 1s").utf8))
    let settings = """
      global: {scrape_interval: 200ms, evaluation_interval: 200ms}
      rule_files: [alerts.yml]
      scrape_configs:
        - job_name: node
          static_configs: [{targets: ["127.0.0.1:9100"]}]

      """
    try Files.replace("\(world.folder)/prometheus.yml", with: Array(settings.utf8))
    func start(_ program: String, _ arguments: String...) throws -> TestProgram {
      try world.namespace.inside { try TestProgram(program, arguments, environment: world.environment) }
    }
    let exporter = try start(
      "prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
      "--collector.textfile.directory=\(world.folder)/text", "--web.listen-address=127.0.0.1:9100")
    let prometheus = try start(
      "prometheus", "--config.file=\(world.folder)/prometheus.yml", "--storage.tsdb.path=\(world.folder)/data",
      "--web.listen-address=127.0.0.1:9090")
    let monitor = try world.startMonitor()
    func isFiring() throws -> Bool {
      let query = #"ALERTS{alertname="OverlineOffline",alertstate="firing"}"#
      let answer = try world.namespace.inside {
        try Subprocess.run("promtool", ["query", "instant", "http://127.0.0.1:9090", query])
      }
      return answer.outputText.contains("127.0.0.1:9100")
    }
    func isScraped() throws -> Bool {
      try world.namespace.inside {
        try Subprocess.run("promtool", ["query", "instant", "http://127.0.0.1:9090", "overline_build_info"])
      }.outputText.contains("version")
    }
    #expect(try eventually(within: .seconds(60)) { try isScraped() })
    #expect(try !isFiring())
    try world.pullTheCable()
    #expect(try eventually(within: .seconds(30)) { try isFiring() })
    try world.plugTheCable()
    #expect(try eventually(within: .seconds(30)) { try !isFiring() })
    withExtendedLifetime((exporter, prometheus, monitor)) {}
  }
}
