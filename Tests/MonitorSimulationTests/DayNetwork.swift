import NetworkPath
import OverlineSimulatedMachine

/// The machine's two links, the router behind each, what lies beyond the routers, and the kernel that tells the monitor of it.
final class DayNetwork {
  private unowned let world: SimulatedDay
  private(set) var kernel = SimulatedKernel()
  /// The kernel's entries for the routers, by link.
  private var entries: [Int: SimulatedEntry] = [:]
  private var nextTick: [Int: Duration] = [:]
  private var answeringRouters: Set<Int> = [2, 3]
  /// The links that a cable or an access point reaches.
  private var carriers: Set<Int> = [2, 3]
  private var traffic = (since: Duration.zero, until: Duration.zero)
  /// The time since which nothing beyond the routers answers.
  private var internetEnd: Duration?

  /// The kernel's messages that are under way.
  private(set) var messages: [KernelEvent] = []
  /// How many dumps changes will interrupt.
  private var interruptions = 0
  private(set) var isKernelDeaf = false
  private var lastDeaf = Duration.zero
  /// Since when packets can leave, or cannot.
  private(set) var truth = (isBroken: false, since: Duration.zero)

  /// The longest time for which the monitor may not know that no packet can leave: after a loss of messages it waits two seconds.
  static let ignorance = Duration.seconds(5)

  init(_ world: SimulatedDay) {
    self.world = world
    for index in [2, 3] {
      _ = kernel.addLink(index, index == 2 ? "eth0" : "wlan0")
      _ = kernel.setUp(index, true, hasCarrier: true)
      _ = kernel.addAddress(address(index), on: index)
      _ = kernel.add(route(index))
      entries[index] = SimulatedEntry(router(index), reachableTime: .seconds(30))
    }
  }

  private var now: Duration { world.now }

  private func router(_ index: Int) -> Gateway { Gateway(AnyIPAddress("192.0.\(index).1")!, on: index) }
  private func address(_ index: Int) -> AnyIPAddress { AnyIPAddress("192.0.\(index).2")! }
  private func route(_ index: Int) -> SimulatedKernel.Route {
    .byDefault(index, router(index).address, metric: index * 100)
  }

  // MARK: What happens

  func perform(_ change: Day.NetworkChange) {
    switch change {
    case .carrier(let link, let isOn):
      if isOn { carriers.insert(link) } else { carriers.remove(link) }
      let events = kernel.setCarrier(link, isOn)
      send(events)
      if !isOn, !events.isEmpty { removeEntry(link) }
      tick(link)
    case .up(let link, let isOn):
      guard kernel.tables.links[link]?.isUp != isOn else { return }
      send(kernel.setUp(link, isOn, hasCarrier: carriers.contains(link)))
      if !isOn { removeEntry(link) }
    case .address(let link, let isOn):
      send(isOn ? kernel.addAddress(address(link), on: link) : kernel.removeAddress(address(link), on: link))
    case .route(let link, let isOn): send(isOn ? kernel.add(route(link)) : kernel.remove(route(link)))
    case .routeGap(let link, let milliseconds):
      guard kernel.routes.contains(route(link)) else { return }
      send(kernel.remove(route(link)))
      world.later(.milliseconds(milliseconds)) { [unowned self] in send(kernel.add(route(link))) }
    case .router(let link, let answers):
      if answers { answeringRouters.insert(link) } else { answeringRouters.remove(link) }
      tick(link)
    case .traffic(let seconds):
      traffic = (now, now + .seconds(seconds))
      if let usedLink { use(router(usedLink)) }
    case .internet(let answers): internetEnd = answers ? nil : internetEnd ?? now
    case .overrun:
      world.coverage.lostMessages += messages.isEmpty ? 0 : 1
      messages = []
      world.monitor?.drive(.overran)
    case .interrupt(let dumps): interruptions = dumps
    case .deafKernel(let milliseconds):
      isKernelDeaf = true
      messages = []
      world.monitor?.drive(.failed(why: "the socket is broken"))
      lastDeaf = now
      world.later(.milliseconds(milliseconds)) { [unowned self] in
        (isKernelDeaf, lastDeaf) = (false, now)
      }
    }
  }

  /// The machine was suspended: for the monitor what is true began now.
  func noteJump() {
    truth.since = now
    world.later(Self.ignorance) { [unowned self] in world.checkLoss() }
  }

  // MARK: What is true

  /// The link that the kernel would use.
  private var usedLink: Int? {
    [2, 3].first { kernel.routes.contains(route($0)) }
  }

