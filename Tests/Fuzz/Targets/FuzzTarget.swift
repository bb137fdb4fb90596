/// A case for each reader of bytes from other programs, and for each machine that such bytes reach. The fuzzer looks for bytes that crash
/// one, and the tests replay the corpus.
///
/// A new target needs only a case here and a folder of the same name in `Corpus`.
enum FuzzTarget: String, CaseIterable {
  /// The kernel's messages, to the path that follows from them.
  case netlink
  /// The kernel's messages about neighbours, to the routers that are silent.
  case neighbours
  /// The kernel's messages about sockets, to the claim that nothing answers.
  case connections
  /// The figures of TCP connections, to the quality of the connection.
  case quality
  /// A terminal's input, to the program's input.
  case input
  /// A program's output, to the grid.
  case screen
  /// A program's output, to a terminal with a banner on it.
  case output
  /// The protocol between observers and a monitor or a window.
  case observer
  /// The events of the observers' server.
  case server
  /// A configuration file.
  case configuration
  /// A tmux server's answers.
  case tmux
  /// A recording of the kernel's messages, to the paths that follow from them.
  case transcript
  /// The events of a screen's banner, toasts and alerts.
  case overlay
  /// The requests of clients for overlays, and the ends of their owners.
  case owners
  /// The tmux servers of a monitor.
  case fleet
  /// The events of a window around a program.
  case window

  /// Must return, whatever the bytes are.
  func run(_ bytes: [UInt8]) {
    switch self {
    case .netlink: NetlinkTarget.run(bytes)
    case .neighbours: NeighboursTarget.run(bytes)
    case .connections: ConnectionsTarget.run(bytes)
    case .quality: QualityTarget.run(bytes)
    case .input: InputTarget.run(bytes)
    case .screen: ScreenTarget.run(bytes)
    case .output: OutputTarget.run(bytes)
    case .observer: ObserverTarget.run(bytes)
    case .server: ServerTarget.run(bytes)
    case .configuration: ConfigurationTarget.run(bytes)
    case .tmux: TmuxTarget.run(bytes)
    case .transcript: TranscriptTarget.run(bytes)
    case .overlay: OverlayTarget.run(bytes)
    case .owners: OwnersTarget.run(bytes)
    case .fleet: FleetTarget.run(bytes)
    case .window: WindowTarget.run(bytes)
    }
  }
}

/// Drives a machine through a script's time.
protocol TimedDriver: ~Copyable {
  var now: Duration { get set }
  var nextDeadline: Duration? { get }
  mutating func deadlinePassed()
}

extension TimedDriver where Self: ~Copyable {
  /// Delivers each deadline at its own time.
  mutating func pass(_ time: Duration) {
    let end = now + time
    var steps = 0
    while let deadline = nextDeadline, deadline <= end {
      now = max(now, deadline)
      deadlinePassed()
      precondition(nextDeadline.map { $0 > now } ?? true, "a deadline that has passed would spin")
      steps += 1
      precondition(steps < 20_000)
    }
    now = end
  }
}
