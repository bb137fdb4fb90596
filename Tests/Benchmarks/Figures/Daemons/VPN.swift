internal import OverlineTestSupport

extension Daemon {
  /// What happens to the machine of a VPN's client. Its server has the first of the far addresses. All traffic takes the tunnel, except
  /// that to this address.
  ///
  /// - Parameters:
  ///   - setUp: what machine and server need before the first start.
  ///   - startServer: starts the server. Its process is in `/run/server.pid`.
  ///   - connect: starts the client, and returns when it is connected.
  ///   - disconnect: the command that ends it.
  ///   - pid: an expression of the shell.
  ///   - reconnect: the command that makes the client connect again.
  ///   - afterKill: the command that removes what a killed client leaves.
  ///   - survivesRoam: false for a client that never connects again from another network.
  static func vpn(
    _ name: String, programs: [String], setUp: @escaping @Sendable (DaemonWorld) throws -> Void,
    startServer: @escaping @Sendable (DaemonWorld) throws -> Void,
    connect: @escaping @Sendable (DaemonWorld) throws -> Void, disconnect: String, pid: String,
    reconnect: String? = nil, afterKill: String = "true", survivesRoam: Bool = true
  ) -> Daemon {
    let all = [
      // The connections that existed lead into the tunnel from then on, and end there.
      Action(name: "connect") { world in
        try connect(world)
        pause(for: .seconds(15))
      },
      Action(name: "cable out and in") { world in
        try world.talk()
        try world.unplug()
        pause(for: .seconds(1))
        try world.plug()
        try world.machine.run(addresses(of: world.place))
      },
      Action(name: "roam") { world in
        if !survivesRoam { try world.talk() }
        try world.roam(after: .seconds(1))
        try world.machine.run(addresses(of: world.place))
        if survivesRoam { return }
        pause(for: ClaimJudgement.silenceLimit + .seconds(5))
        try world.machine.run(disconnect)
        pause(for: .seconds(1))
        try connect(world)
      },
      Action(name: "suspended and resumed") { world in
        try world.machine.run("kill -STOP \(pid)")
        pause(for: .seconds(4))
        try world.machine.run("kill -CONT \(pid)")
      },
      Action(name: "the server killed") { world in
        try world.talk()
        try world.far.run("kill -KILL $(cat /run/server.pid)")
        pause(for: ClaimJudgement.silenceLimit + .seconds(5))
        try startServer(world)
      },
      Action(name: "disconnect") { world in
        try world.machine.run(disconnect)
        pause(for: .seconds(2))
      },
      Action(name: "connect again", happens: connect),
      Action(name: "killed", endsOnline: false) { world in
        try world.machine.run("kill -KILL \(pid)")
        pause(for: .seconds(4))
      },
      Action(name: "after the kill") { world in
        try world.machine.run("\(afterKill); \(addresses(of: world.place))")
      },
    ]
    let ordered = reconnect.map { command in
      [
        Action(name: "reconnect") { world in
          try world.machine.run(command)
          pause(for: .seconds(3))
        }
      ]
    }
    return Daemon(
      name: name, programs: programs, server: RoutedNetwork.far[1], peers: Array(RoutedNetwork.far.dropFirst()),
      begin: { world in
        try world.machine.run("ip link set eth0 up")
        try world.plug()
        try world.machine.run(addresses(of: world.place))
        try setUp(world)
        try startServer(world)
      },
      actions: Array(all.prefix(1)) + (ordered ?? []) + all.dropFirst())
  }

  /// What a DHCP client does in a network.
  private static func addresses(of place: DaemonWorld.Place) -> String {
    let network = place == .home ? "192.0.2" : "203.0.113"
    return """
      ip addr show dev eth0 | grep -q 'inet \(network)' || \
      { ip -4 addr flush dev eth0; ip addr add \(network).10/24 dev eth0; }
      ip route replace default via \(network).1 dev eth0 metric 100
      """
  }
}
