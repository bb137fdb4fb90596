import Glibc
@testable import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineTranscripts
import Testing

/// Packets that the host itself stops are a claim that nothing leaves this machine. Less than that is none.
@Suite(.ownThread, .enabled(if: ForwardingWorld.canRun, "COULD NOT RUN: nft is missing; install it: make test-deps"))
struct NotSentTests {
  typealias World = ForwardingWorld

  /// What stops the host's packets to the far network. ARP and the local network still work.
  enum Obstacle: String, CaseIterable, Sendable {
    case outputDrop = "table ip own { chain c { type filter hook output priority 0; ip daddr 198.51.100.0/24 drop; }; }"
    case outputReject =
      "table ip own { chain c { type filter hook output priority 0; ip daddr 198.51.100.0/24 reject; }; }"
    case postroutingDrop =
      "table ip own { chain c { type filter hook postrouting priority 0; ip daddr 198.51.100.0/24 drop; }; }"
    /// Not the addresses that the monitor asks for, which would be an outage.
    case policy = "xfrm policy add dir out dst 198.51.100.0/24 action block"

    func begin(in world: World) throws {
      if self == .policy { try world.host.ip(rawValue) } else { try world.host.nft(rawValue) }
    }

    func end(in world: World) throws {
      if self == .policy { try world.host.ip("xfrm policy flush") } else { try world.host.nft("flush ruleset") }
    }

    var origin: NWPath.NotSent.Origin {
      switch self {
      case .outputDrop, .outputReject, .postroutingDrop: .firewall
      case .policy: .routing
      }
    }
  }

