internal import NetworkPath
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem

/// Gathers the facts for the checks. Every question has a time limit, and nothing stays changed.
struct Examination {
  let options: CommonOptions
  private let folders = UserFolders()

  func findings() -> [Finding] {
    let configuration = Result { try Configuration.load(path: options.config) }
    let answer = Result { try self.answer() }
    let pathOptions = (try? configuration.get().configuration.path) ?? PathOptions()
    let tmuxVersion = said("tmux", "-V")
    var findings = [
      SystemChecks.kernel(release: (try? text("/proc/sys/kernel/osrelease")) ?? "?"),
      SystemChecks.netlink(
        opened: Result {
          try NWPath.current(options: pathOptions, word: RunningMonitor(options)?.word(pathOptions))
        }),
      SystemChecks.files(opened: Result { _ = try FileWatch() }, remedy: SystemError.remedyForFileWatches),
      SystemChecks.router(opened: Result { try NetlinkSockets.checkNeighbours() }),
      SystemChecks.connections(
        opened: Result { try NetlinkSockets.checkConnections() }),
      SystemChecks.quality(quality(pathOptions)),
      SystemChecks.answers(
        listed: Result { try SocketDiagnostics().check() },
        hasChildren: Files.exists("/proc/thread-self/children")),
      SystemChecks.privileges(userID: ProcessEnvironment.userID),
      MonitorChecks.directory(Result { try directory() }),
    ]
    findings += folders.ignored.map { MonitorChecks.ignored($0.name, $0.value) }
    findings += [
      history((try? configuration.get())?.configuration),
      MonitorChecks.monitor(answer, isAdvised: isAdvised(answer), version: Version.text),
      MonitorChecks.service(unit: unit, isActive: isServiceActive),
    ]
    findings += self.configuration(configuration)
    if let configuration = (try? configuration.get())?.configuration {
      findings += FeatureExamination(
        configuration, monitor: (try? answer.get())?.pid, tmuxVersion: tmuxVersion
      ).findings()
    }
    findings += ScreenChecks.tmux(version: tmuxVersion, server: tmuxServer(hasMonitor: (try? answer.get()) != nil))
    findings += ScreenChecks.terminal(environment: { ProcessEnvironment[$0] }, isTerminal: isTerminal(1))
    let shell = (ProcessEnvironment["SHELL"] ?? "").split(separator: "/").last.map(String.init) ?? ""
    findings.append(ScreenChecks.prompt(promptFacts(shell), shell: shell))
    return findings
  }

  private func quality(_ options: PathOptions) -> QualityReading {
    var meter = QualityMeter()
    if let watch = try? NWPath.QualityWatch(options: options), let look = try? watch.look().look {
      meter.take(look, at: .zero)
    }
    return meter.reading
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
  }

  /// The first line that a program prints; nil if it cannot be run, fails or takes too long.
  private func said(_ program: String, _ arguments: String...) -> String? {
    guard let result = try? Subprocess.run(program, arguments, timeout: .seconds(3)), result.status == 0 else {
      return nil
    }
    return result.outputText.split(separator: "\n").first.map(String.init) ?? ""
  }

  // MARK: The monitor

  private func directory() throws -> String {
    let directory = try RuntimeDirectory.locate()
    let exists = Files.exists(directory.path)
    if exists { try directory.prepare() }
    try directory.checkWriting()
    return "\(directory.path) \(exists ? "is yours alone" : "does not exist yet")"
  }

  private func history(_ configuration: Configuration?) -> Finding {
    if configuration?.history.keep == 0 { return .ok("history", "no outages are recorded: [history] keep is 0") }
    guard let place = HistoryPlace.own else {
      return Finding(verdict: .note, area: "history", text: "outages are not recorded: \(folders.homeFault)")
    }
    return MonitorChecks.history(
      file: place.file,
      fault: WriteFault.of(foreignPart: place.foreignPart) { () throws(SystemError) in try place.checkWriting() })
  }

