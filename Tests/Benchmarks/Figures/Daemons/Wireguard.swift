internal import OverlineTestSupport

extension Daemon {
  /// `wg-quick` with `wireguard-go`: the kernel may have no WireGuard.
  static let wireguard = vpn(
    "wireguard-go", programs: ["bin/wireguard-go", "bin/wg", "bin/wg-quick"],
    setUp: { world in
      let keys = try (0..<2).map { _ in try world.machine.run("wg genkey").filter { $0 != "\n" } }
      let names = try keys.map { try world.machine.run("echo '\($0)' | wg pubkey").filter { $0 != "\n" } }
      try world.machine.run(
        """
        mkdir -p /etc/wireguard /run/wireguard
        printf '[Interface]\\nPrivateKey=\(keys[0])\\nAddress=10.9.0.2/32\\n[Peer]\\nPublicKey=\(names[1])\\nEndpoint=198.51.100.1:51820\\n' \
          >/etc/wireguard/wg0.conf
        printf 'AllowedIPs=0.0.0.0/0\\nPersistentKeepalive=1\\n' >>/etc/wireguard/wg0.conf
        chmod 600 /etc/wireguard/wg0.conf
        """)
      try world.far.run(
        """
        mkdir -p /run/wireguard
        printf '[Interface]\\nPrivateKey=\(keys[1])\\nListenPort=51820\\n[Peer]\\nPublicKey=\(names[0])\\nAllowedIPs=10.9.0.2/32\\n' \
          >/run/server.conf
        """)
    },
    startServer: { world in
      // That of a server that was killed would take the settings.
      try world.far.run("rm -f /run/wireguard/wgs.sock")
      try world.far.start("server", "wireguard-go -f wgs")
      guard try eventually({ try world.far.run("test -e /run/wireguard/wgs.sock && echo 1 || echo 0") == "1\n" }) else {
        throw TestKitError("wireguard-go did not start: \(try world.far.run("cat /run/server.log"))")
      }
      try world.far.run("wg setconf wgs /run/server.conf && ip addr add 10.9.0.1/24 dev wgs && ip link set wgs up")
    },
    connect: { try $0.machine.run("\(environment) wg-quick up wg0 >>/run/wg.log 2>&1 </dev/null") },
    disconnect: "\(environment) wg-quick down wg0 >>/run/wg.log 2>&1", pid: "$(pgrep -x wireguard-go)",
    afterKill: """
      ip rule del not fwmark 51820 table 51820; ip rule del table main suppress_prefixlength 0
      nft delete table ip wg-quick-wg0; rm -f /run/wireguard/wg0.sock
      """)

  private static let environment =
    "env WG_QUICK_USERSPACE_IMPLEMENTATION=wireguard-go WG_I_PREFER_BUGGY_USERSPACE_TO_POLISHED_KMOD=1"
}
