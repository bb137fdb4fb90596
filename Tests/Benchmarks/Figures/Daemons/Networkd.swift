internal import OverlineTestSupport

extension Daemon {
  static let networkd = dhcpClient(
    "systemd-networkd", programs: ["lib/systemd/systemd-networkd", "bin/networkctl", "bin/dbus-daemon"],
    prepare: """
      \(SystemBus.start)
      mkdir -p /run/systemd/network /run/systemd/netif/links /run/systemd/netif/leases /run/systemd/netif/lldp
      chown -R systemd-network: /run/systemd/netif
      printf '[Match]\\nName=eth0\\n[Network]\\nDHCP=ipv4\\nIPv6AcceptRA=no\\nLinkLocalAddressing=no\\n' \
        >/run/systemd/network/10-eth0.network
      """,
    start: "/usr/lib/systemd/systemd-networkd", renew: "networkctl renew eth0",
    more: [
      .init(name: "reconfigure") { world in
        try world.machine.run("networkctl reconfigure eth0")
        pause(for: .seconds(1))
      }
    ])
}
