import Dispatch
@testable import NetworkPath
import OverlineSystem
import OverlineTestSupport
@testable import OverlineTranscripts

/// A real path watcher on the host of a ``RoutedNetwork``.
@dynamicMemberLookup
final class ForwardingWorld {
  static let canRun = RoutedNetwork.canRun
  static let far = RoutedNetwork.far
  static let far6 = RoutedNetwork.far6
  static let near = RoutedNetwork.near

  let network: RoutedNetwork
  let paths = Recorder<NWPath>()
  /// One for each suggested check.
  let suggestions = Recorder<Void>()
  private let transcript = Recorder<[UInt8]>()
  private let watcher: PathWatcher
  private let clock: Pipe

  /// - Parameter prepare: the setup before the watcher starts.
  init(options: PathOptions = PathOptions(), prepare: (RoutedNetwork) throws -> Void = { _ in }) throws {
    let network = try RoutedNetwork()
    try prepare(network)
    self.network = network
    clock = try Pipe()
    let reading = try clock.reading.duplicate()
    try reading.setNonBlocking()
    let steps = ClockSteps(descriptor: reading)
    let (paths, suggestions, transcript) = (paths, suggestions, transcript)
    watcher = PathWatcher(
      queue: DispatchQueue(label: "test.answers"), options: options,
      recorder: TranscriptRecorder(write: { transcript.record($0) }, onStop: { _ in }),
      open: { () throws(NetlinkError) in try inside(network.host) },
      clockSteps: { () throws(SystemError) in steps }, onCheckSuggested: { suggestions.record(()) },
      onPath: { paths.record($0) })
    try watcher.start()
    try paths.wait("the first path") { !$0.isEmpty }
  }

  deinit { watcher.cancel() }

  subscript<Part>(dynamicMember part: KeyPath<RoutedNetwork, Part>) -> Part { network[keyPath: part] }

  func connect(to addresses: [String]) throws -> EchoClients { try network.connect(to: addresses) }

  func drop(_ what: String = "") throws { try network.drop(what) }

  /// The router forwards nothing, and says so.
  func reject() throws {
    try network.router.nft(
      "table inet test { chain c { type filter hook forward priority 0; reject with icmpx host-unreachable; }; }")
  }

  /// The number of the host's link.
  func interface(_ name: String) throws -> Int {
    guard let number = Int(try network.host.output("ip -o link show \(name) | cut -d: -f1").filter(\.isNumber)) else {
      throw TestKitError("no link \(name)")
    }
    return number
  }

  /// The recorded answers of silent hosts.
  var answers: [Substring] { text.split(separator: "\n").filter { $0.hasSuffix(" answered") } }

  /// What the watcher sees when the machine wakes.
  func stepClock() throws { try clock.writing.writeAll([1]) }

  /// The recording so far.
  var text: String { String(decoding: transcript.values.flatMap(\.self), as: UTF8.self) }

  /// The looks at connections so far.
  var looks: [ConnectionLook] {
    text.split(separator: "\n").filter { $0.hasPrefix("connections ") }.compactMap { line in
      ConnectionLook(transcriptWords: line.split(separator: " ").dropFirst().map(String.init))
    }
  }

  /// Waits for a look that has found these connections.
  func look(_ what: String, where fits: (ConnectionLook) -> Bool) throws {
    if !eventually({ looks.contains(where: fits) }) { throw TestKitError("no look found \(what)") }
  }

  var hasClaimed: Bool { paths.values.contains { $0.noAnswers != nil || $0.notSent != nil || $0.status != .satisfied } }
}
