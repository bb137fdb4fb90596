internal import Dispatch
internal import NetworkPath
internal import OverlineSystem

/// Sends a UDP datagram each tenth of a second from a namespace.
package final class DatagramTraffic: @unchecked Sendable {
  private let socket: Int32
  private let timer: any DispatchSourceTimer
  private let refusals = Recorder<Int32>()

  package init(to address: String, in namespace: NetworkNamespace) throws {
    let isIPv6 = address.contains(":")
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let socket = try namespace.inside { Glibc.socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0) }
    self.socket = socket
    guard socket >= 0, let destination = AnyIPAddress(address) else { throw TestKitError("no socket to \(address)") }
    // The kernel reports on the socket when it finds no neighbour.
    var one: Int32 = 1
    _ = unsafe setsockopt(
      socket, isIPv6 ? Int32(IPPROTO_IPV6) : Int32(IPPROTO_IP), isIPv6 ? IPV6_RECVERR : IP_RECVERR, &one, 4)
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "test.traffic"))
    let refusals = refusals
    timer.setEventHandler {
      if Self.send(on: socket, to: destination) < 0 { refusals.record(errno) }
    }
    timer.setCancelHandler { close(socket) }
    timer.schedule(deadline: .now(), repeating: .milliseconds(100))
    timer.resume()
  }

  deinit { timer.cancel() }

  package func end() { timer.cancel() }

  /// Waits until the kernel has refused this many datagrams, because it found no neighbour (`EHOSTUNREACH`).
  package func waitUntilRefused(times: Int) throws {
    try refusals.wait("\(times) refusals") { $0.count >= times }
  }

  private static func send(on socket: Int32, to address: AnyIPAddress) -> Int {
    if address.family == .ipv4 {
      var destination = sockaddr_in()
      destination.sin_family = sa_family_t(AF_INET)
      destination.sin_port = UInt16(9).bigEndian
      unsafe withUnsafeMutableBytes(of: &destination.sin_addr) { unsafe $0.copyBytes(from: address.bytes) }
      return unsafe send(on: socket, &destination)
    }
    var destination = sockaddr_in6()
    destination.sin6_family = sa_family_t(AF_INET6)
    destination.sin6_port = UInt16(9).bigEndian
    unsafe withUnsafeMutableBytes(of: &destination.sin6_addr) { unsafe $0.copyBytes(from: address.bytes) }
    return unsafe send(on: socket, &destination)
  }

  private static func send<Address>(on socket: Int32, _ address: UnsafePointer<Address>) -> Int {
    unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe sendto(socket, "x", 1, Int32(MSG_NOSIGNAL), $0, socklen_t(MemoryLayout<Address>.size))
    }
  }
}
