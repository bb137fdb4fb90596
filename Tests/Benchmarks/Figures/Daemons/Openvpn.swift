internal import OverlineTestSupport

extension Daemon {
  /// It removes its tunnel while it connects again: traffic goes without it then.
  static let openvpn = openvpn("OpenVPN", keepsTunnel: false)

  /// It keeps its tunnel while it connects again. After a roam its own packets lead into the tunnel, and it does not set the route again.
  static let persistentOpenvpn = openvpn("OpenVPN with persist-tun", keepsTunnel: true)

  private static func openvpn(_ name: String, keepsTunnel: Bool) -> Daemon {
    vpn(
      name, programs: ["sbin/openvpn", "bin/openssl"],
      setUp: { world in
        try Certificates(world).make("server", "client")
      },
      startServer: { world in
        try world.far.start(
          "server",
          """
          openvpn --dev tuns --dev-type tun --topology subnet --server 10.8.0.0 255.255.255.0 --ca /run/ca.crt --cert /run/server.crt \
          --key /run/server.key --dh none --proto udp --port 1194 --keepalive 1 4 --push "redirect-gateway def1" --verb 3
          """)
      },
      connect: { world in
        try world.machine.run("rm -f /run/openvpn.log")
        try world.machine.start(
          "openvpn",
          """
          openvpn --client --dev tun0 --remote 198.51.100.1 1194 udp --ca /run/ca.crt --cert /run/client.crt --key /run/client.key \
          --nobind --persist-key --connect-retry 1 1 --verb 3 \(keepsTunnel ? "--persist-tun" : "")
          """)
        let isConnected = eventually {
          (try? world.machine.run("grep -c 'Sequence Completed' /run/openvpn.log")) != nil
        }
        guard isConnected else { throw TestKitError("no tunnel: \(try world.machine.run("tail -5 /run/openvpn.log"))") }
      },
      disconnect: "kill $(cat /run/openvpn.pid)", pid: "$(cat /run/openvpn.pid)",
      reconnect: "kill -USR1 $(cat /run/openvpn.pid)", survivesRoam: !keepsTunnel)
  }
}

/// Certificates of a VPN's server and clients, and of the authority that signed them, in `/run` of the machine and of the far server.
struct Certificates {
  private let world: DaemonWorld

  init(_ world: DaemonWorld) { self.world = world }

  func make(_ names: String...) throws {
    try world.machine.run(
      """
      cd /run
      openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 100 -subj /CN=authority 2>/dev/null
      for name in \(names.joined(separator: " ")); do
        openssl req -newkey rsa:2048 -nodes -keyout $name.key -out $name.csr -subj /CN=$name 2>/dev/null
        openssl x509 -req -in $name.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out $name.crt -days 100 2>/dev/null
      done
      """)
    for name in ["ca.crt"] + names.flatMap({ ["\($0).crt", "\($0).key"] }) {
      let text = try world.machine.run("cat /run/\(name)")
      try world.far.run("echo '\(text)' >/run/\(name)")
    }
  }
}