  /// Whether packets reach the router of a link, as far as the kernel and the cables are concerned.
  private func isUsable(_ index: Int) -> Bool {
    guard let link = kernel.tables.links[index], link.isUp, link.hasCarrier else { return false }
    return !kernel.tables.addresses(on: index, .ipv4).isEmpty && kernel.routes.contains(route(index))
  }

  /// Whether no packet can leave.
  var isBroken: Bool { usedLink.map { !isUsable($0) } ?? true }

  /// Whether packets reach a router that answers. The monitor notices a silent router only while the machine sends.
  var isUsable: Bool { usedLink.map { isUsable($0) && answeringRouters.contains($0) } ?? false }

  /// Whether the kernel has answered all the time. After a failure the monitor waits up to 30 seconds.
  var isKernelHeard: Bool { !isKernelDeaf && now > lastDeaf + .seconds(40) }

  private var isSending: Bool { now < traffic.until }

  /// Whether packets were sent in the last minute.
  var hasSent: Bool { now < traffic.until + .seconds(60) }

  /// Whether connections have waited for answers from beyond the routers since the last look: each five seconds.
  var hasWaited: Bool { now < traffic.until + .seconds(6) && internetEnd != nil }

  private func noteTruth() {
    if isKernelDeaf { lastDeaf = now }
    guard isBroken != truth.isBroken else { return }
    truth = (isBroken, now)
    world.later(Self.ignorance) { [unowned self] in world.checkLoss() }
  }

  // MARK: What the kernel says

  /// The kernel's messages reach the monitor a moment later, in order.
  private func send(_ events: [KernelEvent]) {
    noteTruth()
    guard !events.isEmpty, !isKernelDeaf else { return }
    messages += events
    world.later(.milliseconds(1)) { [unowned self] in
      let received = messages
      messages = []
      if !received.isEmpty { world.monitor?.drive(.received(received)) }
    }
  }

  func forgetMessages() { messages = [] }

  func takeInterruption() -> Bool {
    interruptions -= 1
    return interruptions >= 0
  }

  func neighbour(_ gateway: Gateway) -> Neighbour? { entries[gateway.interface]?.neighbour(at: now) }

  /// The machine's connections, as the kernel lists them.
  func look(_ depth: ConnectionLook.Depth) -> ConnectionLook {
    var look = ConnectionLook(depth)
    look.counters = DatagramCounters(ipv4: 0)
    guard isSending, let usedLink, isUsable else { return look }
    look.count = 3
    guard let internetEnd else {
      look.heardAge = .zero
      return look
    }
    if internetEnd > traffic.since {
      look.heardAge = now - internetEnd
      look.stalls = (0..<3).map { .init(host: $0, age: now - internetEnd, router: router(usedLink)) }
    } else {
      look.connecting = 3
      look.overdue = now - traffic.since > ConnectionLook.overdueAge ? 3 : 0
    }
    return look
  }

  // MARK: The entries of the routers

  /// A packet is sent to a router.
  func use(_ gateway: Gateway) {
    guard entries[gateway.interface] != nil, kernel.tables.links[gateway.interface]?.hasCarrier == true else { return }
    entries[gateway.interface]!.use(at: now)
    tick(gateway.interface)
  }

  /// Lets a router's entry come to its next change, as long as there is one.
  private func tick(_ index: Int) {
    guard let next = entries[index]?.nextChange(isUsed: isSending && usedLink == index, at: now) else {
      return
    }
    schedule(index, at: max(next, now))
  }

  private func removeEntry(_ index: Int) {
    entries[index]?.remove()
    if let message = neighbour(router(index)) { world.monitor?.hear(message) }
  }

  private func change(_ index: Int) {
    nextTick[index] = nil
    let hasCarrier = kernel.tables.links[index]?.hasCarrier == true
    let isUsed = isSending && usedLink == index && hasCarrier
    if isUsed {
      entries[index]!.use(at: now)
      if internetEnd == nil, answeringRouters.contains(index) { entries[index]!.confirm(at: now) }
    }
    let answers = answeringRouters.contains(index) && hasCarrier
    if let message = entries[index]!.advance(to: now, answers: answers) {
      if message.state == .failed { world.coverage.silentRouters += answeringRouters.contains(index) ? 0 : 1 }
      world.monitor?.hear(message)
    }
    guard let next = entries[index]!.nextChange(isUsed: isUsed, at: now) else { return }
    // A packet each tenth of a second makes the kernel ask a failed router anew.
    let time = max(next, now + .milliseconds(next <= now ? 100 : 0))
    schedule(index, at: time)
  }

  /// An earlier time replaces a later one.
  private func schedule(_ index: Int, at time: Duration) {
    if let earlier = nextTick[index], earlier <= time { return }
    nextTick[index] = time
    world.later(time - now) { [unowned self] in if nextTick[index] == time { change(index) } }
  }
}