  @Test(arguments: Obstacle.allCases) func packetsThatTheMachineStopsAreAClaim(_ obstacle: Obstacle) throws {
    let world = try World()
    let clients = try world.connect(to: World.far)
    try obstacle.begin(in: world)
    let path = try world.paths.first("the claim") { $0.notSent != nil }
    let claim = try #require(path.notSent)
    #expect(path.status == .satisfied && path.reason == nil)
    #expect(2...3 ~= claim.connections && claim.hosts == claim.connections && claim.duration >= .seconds(5))
    // Before Linux 6.7 the kernel does not count the packets that pass its firewall.
    let hasCounters = try world.host.output("cat /proc/net/snmp").contains("OutTransmits")
    #expect(claim.origin == (hasCounters ? obstacle.origin : nil))
    let before = world.paths.values.count
    try obstacle.end(in: world)
    // A new connection shows at once that packets leave again.
    let others = try world.connect(to: Array(World.far.prefix(1)))
    try world.paths.first("its end", from: before) { $0.notSent == nil && $0.status == .satisfied }
    let text = world.text
    for address in World.far { #expect(!text.contains(address)) }
    let transcript = try Transcript(parsing: Array(text.utf8))
    #expect(transcript.replay().paths.map(TranscriptText.path) == transcript.publishedPaths)
    withExtendedLifetime((clients, others)) {}
  }

  /// systemd's `IPAddressDeny=` works like this.
  @Test(.enabled(if: Self.hasControlGroups, "COULD NOT RUN: needs root and a mounted cgroup2"))
  func packetsThatAControlGroupStopsAreAClaim() throws {
    let world = try World()
    let root = try #require(Self.controlGroups)
    let folder = "\(root)/overline-test-\(getpid())"
    try #require(mkdir(folder, 0o755) == 0)
    defer { #expect(eventually { rmdir(folder) == 0 }) }
    let program = try world.host.inside {
      try TestProgram(
        "/usr/bin/python3", ["-c", Self.confined, folder] + World.far, environment: TmuxTestServer.environment)
    }
    try program.lines.wait("its confinement") { $0.contains("READY") }
    let path = try world.paths.first("the claim") { $0.notSent != nil }
    #expect(path.status == .satisfied && path.notSent?.hosts == 3)
    withExtendedLifetime(program) {}
  }

  private static let controlGroups: String? = {
    guard let text = try? Files.read("/proc/mounts") else { return nil }
    let mounts = String(decoding: text, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
    return mounts.first { $0.count > 2 && $0[2] == "cgroup2" }.map { String($0[1]) }
  }()
  private static let hasControlGroups = getuid() == 0 && controlGroups != nil

  /// Makes connections, then loads a program into the kernel that drops each packet of its control group (bpf(2)).
  private static let confined = """
    import ctypes, os, socket, struct, sys, time
    folder = sys.argv[1]
    open(folder + "/cgroup.procs", "w").write(str(os.getpid()))
    c = [socket.create_connection((host, 7000)) for host in sys.argv[2:]]
    for s in c: s.send(b"x"); s.recv(1); s.setblocking(False)
    libc = ctypes.CDLL(None, use_errno=True)
    def bpf(command, attributes):
      data = ctypes.create_string_buffer(attributes, 128)
      result = libc.syscall({"x86_64": 321, "aarch64": 280}[os.uname().machine], command, data, 128)
      if result < 0: raise OSError(ctypes.get_errno(), "bpf")
      return result
    # r0 = 0; exit
    code = ctypes.create_string_buffer(struct.pack("=BBhiBBhi", 0xb7, 0, 0, 0, 0x95, 0, 0, 0), 16)
    name = ctypes.create_string_buffer(b"GPL")
    load = (8, 2, ctypes.addressof(code), ctypes.addressof(name), 0, 0, 0, 0, 0, b"", 0, 1)
    program = bpf(5, struct.pack("=IIQQIIQII16sII", *load))
    bpf(8, struct.pack("=IIII", os.open(folder, os.O_RDONLY), program, 1, 0))
    print("READY", flush=True)
    while 1:
      for s in c:
        try: s.send(b"x")
        except OSError: pass
      time.sleep(.2)
    """

  /// Data that waits for another reason: to be sent later, or again.
  enum Hindrance: String, CaseIterable, Sendable {
    case cork = "for s in c: s.setsockopt(6, 3, 1); s.send(b'x' * 100)"
    case pacing = "for s in c: s.setsockopt(1, 47, 2000); s.send(b'x' * 100000)"
    case loss = "while 1: work()"
    case fullQueue = "while 2: work()"
    case noNeighbour = "while 3: work()"
    /// To the connections a filter of the link looks like a full queue.
    case linkFilter = "while 4: work()"
  }

  @Test(arguments: Hindrance.allCases) func whatHoldsDataBackIsNoUnsentData(_ hindrance: Hindrance) throws {
    let world = try World()
    let script = """
      import signal, socket, sys, time
      signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
      c = [socket.create_connection((host, 7000)) for host in sys.argv[1:]]
      for s in c: s.send(b"x"); s.recv(1); s.setblocking(False)
      def work():
        for s in c:
          try: s.send(b"x" * 3000); s.recv(9999)
          except OSError: pass
        time.sleep(.05)
      print("READY", flush=True)
      signal.sigwait([signal.SIGHUP])
      \(hindrance.rawValue)
      signal.pause()
      """
    let program = try world.host.inside {
      try TestProgram("/usr/bin/python3", ["-c", script] + World.far, environment: TmuxTestServer.environment)
    }
    try program.lines.wait("three connections") { $0.contains("READY") }
    switch hindrance {
    case .cork, .pacing: break
    case .loss: try world.drop("numgen random mod 100 < 30")
    case .fullQueue: _ = try world.host.output("tc qdisc add dev eth0 root tbf rate 8kbit burst 1600 limit 1600")
    case .linkFilter:
      try world.host.nft(
        "table netdev own { chain c { type filter hook egress device eth0 priority 0; ip daddr 198.51.100.0/24 drop; }; }"
      )
    case .noNeighbour: try world.bridge.ip("link set router0 down")
    }
    // The hindrance stands: the program sends.
    Signal.hangUp.send(to: program.pid)
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    // Five seconds: after two the kernel's second attempt would be over.
    for _ in 0..<100 {
      pause(for: .milliseconds(50))
      #expect(try diagnostics.connections(in: [.established]).allSatisfy { !$0.isUnsendable })
    }
    #expect(world.paths.values.allSatisfy { $0.notSent == nil } && program.errors.values == [])
    withExtendedLifetime(program) {}
  }

  /// Waits until two connections of this host have old unsent data, and a look has found them.
  private func waitForOldData(in world: World) throws {
    try world.look("two old stalls") { look in
      Set(look.sending.stalls.filter { $0.age > .seconds(9) }.map(\.host)).count == 2
    }
  }

  private static func block(_ hosts: ArraySlice<String>) -> String {
    "table ip own { chain c { type filter hook output priority 0; ip daddr { \(hosts.joined(separator: ", ")) } drop; }; }"
  }

  /// The user blocks two hosts. Anything that another host acknowledges shows that packets leave.
  @Test func aBlocklistOfTheUserIsNoClaim() throws {
    let world = try World()
    // Rarely enough that the router's entry becomes STALE in between, and the looks begin.
    let third = try EchoClients(in: world.host, to: [World.far[2]], interval: .seconds(4))
    let clients = try world.connect(to: Array(World.far.prefix(2)))
    try world.host.nft(Self.block(World.far.prefix(2)))
    try waitForOldData(in: world)
    #expect(!world.hasClaimed)
    withExtendedLifetime((clients, third)) {}
  }

  @Test(arguments: ["short connections", "datagrams"]) func whatElseLeavesTheMachineIsNoClaim(_ what: String) throws {
    let world = try World()
    let server = try ClosingServer(in: world.farSide)
    let traffic: AnyObject =
      what == "datagrams"
      ? try EchoClients(SOCK_DGRAM, in: world.host, to: [World.far[2]])
      : ShortConnections(to: World.far[2], in: world.host, interval: .seconds(4))
    let clients = try world.connect(to: Array(World.far.prefix(2)))
    try world.host.nft(Self.block(World.far.prefix(2)))
    try waitForOldData(in: world)
    #expect(!world.hasClaimed)
    withExtendedLifetime((server, clients, traffic)) {}
  }

  @Test func noClaimForOneFarHost() throws {
    let world = try World()
    let clients = try world.connect(to: [World.far[0], World.far[0], World.far[0]])
    try world.host.nft(Self.block(World.far.prefix(1)))
    try world.look("three old stalls") { look in look.sending.stalls.count { $0.age > .seconds(8) } == 3 }
    #expect(!world.hasClaimed)
    withExtendedLifetime(clients) {}
  }

  /// Packets of the other end still arrive. They are sent again, since no acknowledgement leaves.
  @Test func whatArrivesRefutesNothing() throws {
    let world = try World()
    let clients = try EchoClients(in: world.host, to: World.far, bytes: 1000)
    try clients.wait(forAnswers: 6000)
    try world.host.nft(
      "table ip own { chain c { type filter hook output priority 0; ip daddr 198.51.100.0/24 drop; }; }")
    let sender = try DatagramTraffic(to: "192.0.2.10", in: world.farSide)
    defer { sender.end() }
    try world.paths.first("the claim") { $0.notSent != nil }
    withExtendedLifetime(clients) {}
  }

  /// The other ends' windows are closed: they do not want the data.
  @Test func noClaimForClosedWindows() throws {
    let world = try World()
    let server = try UnreadServer(in: world.farSide)
    let clients = try EchoClients(in: world.host, to: World.far, port: UnreadServer.port, bytes: 65536)
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    let areClosed = try eventually {
      try diagnostics.connections(in: [.established]).count { $0.timer == .windowProbe && $0.backoff >= 3 } == 3
    }
    #expect(areClosed)
    let probing = try diagnostics.connections(in: [.established])
    #expect(probing.allSatisfy { !$0.holdsUnsentData } && !world.hasClaimed)
    withExtendedLifetime((server, clients)) {}
  }

  @Test func aProgramMayTurnItOff() throws {
    let world = try World(options: PathOptions(detectsNoAnswers: false, detectsNotSent: false))
    let clients = try world.connect(to: World.far)
    try Obstacle.outputDrop.begin(in: world)
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    // Two are enough for a claim. The third may have lost an acknowledgement: each packet that the other end repeats begins its age anew.
    #expect(
      try eventually {
        try diagnostics.connections(in: [.established]).count { $0.unsentAge ?? .zero > .seconds(7) } >= 2
      })
    #expect(world.looks.isEmpty && !world.hasClaimed)
    withExtendedLifetime(clients) {}
  }
}
