/// The packets of a link so far.
package struct PacketCount: Equatable, Sendable {
  package var received: UInt64
  package var sent: UInt64

  package init(received: UInt64, sent: UInt64 = 0) {
    self.received = received
    self.sent = sent
  }
}
