import Dispatch
import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTranscripts
import Testing

/// A namespace with a real path watcher in it.
final class WatchedNamespace: Sendable {
  let namespace: NetworkNamespace
  let paths = Recorder<NWPath>()
  let watcher: PathWatcher
  let queue = DispatchQueue(label: "test.path")

  /// - Parameters:
  ///   - receiveBuffer: the size of the watcher's event socket, in bytes.
  ///   - recorder: records what the watcher reads.
  ///   - prepare: the setup before the watcher starts.
  init(
    receiveBuffer: Int32 = 4 << 20, options: PathOptions = PathOptions(), recorder: TranscriptRecorder? = nil,
    prepare: (NetworkNamespace) throws -> Void = { _ in }
  ) throws {
    let namespace = try NetworkNamespace()
    self.namespace = namespace
    try prepare(namespace)
    let paths = paths
    watcher = PathWatcher(
      queue: queue, options: options, recorder: recorder,
      open: { () throws(NetlinkError) in try inside(namespace, receiveBuffer: receiveBuffer) },
      onPath: { paths.record($0) })
    try watcher.start()
    try paths.wait("the first path") { !$0.isEmpty }
  }

  deinit { watcher.cancel() }

  /// Makes a change and waits for a matching path, which must come after the change: one real change is one update.
  ///
  /// - Parameter steps: changes that the kernel makes one after the other; a look may come between them. A lost carrier is two: the kernel
  ///   disables the routes of the link before it reports the link.
  @discardableResult
  func after(
    _ change: () throws -> Void, _ what: String, steps: Int = 1, _ fits: (NWPath) -> Bool
  ) throws -> NWPath {
    let before = paths.values.count
    try change()
    let path = try paths.first(what, from: before, where: fits)
    let updates = paths.values[before...].prefix { $0 != path }.count + 1
    #expect(updates <= steps, "\(what): \(paths.values[max(0, before - 1)...].map(TranscriptText.path))")
    return path
  }

  /// The path after the other end of a veth has gone down.
  func afterCarrierLoss(of link: String) throws -> NWPath {
    try after({ try namespace.ip("link set \(link)p down") }, "no carrier", steps: 2) { $0.reason == .noCarrier }
  }

  /// Expects no path since the first one: the next path follows from a new gateway, which the kernel sets in one step.
  func expectNothingReported() throws {
    try after({ try namespace.ip("route replace default via 192.0.2.3 dev eth0") }, "the new gateway") {
      $0.gateways != paths.values[0].gateways
    }
    #expect(paths.values.count == 2)
  }

  /// The last published path.
  var path: NWPath { paths.values.last! }
}

/// The sockets of another namespace, opened from here.
func inside(_ namespace: NetworkNamespace, receiveBuffer: Int32 = 4 << 20) throws(NetlinkError) -> NetlinkSockets {
  do {
    return try namespace.inside {
      try NetlinkSockets(receiveBuffer: receiveBuffer) { family in
        (try? namespace.inside { HostQuestion.open(family) }) ?? -1
      }
    }
  } catch let error as NetlinkError {
    throw error
  } catch {
    throw NetlinkError(code: 1, attempt: "enter the namespace")
  }
}
