internal import OverlineProcess
internal import OverlineSystem

/// What the monitor's programs find: its PATH, its home, its privileges. A service has other ones than a shell.
struct MonitorSurroundings {
  private let environment: [String]
  /// Whether no program that the monitor starts can get privileges (prctl(2), PR_SET_NO_NEW_PRIVS).
  let hasNoNewPrivileges: Bool

  /// - Parameter monitor: the monitor's process; nil for this process, which stands for a monitor that would be started here.
  init(of monitor: Int32?) {
    let process = monitor.map { "/proc/\($0)" } ?? "/proc/self"
    let bytes = (try? Files.read("\(process)/environ")) ?? []
    environment =
      bytes.isEmpty
      ? ProcessEnvironment.all.map(\.description)
      : bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    let status = String(decoding: (try? Files.read("\(process)/status")) ?? [], as: UTF8.self)
    hasNoNewPrivileges = status.split(separator: "\n").contains("NoNewPrivs:\t1")
  }

  private func variable(_ name: String) -> String? {
    environment.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  /// The path of a program as posix_spawnp(3) finds it.
  func program(_ name: String) -> String? {
    (variable("PATH") ?? "/bin:/usr/bin").split(separator: ":").map { "\($0)/\(name)" }.first(where: Files.isExecutable)
  }

  /// The path of a word with a slash; nil if it depends on the working directory, or on another user's home.
  func expanded(_ word: String) -> String? {
    if word.hasPrefix("/") { return word }
    guard word.hasPrefix("~/") else { return nil }
    return UserFolders(variable).home.map { $0 + word.dropFirst() }
  }

  enum Command {
    case builtIn
    case program(String)
    case missing
  }

  /// What `sh` takes a word for; nil if `sh` cannot be asked.
  func lookUp(_ word: String) -> Command? {
    guard let result = sh("-c", "command -v -- \"$1\"", "sh", word) else { return nil }
    let answer = result.outputText.split(separator: "\n").first.map(String.init) ?? ""
    if result.status != 0 || answer.isEmpty { return .missing }
    return answer.hasPrefix("/") ? .program(answer) : .builtIn
  }

  /// The message of `sh` about a line that it cannot read. `sh` executes nothing.
  func syntaxError(in command: String) -> String? {
    guard let result = sh("-n", "-c", command), result.status != 0 else { return nil }
    return result.errorText.split(separator: "\n").first.map(String.init) ?? "sh cannot read it"
  }

  private func sh(_ arguments: String...) -> Subprocess.Result? {
    try? Subprocess.run("/bin/sh", arguments, environment: environment, timeout: .seconds(3))
  }
}
