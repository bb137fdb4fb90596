internal import ArgumentParser
internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

struct TmuxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tmux",
    abstract: "Attach the banner to a tmux server, or detach it.",
    subcommands: [TmuxAttach.self, TmuxDetach.self, TmuxStatus.self])
}

struct TmuxServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The server's socket. Default: the server this runs in.", valueName: "path"), completion: .file()
  )
  var server: String?

  func socket() throws -> String {
    if let server { return server }
    guard let here = ProcessEnvironment["TMUX"].flatMap({ TmuxServer(environment: $0) }) else {
      throw CommandError("not inside tmux; name a server with --server SOCKET", status: .usage)
    }
    return here.socket
  }
}

struct TmuxAttach: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Tell the monitor to show its banner in a tmux server.",
    discussion: "Starts nothing. If no monitor runs, the server is noted for the next monitor.")

  @OptionGroup var tmux: TmuxServerOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish { try Self.run(socket: tmux.socket(), options: options) }
  }

  static func run(socket: String, options: CommonOptions) throws -> ExitStatus {
    do {
      return try ask(.tmuxAttach(socket: socket), options: options, within: TmuxServer.commandTimeout)
    } catch let error as ObserverSocketError where error.code == .noMonitor && options.socket == nil {
      try TmuxServer(socket: socket).checkOwner()
      let directory = try RuntimeDirectory.locate()
      try directory.prepare()
      try TmuxRegistry(directory: directory).add(socket)
      if !options.quiet { Output.warn("no monitor runs; the next one shows its banner in this server") }
      return .success
    }
  }
}

extension TmuxServer {
  /// The monitor reads the server, changes it, and then answers.
  fileprivate static let commandTimeout = TmuxClient.defaultTimeout * 2 + .seconds(1)
}

struct TmuxDetach: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "detach",
    abstract: "Remove every trace of the banner from a tmux server.")

  @OptionGroup var tmux: TmuxServerOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      let socket = try tmux.socket()
      do {
        return try ask(.tmuxDetach(socket: socket), options: options, within: TmuxServer.commandTimeout)
      } catch let error as ObserverSocketError
        where (error.code == .noMonitor || error.code == .badDirectory) && options.socket == nil
      {
        // A dead monitor may have left lines. They can be removed without a monitor.
        try TmuxClient(TmuxServer(socket: socket)).restoreSaved()
        if let directory = try? RuntimeDirectory.locate() { try TmuxRegistry(directory: directory).remove(socket) }
        return .success
      }
    }
  }
}

struct TmuxStatus: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "List the tmux servers that the monitor drives or could not attach.")

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      let response = try response(to: .tmuxStatus(socket: nil), options: options)
      guard case .ok(let data) = response else { return try expectSuccess(response) }
      if json {
        try Output.line(data?.json ?? "[]")
        return .success
      }
      let servers = data?.array ?? []
      if servers.isEmpty { try Output.line("no tmux server is attached; in tmux: overline tmux attach") }
      for server in servers { try Output.sentence(Self.line(server)) }
      return .success
    }
  }

  private static func line(_ server: JSONValue) -> String {
    if let error = server["error"]?.string { return "\(server["socket"]?.string ?? "?")  not attached: \(error)" }
    let rows = (server["inset"]?["top"]?.integer ?? 0) + (server["inset"]?["bottom"]?.integer ?? 0)
    func count(_ name: String) -> String? {
      server["\(name)s"]?.integer.map { "\($0) \(name)\($0 == 1 ? "" : "s")" }
    }
    let counts = [count("session"), count("client")].compactMap { $0 }
    return "\(server["socket"]?.string ?? "?")  tmux \(server["version"]?.string ?? "?"), "
      + "\(counts.isEmpty ? "does not answer" : counts.joined(separator: ", ")), "
      + (rows == 0 ? "no banner" : "banner shown")
  }
}
