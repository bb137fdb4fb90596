/// Remembers what the looks have found about the tunnels in use, and asks their packet counters where a look alone proves too little.
///
/// A tunnel that receives a packet is alive, whatever the links under it look like. A tunnel that has lost the route to its server, and
/// receives nothing of what it is sent for ten seconds, leads into itself. The counters are read after such a finding: a few times, and with each later look.
package struct TunnelMachine: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    /// What a look has found, by the tunnel's index.
    case evaluated([Int: TunnelReport], isSatisfied: Bool)
    /// The packets of the tunnels so far.
    case counted([Int: PacketCount])
    /// The running monitor's word, before the first look.
    case told(TunnelWord)
    /// The machine has woken from suspend, or the clock was set.
    case clockStepped
    case deadlinePassed
  }

  package enum Effect: Equatable, Sendable {
    /// Read the packet counters of these tunnels.
    case count([Int])
    /// Decide the path again.
    case decide
  }

  private struct Count: Equatable {
    var packets: PacketCount
    var time: Duration
  }

  private struct Suspicion: Equatable {
    enum Kind: Equatable {
      case dead(TunnelCause)
      case loop(TunnelMemory.Lower)
    }

    var kind: Kind
    var since: Duration
    var looks: [Duration]
    /// The first count after the last packets of the working tunnel had arrived.
    var first: Count?

    init(_ kind: Kind, at now: Duration) {
      self.kind = kind
      since = now
      let pauses =
        switch kind {
        case .dead: [1, 3, 10, 30]
        case .loop: [1, 12, 22, 42, 82, 162]
        }
      looks = pauses.map { now + .seconds($0) }
    }
  }

  public private(set) var knowledge = TunnelKnowledge(remembers: true)
  private var suspicions: [Int: Suspicion] = [:]

  /// Packets that were already under way when a link died still arrive within this time.
  private static let settling = Duration.seconds(1)
  /// A tunnel that loops receives nothing for this time, although packets are sent into it. One that is idle proves nothing.
  package static let loopTime = Duration.seconds(10)

  package init() {}

  package var nextDeadline: Duration? { suspicions.values.compactMap(\.looks.first).min() }

  package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .evaluated(let reports, let isSatisfied): return take(reports, isSatisfied: isSatisfied, at: now)
    case .counted(let counts):
      let before = knowledge
      for (tunnel, count) in counts { take(count, of: tunnel, at: now) }
      return knowledge == before ? [] : [.decide]
    case .told(let word):
      knowledge.word = word
      return []
    case .clockStepped:
      suspicions = [:]
      return []
    case .deadlinePassed:
      var isDue = false
      for (tunnel, suspicion) in suspicions where suspicion.looks.first.map({ $0 <= now }) ?? false {
        suspicions[tunnel]?.looks.removeAll { $0 <= now }
        isDue = true
      }
      return isDue ? [.decide] : []
    }
  }

  // MARK: Findings

  private mutating func take(_ reports: [Int: TunnelReport], isSatisfied: Bool, at now: Duration) -> [Effect] {
    knowledge.word = nil
    suspicions = suspicions.filter { reports[$0.key] != nil }
    // A tunnel that is no longer in use may come back as another VPN.
    if isSatisfied { knowledge.memories = knowledge.memories.filter { reports[$0.key] != nil } }
    for (tunnel, report) in reports {
      var memory = knowledge.memories[tunnel] ?? TunnelMemory()
      remember(report, of: tunnel, in: &memory, at: now)
      knowledge.memories[tunnel] = memory
    }
    let suspects = suspicions.keys.filter { knowledge.memories[$0]?.refuted == nil }
    return suspects.isEmpty ? [] : [.count(suspects.sorted())]
  }

  private mutating func remember(
    _ report: TunnelReport, of tunnel: Int, in memory: inout TunnelMemory, at now: Duration
  ) {
    switch report {
    case .carried(let lower, let isProven, let servers):
      suspicions[tunnel] = nil
      memory.refuted = nil
      memory.isLooping = false
      memory.word = nil
      if isProven { memory.lower = lower }
      if let servers {
        if !servers.isEmpty { memory.servers = servers }
        memory.isInDoubt = false
      }
    case .dead(let cause, let word):
      memory.isInDoubt = true
      memory.word = word
      memory.refuted = nil
      suspect(.dead(cause), tunnel, at: now)
    case .refuted(let cause):
      memory.refuted = cause
      suspicions[tunnel]?.looks = []
    case .mayLoop(let lower, let isCertain, let word):
      memory.refuted = nil
      memory.isLooping = isCertain
      memory.word = word
      suspect(.loop(lower), tunnel, at: now)
    }
  }

  private mutating func suspect(_ kind: Suspicion.Kind, _ tunnel: Int, at now: Duration) {
    if suspicions[tunnel]?.kind != kind { suspicions[tunnel] = Suspicion(kind, at: now) }
  }

  // MARK: Counters

  private mutating func take(_ count: PacketCount, of tunnel: Int, at now: Duration) {
    guard let suspicion = suspicions[tunnel], now >= suspicion.since + Self.settling else { return }
    guard let first = suspicion.first else {
      suspicions[tunnel]?.first = Count(packets: count, time: now)
      return
    }
    if count.received > first.packets.received {
      refute(suspicion, of: tunnel)
    } else if case .loop = suspicion.kind, now >= first.time + Self.loopTime, count.sent > first.packets.sent {
      knowledge.memories[tunnel]?.isLooping = true
    }
  }

  private mutating func refute(_ suspicion: Suspicion, of tunnel: Int) {
    switch suspicion.kind {
    case .dead(let cause):
      knowledge.memories[tunnel]?.refuted = cause
      knowledge.memories[tunnel]?.word = nil
    case .loop(let lower):
      // The route that went was not the one to the server.
      var memory = TunnelMemory(lower: lower)
      memory.isInDoubt = false
      knowledge.memories[tunnel] = memory
    }
    suspicions[tunnel] = nil
  }
}
