internal import NetworkPath
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem

/// Gathers the facts about the features that the configuration turns on, as the monitor would meet them.
struct FeatureExamination {
  let configuration: Configuration
  private let monitor: MonitorSurroundings
  private let tmuxVersion: String?

  /// - Parameters:
  ///   - monitor: the process; nil if none runs, or if it is unknown.
  ///   - tmuxVersion: the output of `tmux -V`; nil if tmux is not installed.
  init(_ configuration: Configuration, monitor: Int32?, tmuxVersion: String?) {
    self.configuration = configuration
    self.monitor = MonitorSurroundings(of: monitor)
    self.tmuxVersion = tmuxVersion
  }

  func findings() -> [Finding] { path() + tmux() + check() + hooks() + metrics() }

  private func tmux() -> [Finding] {
    let reserve = configuration.tmux.reserve
    if reserve == Configuration().tmux.reserve { return [] }
    return FeatureChecks.tmux(reserve: reserve, version: tmuxVersion).map { [$0] } ?? []
  }

  private func metrics() -> [Finding] {
    configuration.metrics.textfile.map { file in
      let fault = WriteFault.of(foreignPart: { $0.isPermissionDenied ? Files.foreignPart(of: file) : nil }) {
        () throws(SystemError) in try Files.checkReplacing(file)
      }
      return [
        FeatureChecks.metrics(file: file, folder: Files.folder(of: file), fault: fault, quoted: Files.quoted)
      ]
    } ?? []
  }

  private func check() -> [Finding] {
    configuration.check.map { [FeatureChecks.check(host: $0.url.host, curl: monitor.program("curl"))] } ?? []
  }

  /// Whether the machine is offline only because interfaces are ignored.
  private func path() -> [Finding] {
    var options = configuration.path
    if options.ignored.isEmpty { return [] }
    guard let ours = try? NWPath.current(options: options), ours.isKnown, ours.status == .unsatisfied else { return [] }
    options.ignored = []
    guard let all = try? NWPath.current(options: options), all.isKnown, all.status != .unsatisfied,
      let interface = all.availableInterfaces.first
    else { return [] }
    return [FeatureChecks.ignored(interface.name)]
  }

  // MARK: Hooks

  private func hooks() -> [Finding] {
    let configured = Hook.allCases.compactMap { hook in hook.command(in: configuration.hooks).map { (hook, $0) } }
    let faults = configured.compactMap { hook, command in
      fault(of: hook, command).map { FeatureChecks.hook(hook, $0) }
    }
    if configured.isEmpty || !faults.isEmpty { return faults }
    return [.ok("hooks", configured.map(\.0.rawValue).joined(separator: ", ") + ": nothing is missing")]
  }

  private func fault(of hook: Hook, _ command: String) -> FeatureChecks.HookFault? {
    if hook == .target, configuration.path.targets.isEmpty { return .noTargets }
    if let message = monitor.syntaxError(in: command) { return .syntax(message) }
    guard let word = HookProgram.first(in: command) else { return nil }
    let path: String
    if word.contains("/") {
      guard let whole = monitor.expanded(word) else { return nil }
      if !Files.exists(whole) { return .missing(whole) }
      path = whole
    } else {
      switch monitor.lookUp(word) {
      case nil: return nil
      case .missing: return .notInPath(word, elsewhere: MonitorSurroundings(of: nil).program(word))
      case .builtIn: return nil
      case .program(let program): path = program
      }
    }
    guard Files.isExecutable(path) else { return .notExecutable(path, quoted: Files.quoted(path)) }
    if let interpreter = interpreter(of: path), !Files.isExecutable(interpreter) {
      return .noInterpreter(interpreter, script: path)
    }
    if monitor.hasNoNewPrivileges, let target = try? Files.attributes(path), target.permissions & 0o4000 != 0 {
      return .noPrivileges(path)
    }
    return nil
  }

  /// The program in a script's first line (execve(2)); nil for another file.
  private func interpreter(of path: String) -> String? {
    guard let line = Files.firstLine(of: path), line.hasPrefix("#!") else { return nil }
    return line.dropFirst(2).split { $0 == " " || $0 == "\t" }.first.map(String.init)
  }
}
