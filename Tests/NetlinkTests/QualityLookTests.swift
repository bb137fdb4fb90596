@testable import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Looks at real connections by a way that is quick or slow.
@Suite(.ownThread, .enabled(if: SlowNetwork.canRun, "COULD NOT RUN: needs nft and /dev/net/tun; see make test-deps"))
struct QualityLookTests {
  /// The hosts' numbers in a look that has found as many connections.
  private func hosts(_ watch: borrowing NWPath.QualityWatch, _ count: Int, in slow: SlowNetwork) throws -> [Int] {
    var samples: [QualitySample] = []
    for _ in 0..<100 where samples.count != count {
      samples = try slow.network.host.inside { try watch.look().look?.samples ?? [] }
      if samples.count != count { pause(for: .milliseconds(50)) }
    }
    #expect(samples.count == count)
    return samples.map(\.host).sorted()
  }

  @Test func onlyConnectionsToOtherNetworksCount() throws {
    let slow = try SlowNetwork()
    slow.link.set(SlowLink.Quality(delay: .milliseconds(20)))
    let (host, far) = (slow.network.host, SlowNetwork.far)
    let own = try EchoServer(in: host)
    let others = try EchoClients(in: host, to: RoutedNetwork.near + ["127.0.0.1", "192.0.2.10"])
    let watch = try host.inside { try NWPath.QualityWatch(options: PathOptions()) }
    #expect(try hosts(watch, 0, in: slow) == [])
    let clients = try slow.use([far[0], far[0], far[1]] + SlowNetwork.far6.prefix(1))
    let numbers = try hosts(watch, 4, in: slow)
    #expect(Set(numbers).count == 3)
    // A host keeps its number, also when it gets another connection.
    let more = try slow.use([far[1]])
    #expect(Set(try hosts(watch, 5, in: slow)) == Set(numbers))
    withExtendedLifetime((own, others, clients, more)) {}
  }

  /// Another user cannot make the quality poor: a look leaves out the connections that another user has made.
  @Test(.enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can change to another user"))
  func theConnectionsOfOthersDoNotCount() throws {
    let slow = try SlowNetwork()
    let (host, far) = (slow.network.host, SlowNetwork.far)
    let talk = """
      for address in "$@"; do
        (exec 3<>/dev/tcp/$address/\(EchoServer.port); while echo x >&3; do read -r -u 3 x; sleep 0.1; done) &
      done
      echo READY; wait
      """
    let other = try host.inside {
      try TestProgram(
        "setpriv",
        ["--reuid", "65534", "--regid", "65534", "--clear-groups", "bash", "-c", talk, "sh", far[0], far[1]],
        environment: TmuxTestServer.environment)
    }
    try other.lines.wait("the other user's program") { $0.contains("READY") }
    let watch = try host.inside { try NWPath.QualityWatch(options: PathOptions()) }
    let own = try slow.use([far[2]])
    // Both of the other user's connections are there.
    let diagnostics = try host.inside { try SocketDiagnostics() }
    #expect(try eventually { try diagnostics.connections(in: [.established]).count { $0.owner == 65534 } == 2 })
    #expect(try hosts(watch, 1, in: slow).count == 1)
    withExtendedLifetime((own, other)) {}
  }

  @Test func theFiguresAreTheKernels() throws {
    let slow = try SlowNetwork()
    slow.link.set(SlowLink.Quality(delay: .milliseconds(60)))
    let clients = try slow.use(every: .milliseconds(150))
    let host = slow.network.host
    let watch = try host.inside { try NWPath.QualityWatch(options: PathOptions()) }
    var samples: [QualitySample] = []
    let isSettled = try eventually {
      samples = try host.inside { try watch.look().look?.samples ?? [] }
      return samples.count == 4 && samples.allSatisfy(\.isSettled)
    }
    #expect(isSettled)
    for sample in samples {
      #expect((Duration.milliseconds(119) ... .milliseconds(300)).contains(sample.roundTrip), "\(sample)")
      let shortest = try #require(sample.shortest)
      #expect((Duration.milliseconds(119) ... .milliseconds(200)).contains(shortest), "\(sample)")
      #expect(sample.sent > 0 && sample.heardAge < .seconds(5))
      #expect(sample.receivedBytes >= 20 && sample.inode > 0)
    }
    withExtendedLifetime(clients) {}
  }

  /// An interface without routers, such as a modem's: its packets have one other end.
  @Test func aTunnelCountsToo() throws {
    let slow = try SlowNetwork(.tunnel)
    slow.link.set(SlowLink.Quality(delay: .milliseconds(10)))
    let clients = try slow.use()
    let watch = try slow.network.host.inside { try NWPath.QualityWatch(options: PathOptions()) }
    #expect(Set(try hosts(watch, 4, in: slow)).count == 4)
    withExtendedLifetime(clients) {}
  }

  /// The watcher of a monitor that was asked to measure, and that of one that was not.
  @Test func aPathTellsThatItsWayHasBecomeSlow() throws {
    let slow = try SlowNetwork()
    slow.link.set(SlowLink.Quality(delay: .milliseconds(10)))
    let clients = try slow.use()
    let host = slow.network.host
    var options = PathOptions()
    options.quality = .limiting
    let (measured, unmeasured) = (Recorder<NWPath>(), Recorder<NWPath>())
    let watchers = [(options, measured), (PathOptions(), unmeasured)].map { options, paths in
      PathWatcher(
        queue: .init(label: "test.quality"), options: options,
        open: { () throws(NetlinkError) in try inside(host) }, onPath: { paths.record($0) })
    }
    for watcher in watchers { try watcher.start() }
    try measured.first("a good path") { $0.linkQuality == .good }
    slow.link.set(SlowLink.Quality(delay: .milliseconds(700)))
    let poor = try measured.first("a poor path") { $0.linkQuality == .minimal }
    #expect(poor.status == .satisfied && poor.quality?.isLimit == true)
    let words = try #require(poor.linkQualityExplanation)
    #expect(words.contains(/^poor: 1\.\d s round trip/), "\(words)")
    #expect(unmeasured.values.allSatisfy { $0.linkQuality == .unknown && $0.linkQualityExplanation == nil })
    for path in measured.values { #expect(!"\(path)".contains("198.51.100"), "\(path)") }
    for watcher in watchers { watcher.cancel() }
    withExtendedLifetime(clients) {}
  }
}
