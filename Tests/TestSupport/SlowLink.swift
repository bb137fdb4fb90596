internal import OverlineSystem
internal import Synchronization

/// A way between two namespaces that a test makes slow, narrow or lossy: two tun devices, with a delay line between them.
///
/// The kernel's own (`tc … netem`) is missing from many kernels.
package final class SlowLink: Sendable {
  /// The quality of one direction.
  package struct Quality: Hashable, Sendable {
    package var delay: Duration
    /// Each packet's delay grows by a random part of this. Packets stay in order.
    package var jitter: Duration
    /// The part of the packets that is lost, 0 to 1.
    package var loss: Double
    /// Bytes a second; nil for no limit.
    package var rate: Int?
    /// The bytes that wait for the rate; further ones are lost.
    package var queue: Int
    /// While true, packets wait.
    package var isHeld: Bool

    package init(
      delay: Duration = .milliseconds(10), jitter: Duration = .zero, loss: Double = 0, rate: Int? = nil,
      queue: Int = 1_000_000, isHeld: Bool = false
    ) {
      self.delay = delay
      self.jitter = jitter
      self.loss = loss
      self.rate = rate
      self.queue = queue
      self.isHeld = isHeld
    }
  }

  private struct Direction {
    var quality = Quality()
    var packets: [(due: Duration, bytes: [UInt8])] = []
    /// The time when the last packet that the rate has let through is out.
    var free = Duration.zero
  }

  private struct State {
    var directions = [Direction(), Direction()]
    var numbers: SeededNumbers
    /// More delay for packets to and from an IPv4 address, as of a far host; and the part of them that is lost.
    var hosts: [[UInt8]: (delay: Duration, loss: Double)] = [:]
  }

  private let ends: [TunDevice]
  private let state: Mutex<State>
  private let bell: Doorbell

  /// Makes the devices `near` and `far` in their namespaces, both up.
  package init(
    _ near: String, in nearNamespace: NetworkNamespace, _ far: String, in farNamespace: NetworkNamespace,
    seed: UInt64 = 1
  ) throws {
    ends = [try TunDevice(near, in: nearNamespace), try TunDevice(far, in: farNamespace)]
    try nearNamespace.ip("link set \(near) up")
    try farNamespace.ip("link set \(far) up")
    for end in ends { try end.setNonBlocking() }
    state = Mutex(State(numbers: SeededNumbers(seed)))
    bell = try Doorbell()
    let (ends, bell) = (ends, bell)
    try BackgroundThread.start(name: "test-slow-link") { [weak self] in
      var wait = Duration?.none
      while true {
        var waiting = ([bell.rawValue] + ends.map(\.rawValue)).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Rounded up, so that the packet is due then.
        let milliseconds = wait.map { Int32(min(1000, max(0, $0 / .milliseconds(1) + 1))) } ?? -1
        _ = unsafe poll(&waiting, UInt(waiting.count), milliseconds)
        bell.answer()
        guard let self else { return }
        wait = turn().map { $0 - BootClock.now }
      }
    }
  }

  deinit { bell.ring() }

  /// Sets both directions.
  package func set(_ quality: Quality) { set(up: quality, down: quality) }

  /// - Parameter up: for packets from the near end.
  package func set(up: Quality, down: Quality) {
    state.withLock {
      $0.directions[0].quality = up
      $0.directions[1].quality = down
    }
    bell.ring()
  }

  /// A host of IPv4 that is far behind the link, or loses packets itself.
  package func set(host: String, delay: Duration = .zero, loss: Double = 0) {
    let bytes = host.split(separator: ".").compactMap { UInt8($0) }
    state.withLock { $0.hosts[bytes] = (delay, loss) }
  }

  /// Passes what is due and takes what waits. Returns the time of the next packet.
  private func turn() -> Duration? {
    let now = BootClock.now
    return state.withLock { state in
      for index in 0..<2 {
        take(index, &state, at: now)
        pass(index, &state, at: now)
      }
      let due = state.directions.compactMap { $0.quality.isHeld ? nil : $0.packets.first?.due }
      return due.min()
    }
  }

  private func take(_ index: Int, _ state: inout State, at now: Duration) {
    while let bytes = try? readBytes(from: ends[index].rawValue, atMost: 2048), !bytes.isEmpty {
      let quality = state.directions[index].quality
      var delay = quality.delay
      var loss = quality.loss
      if bytes[0] >> 4 == 4, bytes.count >= 20,
        let host = state.hosts[Array(index == 0 ? bytes[16..<20] : bytes[12..<16])]
      {
        delay += host.delay
        loss = max(loss, host.loss)
      }
      if Double(state.numbers.number(0...999_999)) < loss * 1_000_000 { continue }
      var start = now
      if let rate = quality.rate {
        let free = max(state.directions[index].free, now)
        let backlog = (free - now) / .seconds(1) * Double(rate)
        if Int(backlog) + bytes.count > quality.queue { continue }
        state.directions[index].free = free + .seconds(Double(bytes.count) / Double(rate))
        start = state.directions[index].free
      }
      let jitter = quality.jitter * Double(state.numbers.number(0...1000)) / 1000
      let due = start + delay + jitter
      // In order, but for hosts with a delay of their own.
      var place = state.directions[index].packets.count
      while place > 0, state.directions[index].packets[place - 1].due > due, state.hosts.count > 0 { place -= 1 }
      let last = place > 0 ? state.directions[index].packets[place - 1].due : due
      state.directions[index].packets.insert((max(due, last), bytes), at: place)
    }
  }

  private func pass(_ index: Int, _ state: inout State, at now: Duration) {
    if state.directions[index].quality.isHeld { return }
    let due = state.directions[index].packets.prefix { $0.due <= now }
    for packet in due { _ = try? writeBytes(packet.bytes[...], to: ends[1 - index].rawValue) }
    state.directions[index].packets.removeFirst(due.count)
  }
}
