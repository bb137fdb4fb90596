internal import OverlineTestSupport

extension Daemon {
  /// It waits for six seconds before it believes that a carrier is lost.
  static let networkManager = dhcpClient(
    "NetworkManager", programs: ["sbin/NetworkManager", "bin/nmcli", "bin/dbus-daemon"],
    prepare: """
      \(SystemBus.start)
      mkdir -p /run/NetworkManager /var/lib/NetworkManager /etc/NetworkManager/system-connections
      printf '[main]\\nplugins=keyfile\\ndhcp=internal\\nno-auto-default=*\\n[device]\\nmatch-device=interface-name:eth*\\nmanaged=1\\n' \
        >/run/nm.conf
      printf '[connection]\\nid=wired\\ntype=ethernet\\ninterface-name=eth0\\n[ipv6]\\nmethod=disabled\\n' \
        >/etc/NetworkManager/system-connections/wired.nmconnection
      chmod 600 /etc/NetworkManager/system-connections/*
      """,
    start: "NetworkManager --no-daemon --config=/run/nm.conf --log-level=INFO",
    renew: "nmcli device reapply eth0 && nmcli --wait 15 connection up wired",
    unplugged: .seconds(7),
    more: [
      .init(name: "connection down and up") { world in
        try world.machine.run("nmcli --wait 15 connection down wired")
        pause(for: .seconds(1))
        try world.machine.run("nmcli --wait 15 connection up wired")
      },
      // It keeps the address of the other network, whose router is not there.
      .init(name: "roam unnoticed") { world in
        try world.roam(after: .seconds(1))
        pause(for: ClaimJudgement.silenceLimit + .seconds(5))
        try world.machine.run("nmcli --wait 15 connection up wired")
      },
    ])
}

/// The bus through which NetworkManager and systemd-networkd get their orders.
enum SystemBus {
  /// Allows everything: the distribution's rules are for users that a namespace may not have.
  static let start = """
    printf '%s' '<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
    <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/><allow user="*"/>
    </policy></busconfig>' >/run/dbus.conf
    dbus-daemon --config-file=/run/dbus.conf --fork
    """
}
