internal import OverlineTestSupport

extension Daemon {
  /// The router's; the machine's kernel configures itself. A router counts for eight seconds.
  static let radvd = Daemon(
    name: "radvd", programs: ["sbin/radvd"], server: RoutedNetwork.far6[0], peers: RoutedNetwork.far6,
    prepare: { network in
      try network.host.sysctl("net/ipv6/conf/eth0/accept_ra", "2")
      try network.host.ip("-6 route flush dev eth0")
    },
    begin: { world in
      func network(_ link: String, _ prefix: String) -> String {
        """
        interface \(link) { AdvSendAdvert on; MinRtrAdvInterval 3; MaxRtrAdvInterval 4; AdvDefaultLifetime 8; prefix \(prefix) \
        { AdvValidLifetime 60; AdvPreferredLifetime 6; }; };
        """
      }
      let text = network("lan0", "2001:db8:1::/64") + network("lan1", "2001:db8:3::/64")
      try world.router.run("echo '\(text)' >/run/radvd.conf")
      try start(world)
      try world.plug()
    },
    actions: [
      Action(name: "renew") { _ in pause(for: .seconds(6)) },
      Action(name: "reconnect") { world in
        try world.unplug()
        pause(for: .seconds(1))
        try world.plug()
      },
      Action(name: "roam") { try $0.roam(after: .seconds(10)) },
      Action(name: "suspended and resumed") { world in
        try world.router.run("kill -STOP $(cat /run/radvd.pid)")
        pause(for: .seconds(12))
        try world.router.run("kill -CONT $(cat /run/radvd.pid)")
      },
      Action(name: "ended", endsOnline: false) { world in
        try world.router.run("kill $(cat /run/radvd.pid)")
        pause(for: .seconds(4))
      },
      Action(name: "join", happens: start),
      Action(name: "killed", endsOnline: false) { world in
        try world.router.run("kill -KILL $(cat /run/radvd.pid)")
        pause(for: .seconds(12))
      },
      Action(name: "join after the kill", happens: start),
    ])

  @Sendable private static func start(_ world: DaemonWorld) throws {
    try world.router.start(
      "radvd", "radvd --nodaemon --config /run/radvd.conf --pidfile /run/radvd-own.pid --logmethod stderr")
  }
}
