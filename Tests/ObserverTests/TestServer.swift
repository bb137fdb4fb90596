import Dispatch
import Foundation
import OverlineSystem
import Testing
@testable import OverlineCore
@testable import OverlineShell

/// A directory that is removed with its owner.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("ov-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var runtime: RuntimeDirectory { RuntimeDirectory(path: "\(path)/overline") }
}

/// A server on a queue of its own, in a directory of its own.
final class TestServer: Sendable {
  let directory: TemporaryDirectory
  let queue = DispatchQueue(label: "test-server")
  let server: ObserverServer
  let path: String

  init(
    limits: ServerMachine.Limits = .init(),
    onRequest: @escaping ObserverServer.RequestHandler = { _, _, completion in completion(.ok()) },
    onLeave: @escaping @Sendable (ClientID) -> Void = { _ in }
  ) throws {
    directory = try TemporaryDirectory()
    path = "\(directory.path)/monitor.sock"
    server = try ObserverServer(path: path, queue: queue, limits: limits, onRequest: onRequest, onLeave: onLeave)
  }

  deinit { queue.sync { server.close() } }

  func publish(_ state: ObserverState) { queue.sync { server.publish(state) } }
  var clientCount: Int { queue.sync { server.clientCount } }
  func client() throws -> ObserverClient { try ObserverClient(path: path, timeout: .seconds(10)) }
}