  private func isAdvised(_ answer: Result<MonitorChecks.Answer?, any Error>) -> Bool {
    if case .failure(let error as ObserverSocketError) = answer { error.code == .cannotWrite } else { false }
  }

  private func answer() throws -> MonitorChecks.Answer? {
    do {
      let path = try options.socketPath()
      var client = try ObserverClient(path: path)
      guard let state = try client.next(timeout: .seconds(2)) else { return nil }
      let pid = options.socket == nil ? (try? RuntimeDirectory.locate()).flatMap { MonitorLock.holder($0) } : nil
      // This is the running program, even if another version has been installed since.
      return MonitorChecks.Answer(state: state, pid: pid, version: pid.flatMap { said("/proc/\($0)/exe", "--version") })
    } catch let error as ObserverSocketError where error.code == .noMonitor || error.code == .badDirectory {
      // Throws if a new monitor could not listen there either.
      if error.code == .noMonitor { _ = try MonitorLock.hasSocket(at: options.socketPath()) }
      return nil
    }
  }

  private var isServiceActive: Bool? {
    guard
      let result = try? Subprocess.run("systemctl", ["--user", "is-active", "overline.service"], timeout: .seconds(3))
    else { return nil }
    // Without a service manager there is no output.
    return result.output.isEmpty ? nil : result.outputText.hasPrefix("active")
  }

  private var unit: String? {
    let places = [
      folders.configuration.map { "\($0)/systemd/user" }, "/etc/systemd/user",
      folders.data.map { "\($0)/systemd/user" }, "/usr/local/share/systemd/user", "/usr/local/lib/systemd/user",
      "/usr/share/systemd/user", "/usr/lib/systemd/user",
    ]
    return places.compactMap { $0.map { "\($0)/overline.service" } }.first { Files.exists($0) }
  }

  private func configuration(_ loaded: Result<Configuration.Loaded, any Error>) -> [Finding] {
    switch loaded {
    case .success(let loaded):
      return MonitorChecks.configuration(path: loaded.path, warnings: loaded.diagnostics.map { "\($0)" })
    case .failure(let error):
      return "\(error)".split(separator: "\n").map {
        .problem("configuration", String($0), "then look again: overline config check")
      }
    }
  }

  // MARK: tmux and the shell

  private func tmuxServer(hasMonitor: Bool) -> Result<ScreenChecks.TmuxFacts, any Error>? {
    guard let server = ProcessEnvironment["TMUX"].flatMap({ TmuxServer(environment: $0) }) else { return nil }
    return Result {
      let probe = try TmuxClient(server).probe()
      var values: [String: String] = [:]
      for name in ["default-terminal", "status"] {
        values[name] = try TmuxClient(server).run([["show-options", "-gv", name]]).split(separator: "\n").first.map(
          String.init)
      }
      return ScreenChecks.TmuxFacts(
        version: "tmux \(probe.version)", options: values, attachment: hasMonitor ? try attachment(of: server) : nil)
    }
  }

  private func attachment(of server: TmuxServer) throws -> ScreenChecks.TmuxFacts.Attachment {
    guard case .ok(let data) = try response(to: .tmuxStatus(socket: server.socket), options: options),
      let known = data?.array?.first
    else { return .unknown }
    return known["error"]?.string.map { .failed($0) } ?? .attached
  }

  private func promptFacts(_ shell: String) -> ScreenChecks.PromptFacts? {
    let home = folders.home ?? "~"
    let file: String
    switch shell {
    case "bash": file = "\(home)/.bashrc"
    case "zsh": file = "\(ProcessEnvironment["ZDOTDIR"] ?? home)/.zshrc"
    case "fish": file = "\(folders.configuration ?? "~/.config")/fish/config.fish"
    default: return nil
    }
    return ScreenChecks.PromptFacts(
      shell: shell, startupFile: file, startup: (try? Files.read(file)).map { String(decoding: $0, as: UTF8.self) },
      snippet: InstalledFile.path("prompt/overline.\(shell)", of: ProcessEnvironment.executable))
  }
}
