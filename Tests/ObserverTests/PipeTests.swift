import Foundation
import Glibc
import ObserverProtocol
import OverlineTestKit
import POSIX
import Testing

@testable import ObserverSocket

/// States written into a pipe that came with the request.
@Suite struct PipeTests {
  @Test func statesGoIntoThePipeAndAnswersToTheConnection() throws {
    let server = try TestServer()
    server.publish(online(1))
    let follower = try Follower(server, .plain)
    #expect(try follower.read() == "\n")
    server.publish(offline(2))
    #expect(try follower.read() == "No connection\n")
    try follower.send("{\"do\":\"dismiss\"}\n")
    #expect(try follower.answer() == "{\"ok\":true}")
    // The client's own writes go on waiting for the reader.
    #expect(follower.isBlocking)
  }

  @Test func askingAgainChangesTheFormatInThePipe() throws {
    let server = try TestServer()
    server.publish(offline(1))
    let follower = try Follower(server, .plain)
    #expect(try follower.read() == "No connection\n")
    try follower.send("{\"do\":\"watch\"}\n")
    #expect(try follower.answer() == "{\"ok\":true}")
    #expect(try follower.read() == offline(1).json + "\n")
  }

  @Test func whenTheConnectionGoesThePipeEnds() throws {
    let server = try TestServer()
    server.publish(online(1))
    let follower = try Follower(server, .plain)
    #expect(try follower.read() == "\n")
    follower.writing = nil
    follower.connection = nil
    #expect(try follower.read() == "")
    #expect(eventually { server.clientCount == 0 })
  }

  @Test func whenTheReaderGoesSoDoesTheConnection() throws {
    let server = try TestServer()
    let follower = try Follower(server, .plain)
    follower.reading = nil
    // At once, and not when a state has nowhere to go.
    #expect(try follower.answer() == nil)
    #expect(eventually { server.clientCount == 0 })
  }

  @Test func aPipeThatIsReadLateHasTheNewestState() throws {
    var limits = ObserverServer.Limits()
    limits.stall = .seconds(600)
    let server = try TestServer(limits: limits)
    let follower = try Follower(server, .json)
    for number in 1...3000 { server.publish(online(number)) }
    var text = ""
    while !text.contains("\"seq\":3000,") || !text.hasSuffix("\n") { text += try follower.read() }
    let numbers = try text.split(separator: "\n").map { try ObserverState(jsonLine: $0.utf8).seq }
    #expect(numbers == numbers.sorted())
    // What the pipe held (64 KiB, pipe(7)) and the newest: not what was missed between.
    #expect(numbers.count < 300)
  }

  @Test func aPipeThatTakesNothingIsLetGoOf() throws {
    var limits = ObserverServer.Limits()
    limits.stall = .milliseconds(50)
    let server = try TestServer(limits: limits)
    let follower = try Follower(server, .json)
    for number in 1...3000 { server.publish(online(number)) }
    #expect(try follower.answer() == nil)
    #expect(eventually { server.clientCount == 0 })
  }

  /// A file's reader is not waiting, and a terminal is not written to behind the back of a command that is stopped.
  @Test func whatIsNoPipeGetsNothing() throws {
    let server = try TestServer()
    server.publish(online(1))
    let path = "\(server.directory.path)/file"
    let file = FileDescriptor(owning: open(path, O_RDWR | O_CREAT, 0o600))
    var client = try RawClient(server.path)
    #expect(try client.line() == online(1).json)
    try client.watch(.text, passing: file.rawValue)
    #expect(try client.line() == "{\"ok\":true}")
    #expect(try client.line()?.hasPrefix("online") == true)
    #expect(lseek(file.rawValue, 0, SEEK_END) == 0)
  }

  @Test func aPipeThatNobodyReadsIsNoReasonToStay() throws {
    let server = try TestServer()
    var client = try RawClient(server.path)
    let pipe = try Pipe().takeWriting()
    try client.watch(.text, passing: pipe.rawValue)
    #expect(try client.line() == "{\"ok\":true}")
    #expect(try client.line() == nil)
  }

  @Test func ofManyDescriptorsOneIsKept() throws {
    let server = try TestServer()
    server.publish(online(1))
    let follower = try Follower(server, .plain)
    for _ in 1...200 {
      try follower.watch(.plain)
      #expect(try follower.answer() == "{\"ok\":true}")
      try follower.send("{\"do\":\"status\"}\n", passing: true)
      #expect(try follower.answer()?.hasPrefix("{\"ok\":true") == true)
    }
    // Its two ends here, one there to write to, and the last that came and that no request has taken.
    #expect(follower.openEnds <= 4)
  }
}

/// A client that has its states written into a pipe.
private final class Follower {
  var connection: Connection?
  var reading: POSIX.SharedDescriptor?
  var writing: POSIX.SharedDescriptor?

  /// Returns when the server has answered, so that what follows goes into the pipe.
  init(_ server: TestServer, _ format: ObserverFormat) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw CancellationError() }
    reading = POSIX.SharedDescriptor(FileDescriptor(owning: ends[0]))
    writing = POSIX.SharedDescriptor(FileDescriptor(owning: ends[1]))
    connection = Connection(try RawClient(server.path))
    try watch(format)
    while try answer()?.hasPrefix("{\"ok\"") == false {}
  }

  func watch(_ format: ObserverFormat) throws {
    try connection!.client.watch(format, passing: writing!.descriptor.rawValue)
  }

  func send(_ text: String, passing: Bool = false) throws {
    guard passing else { return try connection!.client.send(text) }
    _ = try UnixSocket.send(
      Array(text.utf8)[...], passing: writing!.descriptor.rawValue, to: connection!.client.socket.rawValue)
  }

  func answer() throws -> String? { try connection!.client.line() }

  /// What is in the pipe, when something is; empty at its end.
  func read() throws -> String {
    guard try waitUntilReadable(reading!.descriptor.rawValue, timeout: .seconds(10)) else { throw CancellationError() }
    return String(decoding: try reading!.descriptor.read(), as: UTF8.self)
  }

  var isBlocking: Bool { fcntl(writing!.descriptor.rawValue, F_GETFL) & O_NONBLOCK == 0 }

  /// How many descriptors of this process are an end of the pipe.
  var openEnds: Int {
    let folder = "/proc/self/fd"
    let link = { try? FileManager.default.destinationOfSymbolicLink(atPath: $0) }
    let name = link("\(folder)/\(reading!.descriptor.rawValue)")
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return all.count { link("\(folder)/\($0)") == name }
  }
}

/// What a client has once, and a class can let go of.
private final class Connection {
  var client: RawClient
  init(_ client: consuming RawClient) { self.client = client }
}

extension RawClient {
  fileprivate func watch(_ format: ObserverFormat, passing descriptor: Int32) throws {
    let line = ObserverRequest.watch(format: format).jsonLine
    _ = try UnixSocket.send(line[...], passing: descriptor, to: socket.rawValue)
  }
}
