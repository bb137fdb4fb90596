import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// What refutes a claim that nothing answers, and what only looks as if it did. Two far hosts stop answering in each test.
@Suite(.ownThread, .enabled(if: ForwardingWorld.canRun, "COULD NOT RUN: nft is missing; install it: make test-deps"))
struct SignsOfLifeTests {
  typealias World = ForwardingWorld

  /// A Python program. Its arguments are the addresses of a far host, and of a host of the local network.
  struct Program: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    /// A socket that may hear from everywhere, as VPNs and QUIC servers have one. Without it no datagram would count.
    var hasEar = true

    init(_ name: String, hasEar: Bool = true, _ text: String) {
      testDescription = name
      self.text = text
      self.hasEar = hasEar
    }

    func start(in namespace: NetworkNamespace) throws -> TestProgram {
      let text = """
        import socket, struct, sys, time
        FAR, NEAR = sys.argv[1], sys.argv[2]
        def udp(family=socket.AF_INET):
          s = socket.socket(family, socket.SOCK_DGRAM); s.settimeout(0.5); return s
        # A busy machine may lose a datagram.
        def ask(s, *peer):
          try: s.sendto(b"x", *peer); s.recv(99)
          except OSError: pass
        \(hasEar ? "ear = udp(); ear.bind((\"\", 41641))" : "")
        \(text)
        """
      let program = try namespace.inside {
        try TestProgram(
          "/usr/bin/python3", ["-c", text, World.far[2], World.near[0]], environment: TmuxTestServer.environment)
      }
      try program.lines.wait("the program's start") { $0.contains("READY") }
      return program
    }
  }

  private static let mDNS = #"b"\0\0\0\0\0\1\0\0\0\0\0\0\5_ipps\4_tcp\5local\0\0\x0c\0\1""#

  static let noLife = [
    Program(
      "broadcasts of this machine, as Syncthing sends them",
      """
      s = udp(); s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1); s.bind(("", 21027))
      print("READY", flush=True)
      while 1: s.sendto(b"hello", ("192.0.2.255", 21027)); s.recv(9); time.sleep(.5)
      """),
    Program(
      "multicast DNS of this machine",
      """
      s = udp(); s.bind(("", 5353)); t = udp(socket.AF_INET6); t.bind(("::", 5354))
      link = socket.if_nametoindex("eth0")
      s.setsockopt(0, socket.IP_ADD_MEMBERSHIP, socket.inet_aton("224.0.0.251") + socket.inet_aton("192.0.2.10"))
      t.setsockopt(41, socket.IPV6_JOIN_GROUP, socket.inet_pton(socket.AF_INET6, "ff02::fb") + struct.pack("i", link))
      print("READY", flush=True)
      while 1:
        s.sendto(\(mDNS), ("224.0.0.251", 5353)); s.recv(99)
        t.sendto(\(mDNS), ("ff02::fb", 5354, 0, link)); t.recv(99)
        time.sleep(.5)
      """),
    Program(
      "a local stub resolver",
      """
      s = udp(); s.bind(("127.0.0.53", 53)); c = udp(); c.connect(("127.0.0.53", 53))
      print("READY", flush=True)
      while 1:
        c.send(b"query"); data, peer = s.recvfrom(99); s.sendto(b"answer", peer); c.recv(99); time.sleep(.2)
      """),
    Program(
      "segmented datagrams over loopback",
      """
      s = udp(); s.bind(("127.0.0.1", 9000)); c = udp(); c.setsockopt(17, 103, 100)
      print("READY", flush=True)
      while 1:
        c.sendto(b"q" * 5000, ("127.0.0.1", 9000)); [s.recv(999) for i in range(50)]; time.sleep(.5)
      """),
    Program(
      "datagrams that are read late",
      """
      c = udp(); c.connect((FAR, 7000))
      for i in range(9): ask(c, (FAR, 7000))
      # Forty answers wait when the outage begins.
      for i in range(40): c.send(b"x")
      time.sleep(1)
      print("READY", flush=True)
      while 1:
        try: c.recv(99)
        except OSError: pass
        time.sleep(.5)
      """),
    Program(
      "a peer on the local network", hasEar: false,
      """
      s = udp()
      print("READY", flush=True)
      while 1: s.connect((NEAR, 7000)); ask(s, (NEAR, 7000)); time.sleep(.3)
      """),
    Program(
      "a connection on the local network",
      """
      s = socket.create_connection((NEAR, 7000))
      print("READY", flush=True)
      while 1: s.send(b"x" * 900); s.recv(999); time.sleep(.05)
      """),
    Program(
      "the router's answers to ping",
      """
      s = socket.socket(socket.AF_INET, socket.SOCK_RAW, 1); s.connect(("192.0.2.1", 0))
      print("READY", flush=True)
      while 1: s.send(bytes.fromhex("0800f7fd00010001")); time.sleep(.3)
      """),
    Program(
      "half-closed connections that a program closes",
      """
      all = []
      for i in range(90):
        s = socket.create_connection((FAR, 7001)); s.shutdown(socket.SHUT_WR); all.append(s)
      time.sleep(1)
      print("READY", flush=True)
      while 1: all.pop().close(); time.sleep(2)
      """),
  ]

  @Test(arguments: noLife) func whatIsNoSignOfLife(_ program: Program) throws {
    let world = try World()
    let server = try UnreadServer(in: world.farSide)
    let running = try program.start(in: world.host)
    let clients = try world.connect(to: Array(World.far.prefix(2)))
    try world.drop()
    try world.paths.first("the claim") { $0.noAnswers != nil }
    // Nor does it end the claim.
    let before = world.looks.count
    #expect(eventually { world.looks.count { $0.isWhole } > 3 && world.looks.count >= before + 4 })
    #expect(world.paths.values.last?.noAnswers != nil)
    #expect(running.errors.values == [])
    withExtendedLifetime((server, clients, running)) {}
  }

  static let life = [
    Program(
      "a far peer on a socket that hears everyone",
      """
      print("READY", flush=True)
      while 1: ask(ear, (FAR, 7000)); time.sleep(.3)
      """),
    Program(
      "a far peer on a connected socket", hasEar: false,
      """
      s = udp(); s.connect((FAR, 7000))
      print("READY", flush=True)
      while 1: ask(s, (FAR, 7000)); time.sleep(.3)
      """),
    Program(
      "a far peer that IPv6 reaches", hasEar: false,
      """
      s = udp(socket.AF_INET6); s.connect(("2001:db8:2::1", 7000))
      print("READY", flush=True)
      while 1: ask(s, ("2001:db8:2::1", 7000)); time.sleep(.3)
      """),
    Program(
      "a far peer beside a busy loopback",
      """
      a, b = udp(), udp(); a.bind(("127.0.0.1", 9000)); b.connect(("127.0.0.1", 9000))
      print("READY", flush=True)
      while 1:
        for i in range(20): b.send(b"y"); a.recv(9)
        ask(ear, (FAR, 7000)); time.sleep(.3)
      """),
    Program(
      "connections that a program opens, and closes first", hasEar: false,
      """
      print("READY", flush=True)
      while 1:
        s = socket.create_connection((FAR, 7000)); s.send(b"x"); s.recv(1); s.close(); time.sleep(4)
      """),
  ]

  @Test(arguments: life) func whatIsASignOfLife(_ program: Program) throws {
    let world = try World()
    let running = try program.start(in: world.host)
    let clients = try world.connect(to: Array(World.far.prefix(2)))
    try world.drop("ip daddr { \(World.far[0]), \(World.far[1]) }")
    try world.look("two old stalls") { look in
      Set(look.stalls.filter { $0.age > .seconds(12) }.map(\.host)).count == 2
    }
    #expect(!world.hasClaimed)
    #expect(running.errors.values == [])
    withExtendedLifetime((clients, running)) {}
  }
}
