internal import ArgumentParser
internal import NetworkPath
internal import OverlineCore
internal import OverlineSystem

struct WaitCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait until the network is online, offline, or changes.",
    discussion: """
      Asks the running monitor whether the network is online now, and the kernel for everything else; no monitor has to run. With \
      --check the server of [check] must answer as expected too; while it does not, it is asked at least every ten seconds. Exits with 0 \
      when the condition holds, and with 1 and the reason when the time is over. On a \
      terminal one line shows the condition and the time so far.

      A duration is seconds, or a number with a unit: 5, 0.5, 250ms, 1.5s, 2m, 1h.

      --for online waits for a route to the internet, --for offline for its end, and --for change for any change of the path. -4 and -6 \
      require that family; together they require both. -i requires that interface, which may appear later. --target requires a route \
      to that network instead of the internet; a target that contradicts -4 or -6 is an error. A private network that only the \
      default route covers does not count, because that route also exists without the VPN. It counts with --any-route, \
      and with by-route = "any" in the configuration.

      Where the kernel cannot be asked (a sandbox without netlink), the network counts as online, with a warning.
      """)

  @Option(name: .customLong("for"), help: ArgumentHelp("The condition.", valueName: "state"))
  var goal: WaitCondition.Goal = .online

  @Option(
    help: ArgumentHelp("How long the condition must hold without interruption.", valueName: "duration"),
    transform: duration)
  var stable: Duration = .zero

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The longest wait; 0 checks once.", valueName: "duration"),
    transform: duration)
  var timeout: Duration?

  @Flag(name: .customShort("4"), help: "Require IPv4.")
  var isIPv4 = false

  @Flag(name: .customShort("6"), help: "Require IPv6.")
  var isIPv6 = false

  @Option(name: .shortAndLong, help: ArgumentHelp("Require this interface.", valueName: "name"))
  var interface: String?

  @Option(
    help: ArgumentHelp(
      "Wait for this network: a target's name in the configuration, a network such as 10.20.0.0/16, or an address.",
      valueName: "network"))
  var target: String?

  @Flag(help: "With --target: a private network counts also by the default route.")
  var anyRoute = false

  @Flag(help: "Wait also until the server of the configuration's [check] answers as expected.")
  var check = false

  @OptionGroup var options: CommonOptions

  /// Thirty years. A longer wait needs no timeout.
  private static let maximumDuration = Duration.seconds(1_000_000_000)

  func validate() throws {
    for (name, duration) in [("--stable", stable), ("--timeout", timeout ?? .zero)]
    where duration > Self.maximumDuration {
      throw ValidationError("\(name) takes at most \(Self.maximumDuration.components.seconds) seconds")
    }
    if let timeout, stable > .zero, stable >= timeout {
      throw ValidationError("--stable is not shorter than --timeout: the wait could only time out")
    }
    if anyRoute, target == nil {
      throw ValidationError("--any-route is for --target: it changes which routes to the target count")
    }
    if check, goal != .online || target != nil {
      throw ValidationError(
        "--check is for --for online without --target: it asks a server on the internet")
    }
    if let interface, !Self.isInterfaceName(interface) {
      throw ValidationError(
        "-i takes the name of an interface: 1 to 15 bytes without a slash, a colon or white space (is \(quoted(interface)))"
      )
    }
  }

  /// The names that the kernel allows (`dev_valid_name`).
  private static func isInterfaceName(_ text: String) -> Bool {
    (1...15).contains(text.utf8.count) && text != "." && text != ".."
      && !text.unicodeScalars.contains { $0 == "/" || $0 == ":" || $0.properties.isWhitespace }
  }

  func run() throws {
    try finish {
      try Self.run(options, stable: stable, timeout: timeout, isChecked: check) { configured in
        try WaitCondition(
          goal, families: (isIPv4 ? [.ipv4] : []) + (isIPv6 ? [.ipv6] : []), interface: interface,
          target: target.map { text in
            var target = try Self.target(text, among: configured.targets)
            if anyRoute { target.byRoute = .any }
            return target
          })
      }
    }
  }

  /// - Parameter condition: the condition; called with the configured options of the path.
  static func run(
    _ options: CommonOptions, stable: Duration = .zero, timeout: Duration? = nil, isChecked: Bool = false,
    _ condition: (PathOptions) throws -> WaitCondition = { _ in try WaitCondition(.online) }
  ) throws -> ExitStatus {
    SignalSource.ignoreBrokenPipes()
    let configuration = try options.configuration()
    if isChecked, configuration.check == nil {
      throw CommandError(
        "--check: the configuration names no server to ask; add use = \"mozilla\" or a url to [check]",
        status: .badConfiguration)
    }
    let condition = try condition(configuration.path)
    let machine = WaitMachine(
      condition: condition, check: isChecked ? configuration.check : nil, stable: stable, timeout: timeout,
      at: BootClock.now)
    let pathOptions = condition.options(configuration.path)
    let monitor = RunningMonitor(options)
    // The running monitor uses the user's configuration, and not a file that this call names.
    if condition.isOnlineAnyhow, stable == .zero, !isChecked, options.config == nil, monitor?.isOnline == true {
      return .success
    }
    return try Waiter(
      machine, options: pathOptions, word: monitor?.word(pathOptions), isQuiet: options.quiet
    ).run()
  }

  /// The timeout of a call that has at most this option. Nil for any other call, which the parser reads.
  static func plainTimeout(_ words: ArraySlice<String>) -> Duration?? {
    if words.isEmpty { return .some(nil) }
    guard words.count == 2, words.first == "--timeout" || words.first == "-t", let last = words.last,
      let timeout = DurationText.parse(last), timeout <= maximumDuration
    else { return nil }
    return timeout
  }

  private static func target(_ text: String, among configured: [PathTarget]) throws -> PathTarget {
    if let target = configured.first(where: { $0.name == text }) { return target }
    if PathTarget.isName(text) {
      let names = configured.map(\.name)
      throw CommandError(
        "--target: the configuration names no target \(text); "
          + (names.isEmpty
            ? "it names none; name it in [path] targets, or give a network such as 10.20.0.0/16"
            : "it names \(names.joined(separator: ", "))"),
        status: .usage)
    }
    do {
      return try PathTarget(text)
    } catch {
      throw CommandError(
        "--target: \"\(text)\" \(error.message); allowed is \(PathTarget.allowedNetworks), or a target's name",
        status: .usage)
    }
  }
}

extension WaitCondition.Goal: ExpressibleByArgument {}
