internal import OverlineTestSupport

extension Daemon {
  /// What happens to the machine of a DHCP client.
  ///
  /// - Parameters:
  ///   - prepare: a command before its first start.
  ///   - start: the command that starts it.
  ///   - pid: an expression of the shell; nil for the process that was started.
  ///   - renew: the command that asks it for a new lease.
  ///   - unplugged: how long the cable is out, for a client that takes no notice of a shorter time.
  ///   - afterCarrier: the command that tells it of a new carrier, where it does not look.
  ///   - more: what else happens in a round.
  static func dhcpClient(
    _ name: String, programs: [String], prepare: String, start: String, pid: String? = nil, renew: String,
    unplugged: Duration = .seconds(1), afterCarrier: String? = nil, more: [Action] = []
  ) -> Daemon {
    let pid = pid ?? "$(cat /run/\(name).pid)"
    @Sendable func noticeCarrier(_ world: DaemonWorld) throws {
      if let afterCarrier { try world.machine.run(afterCarrier) }
    }
    return Daemon(
      name: name, programs: programs,
      begin: { world in
        try world.machine.run(prepare)
        try world.machine.start(name, start)
        try world.plug()
        try noticeCarrier(world)
      },
      actions: [
        Action(name: "renew") { world in
          try world.machine.run(renew)
          pause(for: .seconds(1))
        },
        Action(name: "reconnect") { world in
          try world.unplug()
          pause(for: unplugged)
          try world.plug()
          try noticeCarrier(world)
        },
        Action(name: "roam") { world in
          try world.roam(after: unplugged)
          try noticeCarrier(world)
        },
        Action(name: "suspended and resumed") { world in
          try world.machine.run("kill -STOP \(pid)")
          try world.unplug()
          pause(for: unplugged)
          try world.plug()
          pause(for: .seconds(1))
          try world.machine.run("kill -CONT \(pid)")
          try noticeCarrier(world)
        },
        Action(name: "ended", endsOnline: false) { world in
          try world.machine.run("kill \(pid)")
          pause(for: .seconds(2))
        },
        Action(name: "join") { try $0.machine.start(name, start) },
        Action(name: "killed", endsOnline: false) { world in
          try world.machine.run("kill -KILL \(pid)")
          pause(for: .seconds(2))
        },
        Action(name: "join after the kill") { world in
          try world.machine.start(name, start)
          pause(for: .seconds(1))
        },
      ] + more)
  }
}
