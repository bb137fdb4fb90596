extension Daemon {
  /// `dhcpcd` alone. Leaves out the question whether another host has the address, which takes five seconds. A killed one leaves its pid,
  /// which another process may have when it starts again.
  static let dhcpcd = dhcpClient(
    "dhcpcd", programs: ["sbin/dhcpcd"],
    prepare: "mkdir -p /var/lib/dhcpcd && ip link set eth0 up",
    start: "sh -c 'rm -f /run/dhcpcd/*.pid; exec dhcpcd -4 --noarp --nodelay eth0'",
    pid: "$(cat /run/dhcpcd/eth0-4.pid)", renew: "dhcpcd -4 --rebind eth0")

  /// The client of BusyBox, with Debian's script.
  static let udhcpc = dhcpClient(
    "udhcpc", programs: ["bin/busybox"],
    prepare: "ip link set eth0 up",
    start: "udhcpc -f -R -i eth0 -s /etc/udhcpc/default.script -t 3 -T 1 -A 1",
    renew: "kill -USR1 $(cat /run/udhcpc.pid)",
    // It does not look at the carrier: something else tells it, such as ifplugd.
    afterCarrier: "kill -USR2 $(cat /run/udhcpc.pid); kill -USR1 $(cat /run/udhcpc.pid)")
}
